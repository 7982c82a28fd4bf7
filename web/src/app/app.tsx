import { getLocation } from '@inventory-manager/contract/locations'
import { lazy, Suspense } from 'react'
import { Redirect, Route, Switch, useLocation } from 'wouter'
import { LoginScreen } from '../accounts/login-screen.tsx'
import { paths } from '../lib/paths.ts'
import { LocationScreen } from '../locations/location-screen.tsx'
import { useLocatedSession, useSession } from '../session/session.ts'
import { Loading } from '../ui/loading.tsx'
import { Shell } from './shell.tsx'

const RegisterScreen = lazy(() =>
  import('../accounts/register-screen.tsx').then((m) => ({ default: m.RegisterScreen })),
)
const OverviewScreen = lazy(() =>
  import('../overview/overview-screen.tsx').then((m) => ({ default: m.OverviewScreen })),
)
const GraphsScreen = lazy(() =>
  import('../analytics/graphs-screen.tsx').then((m) => ({ default: m.GraphsScreen })),
)
const GenerateLabelsScreen = lazy(() =>
  import('../labels/generate-labels-screen.tsx').then((m) => ({ default: m.GenerateLabelsScreen })),
)
const PrintLabelsScreen = lazy(() =>
  import('../labels/print-labels-screen.tsx').then((m) => ({ default: m.PrintLabelsScreen })),
)
const MonthlyCountScreen = lazy(() =>
  import('../counting/monthly-count-screen.tsx').then((m) => ({ default: m.MonthlyCountScreen })),
)
const WeeklyCountScreen = lazy(() =>
  import('../counting/weekly-count-screen.tsx').then((m) => ({ default: m.WeeklyCountScreen })),
)
const AuditScreen = lazy(() => import('../audit/audit-screen.tsx').then((m) => ({ default: m.AuditScreen })))

function SignedOut() {
  return (
    <Switch>
      <Route path={paths.register}>
        <RegisterScreen />
      </Route>
      <Route path={paths.login}>
        <LoginScreen />
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
  const { location } = useLocatedSession()
  return (
    <Shell>
      <Suspense fallback={<Loading label="Loading..." />}>
        <Switch>
          <Route path={paths.overview}>
            <OverviewScreen />
          </Route>
          <Route path={paths.graphs}>
            <GraphsScreen />
          </Route>
          <Route path={paths.generateLabels}>
            <GenerateLabelsScreen />
          </Route>
          <Route path={paths.printSettings}>
            <PrintLabelsScreen />
          </Route>
          <Route path={paths.monthlyCount}>
            <MonthlyCountScreen />
          </Route>
          {getLocation(location).supportsWeeklyCount && (
            <Route path={paths.weeklyCount}>
              <WeeklyCountScreen key={location} />
            </Route>
          )}
          <Route path={paths.auditTrail}>
            <AuditScreen />
          </Route>
          <Route>
            <AfterSignIn />
          </Route>
        </Switch>
      </Suspense>
    </Shell>
  )
}

const known: readonly string[] = Object.values(paths)

/** Where sign-in was asked from, if that is a screen; else the overview. */
function AfterSignIn() {
  const state: unknown = history.state
  const next = typeof state === 'object' && state !== null && 'next' in state ? state.next : null
  const wanted = known.find((path) => path === next && path !== paths.login && path !== paths.register)
  return <Redirect to={wanted ?? paths.overview} replace />
}

/** The guards of the route table: signed out, without a location, with one (specification 2). */
export function App() {
  const session = useSession()
  if (session === null) {
    return (
      <Suspense fallback={<Loading label="Loading..." />}>
        <SignedOut />
      </Suspense>
    )
  }
  return session.location === null ? <LocationScreen user={session.user} /> : <SignedIn />
}
