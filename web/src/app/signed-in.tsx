import { getLocation } from '@inventory-manager/contract/locations'
import { Suspense } from 'react'
import { matchRoute, Redirect, Route, Router, Switch, useLocation, useRouter } from 'wouter'
import { paths } from '../lib/paths.ts'
import { personIn, useLocatedSession, useSession } from '../session/session.ts'
import { Loading } from '../ui/loading.tsx'
import { fromNowhere } from '../ui/use-address.ts'
import { floorStrip } from './floor-strip.ts'
import { followWhenHere } from './navigation.ts'
import { NewsFollower } from './news.ts'
import { screensFor } from './screens.tsx'
import { Shell } from './shell.tsx'

/** The screens of who is signed in at a location, in the frame that all of them have. */
export function SignedIn() {
  const { user, location } = useLocatedSession()
  const screens = screensFor(user, getLocation(location))
  return (
    <Router aroundNav={followWhenHere}>
      <NewsFollower />
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
    </Router>
  )
}

/** Where sign-in was asked from by this person, or by whoever opened a link; null where there is no such place. */
function askedFrom(person: string | null): string | null {
  const state: unknown = history.state
  if (typeof state !== 'object' || state === null || !('next' in state) || !('of' in state)) return null
  const isTheirs = state.of === null || state.of === person
  return isTheirs && typeof state.next === 'string' ? state.next : null
}

/** Where sign-in was asked from, if that is a screen; else the overview, which says so where there is none at all. */
function AfterSignIn({ known }: { known: readonly string[] }) {
  const { parser } = useRouter()
  const [path] = useLocation()
  const asked = askedFrom(personIn(useSession())) ?? path
  const [screen = ''] = asked.split('?')
  const isAmong = (addresses: readonly string[]) =>
    addresses.some((each) => matchRoute(parser, each, screen)[0])
  if (isAmong(known)) return <Redirect to={asked} replace />
  const isNowhere = !isAmong(['/', ...Object.values(paths)])
  return <Redirect to={paths.overview} state={isNowhere ? fromNowhere : null} replace />
}
