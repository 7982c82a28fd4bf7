import { getLocation } from '@inventory-manager/contract/locations'
import { Suspense } from 'react'
import { matchRoute, Redirect, Route, Switch, useRouter } from 'wouter'
import { paths } from '../lib/paths.ts'
import { useLocatedSession } from '../session/session.ts'
import { Loading } from '../ui/loading.tsx'
import { useNews } from './news.ts'
import { part } from '../ui/part.tsx'
import { loadScreen, screensFor } from './screens.tsx'
import { Shell } from './shell.tsx'

const floorStrip = part(async () => (await import('../counting/floor-strip.tsx')).FloorStrip)

/** Brings what the screen of an address shows in the frame. */
export async function loadShown(address: string): Promise<void> {
  await Promise.all([floorStrip.load(), loadScreen(address)])
}

/** The screens of who is signed in at a location, in the frame that all of them have. */
export function SignedIn() {
  const { user, location } = useLocatedSession()
  const screens = screensFor(user, getLocation(location))
  useNews()
  return (
    <Shell screens={screens}>
      <Suspense fallback={<Loading label="Loading..." />}>
        <Switch>
          {screens.map(({ path, onTheFloor, Content }) => (
            <Route key={path} path={path}>
              {onTheFloor === true && <floorStrip.Content />}
              <Content />
            </Route>
          ))}
          <Route>
            <AfterSignIn known={screens.map(({ path }) => path)} />
          </Route>
        </Switch>
      </Suspense>
    </Shell>
  )
}

/** Where sign-in was asked from, if that is a screen; else the overview. */
function AfterSignIn({ known }: { known: readonly string[] }) {
  const { parser } = useRouter()
  const state: unknown = history.state
  const next = typeof state === 'object' && state !== null && 'next' in state ? state.next : null
  const isScreen = typeof next === 'string' && known.some((path) => matchRoute(parser, path, next)[0])
  return <Redirect to={isScreen ? next : paths.overview} replace />
}
