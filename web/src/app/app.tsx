import { Suspense, useEffect, useLayoutEffect, useRef, type ComponentProps } from 'react'
import { Redirect, Route, Switch, useLocation } from 'wouter'
import { usePathname, useSearch } from 'wouter/use-browser-location'
import { noteScreenBefore } from '../accounts/auth-frame.tsx'
import { LoginScreen } from '../accounts/login-screen.tsx'
import { inPassing } from '../lib/in-passing.ts'
import { paths } from '../lib/paths.ts'
import { lastPerson, personIn, useSession, type Session } from '../session/session.ts'
import { Loading } from '../ui/loading.tsx'
import { part } from '../ui/part.tsx'
import { useLogout } from './logout.tsx'
import { isAnyWaiting, useOutbox, waitingSentences } from './outbox.ts'
import type { WaitingScans } from './waiting-scans.tsx'

// Sign-in must not wait for what comes after it.
const signedIn = part(async () => (await import('./signed-in.tsx')).SignedIn)

const register = part(async () => (await import('../accounts/register-screen.tsx')).RegisterScreen)
const forgotPassword = part(
  async () => (await import('../accounts/forgot-password-screen.tsx')).ForgotPasswordScreen,
)
const linkScreen = part(async () => (await import('../accounts/link-screen.tsx')).LinkScreen)

/** Needed once a shift: what counts does not wait for it, but it is here when there is no network. */
const locations = part(async () => (await import('../locations/location-screen.tsx')).LocationScreen)

/** What a screen shows first shares neither network nor processor with it. */
const locationsMs = 1_000

/** The screens of who is not signed in, of which those that links lead to are brought meanwhile. */
function SignedOut({ notice, left }: { notice: string | null; left: WaitingScans }) {
  useEffect(() => {
    inPassing(register.load())
    inPassing(forgotPassword.load())
  }, [])
  return (
    <Switch>
      <Route path={paths.register}>
        <register.Content />
      </Route>
      <Route path={paths.forgotPassword}>
        <forgotPassword.Content />
      </Route>
      <Route path={paths.login}>
        {/* Who logged out by themselves was told before. */}
        <LoginScreen
          notice={notice}
          left={notice !== null && isAnyWaiting(left) ? <waitingSentences.Content waiting={left} /> : null}
        />
      </Route>
      <Route>
        <ToLogin />
      </Route>
    </Switch>
  )
}

/** Any other path leads to sign-in, which leads back to it afterwards; who was there before is no guide for somebody else. */
function ToLogin() {
  // As it is: a router takes percent signs of a barcode apart.
  const address = usePathname() + useSearch()
  return <Redirect to={paths.login} state={{ next: address, of: lastPerson() }} replace />
}

/** The choice of a location, while what comes after it is brought. */
function Locations(props: Omit<ComponentProps<typeof locations.Content>, 'onLogout'>) {
  const { logOut, question } = useLogout()
  useEffect(() => void loadSignedIn(paths.overview), [])
  return (
    <Suspense fallback={<Loading label="Loading..." />}>
      <locations.Content {...props} onLogout={logOut} />
      {question}
    </Suspense>
  )
}

/** What is shown at the same address once a session ends or begins, or its location is left, begins at its top and heading as well. */
function useTop(shown: string): void {
  const last = useRef(shown)
  useLayoutEffect(() => {
    if (last.current !== shown) {
      scrollTo({ top: 0, behavior: 'instant' })
      noteScreenBefore()
    }
    last.current = shown
  }, [shown])
}

function shownIn(session: Session): string {
  return session.state === 'signed_in' && session.location === null ? 'locations' : session.state
}

/** Where one-time links lead, whoever is signed in. */
const linkPaths: readonly string[] = [paths.invitation, paths.newPassword, paths.confirmEmail]

/** The guards of the route table: a one-time link, signed out, without a location, with one (specification 2). */
export function App() {
  const session = useSession()
  const left = useOutbox(personIn(session))
  useTop(shownIn(session))
  useEffect(() => {
    const timer = setTimeout(() => inPassing(locations.load()), locationsMs)
    return () => clearTimeout(timer)
  }, [])
  const [path] = useLocation()
  if (linkPaths.includes(path)) {
    return (
      <Suspense fallback={<Loading label="Loading..." />}>
        <linkScreen.Content />
      </Suspense>
    )
  }
  switch (session.state) {
    case 'loading_user':
      return <Loading label="Loading user information..." />
    case 'signed_in':
      return session.location === null ? (
        <Locations user={session.user} closed={session.closed} />
      ) : (
        <Suspense fallback={<Loading label="Loading..." />}>
          <signedIn.Content key={session.user.id} />
        </Suspense>
      )
    case 'signed_out':
      return (
        <Suspense fallback={<Loading label="Loading..." />}>
          <SignedOut notice={session.notice} left={left} />
        </Suspense>
      )
  }
}

/** Brings the screen of an address, for whoever is signed in. What does not arrive is asked for again where it is shown. */
export async function loadSignedIn(address: string): Promise<void> {
  const [navigation] = await Promise.allSettled([import('./navigation.ts'), signedIn.load()])
  if (navigation.status === 'fulfilled') await Promise.allSettled([navigation.value.loadShown(address)])
}
