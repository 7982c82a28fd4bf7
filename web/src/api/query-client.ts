import { notifyManager, QueryClient } from '@tanstack/react-query'
import { ApiError } from './api-error.ts'

// That a call is on its way is drawn before a second press can come, which then meets a button that is disabled.
notifyManager.setScheduler(queueMicrotask)

const maxTries = 2

/** Reads are tried again only where the network failed; what the server refused stays refused. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (failures, error) =>
        failures < maxTries && error instanceof ApiError && error.kind === 'network',
      refetchOnWindowFocus: false,
      networkMode: 'always',
      // What never pauses without a network is not asked for again by itself when there is one.
      refetchOnReconnect: true,
    },
    mutations: { networkMode: 'always' },
  },
})
