/** Sentences of the analytics screen (specification 2 and 8). */
export const analyticsMessages = {
  authentication: 'Authentication required. Please log in again.',
  progress: 'Error loading progress data',
  topSkus: 'Error loading top SKUs data',
  someFailed: (count: number) => `Error loading some dashboard data (${count} failed)`,
  allFailed: 'Error loading dashboard data',
  loginToView: 'Please log in to view analytics',
  loginToRefresh: 'Please log in to refresh data',
  empty: 'No data available for this graph',
  emptyHint: 'Start scanning items to see analytics',
} as const
