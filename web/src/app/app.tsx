import { getLocation } from '@inventory-manager/contract/locations'
import { lazy, Suspense } from 'react'
import { Redirect, Route, Switch, useLocation } from 'wouter'
import { LoginScreen } from '../accounts/login-screen.tsx'
import { paths } from '../lib/paths.ts'
import { LocationScreen } from '../locations/location-screen.tsx'
import { useLocatedSession, useSession } from '../session/session.ts'
import { Loading } from '../ui/loading.tsx'
import { useOutbox } from './outbox.ts'
import { useNews } from './news.ts'
import { screensFor } from './screens.tsx'
import { Shell } from './shell.tsx'

const FloorStrip = lazy(async () => ({
  default: (await import('../counting/floor-strip.tsx')).FloorStrip,
}))
const RegisterScreen = lazy(async () => ({
  default: (await import('../accounts/register-screen.tsx')).RegisterScreen,
}))

const ForgotPasswordScreen = lazy(async () => ({
  default: (await import('../accounts/forgot-password-screen.tsx')).ForgotPasswordScreen,
}))
const LinkScreen = lazy(async () => ({ default: (await import('../accounts/link-screen.tsx')).LinkScreen }))

function SignedOut({ notice }: { notice: string | null }) {
  return (
    <Switch>
      <Route path={paths.register}>
        <RegisterScreen />
      </Route>
      <Route path={paths.forgotPassword}>
        <ForgotPasswordScreen />
      </Route>
      <Route path={paths.login}>
        <LoginScreen notice={notice} />
      </Route>
      <Route>
        <ToLogin />
      </Route>
    </Switch>
  )
}

/** Any other path leads to sign-in, which leads back to it afterwards. */
function ToLogin() {
  const [path] = useLocation()
  return <Redirect to={paths.login} state={{ next: path }} replace />
}

function SignedIn() {
  const { user, location } = useLocatedSession()
  const screens = screensFor(user, getLocation(location))
  useNews()
  return (
    <Shell screens={screens}>
      <Suspense fallback={<Loading label="Loading..." />}>
        <Switch>
          {screens.map(({ path, onTheFloor, Content }) => (
            <Route key={path} path={path}>
              {onTheFloor === true && <FloorStrip />}
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
  const state: unknown = history.state
  const next = typeof state === 'object' && state !== null && 'next' in state ? state.next : null
  return <Redirect to={known.find((path) => path === next) ?? paths.overview} replace />
}

/** The guards of the route table: a one-time link, signed out, without a location, with one (specification 2). */
export function App() {
  const session = useSession()
  useOutbox(session.state === 'signed_in' ? `${session.user.tenantId}/${session.user.id}` : null)
  const [path] = useLocation()
  if (path === paths.invitation || path === paths.newPassword) {
    return (
      <Suspense fallback={<Loading label="Loading..." />}>
        <LinkScreen />
      </Suspense>
    )
  }
  switch (session.state) {
    case 'loading_user':
      return <Loading label="Loading user information..." />
    case 'signed_in':
      return session.location === null ? (
        <LocationScreen user={session.user} />
      ) : (
        <SignedIn key={session.user.id} />
      )
    case 'signed_out':
      return (
        <Suspense fallback={<Loading label="Loading..." />}>
          <SignedOut notice={session.notice} />
        </Suspense>
      )
  }
}
