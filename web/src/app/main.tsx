import './styles.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queryClient } from '../api/query-client.ts'
import { startSession } from '../session/session.ts'
import { App } from './app.tsx'
import { CrashBoundary } from './crash-boundary.tsx'
import { loadEarly } from './early.ts'

/** Earlier versions may have left service workers behind; none is used (specification 1). */
async function unregisterServiceWorkers(): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  const registrations = await navigator.serviceWorker.getRegistrations()
  await Promise.all(registrations.map((registration) => registration.unregister()))
}

startSession()
loadEarly(location.pathname)
unregisterServiceWorkers().catch(reportError)

const root = document.querySelector('#root')
if (root === null) throw new Error('The page has no root element.')
createRoot(root).render(
  <StrictMode>
    <CrashBoundary>
      <QueryClientProvider client={queryClient}>
        <App />
      </QueryClientProvider>
    </CrashBoundary>
  </StrictMode>,
)
