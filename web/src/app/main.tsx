import { QueryClientProvider } from '@tanstack/react-query'
import { startTransition, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queryClient } from '../api/query-client.ts'
import { isAuthenticated, isLocationChosen, startSession } from '../session/session.ts'
import { Loading } from '../ui/loading.tsx'
import { App, loadSignedIn } from './app.tsx'
import { CrashBoundary } from './crash-boundary.tsx'

/** Earlier versions may have left service workers behind; none is used (specification 1). */
async function unregisterServiceWorkers(): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  const registrations = await navigator.serviceWorker.getRegistrations()
  await Promise.all(registrations.map((registration) => registration.unregister()))
}

/** Shows the application, once the parts have arrived that the address needs. */
async function show(container: Element): Promise<void> {
  const root = createRoot(container)
  if (isAuthenticated() && isLocationChosen()) {
    root.render(<Loading label="Loading..." />)
    await loadSignedIn(location.pathname)
  }
  const app = (
    <StrictMode>
      <CrashBoundary>
        <QueryClientProvider client={queryClient}>
          <App />
        </QueryClientProvider>
      </CrashBoundary>
    </StrictMode>
  )
  // In pieces of a few milliseconds, between which a slow device does what else there is to do.
  startTransition(() => root.render(app))
}

startSession()
unregisterServiceWorkers().catch(reportError)
const root = document.querySelector('#root')
if (root === null) throw new Error('The page has no root element.')
show(root).catch(reportError)
