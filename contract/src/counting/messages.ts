/** Sentences of the count screens (specification 5 and 8). */
export const countMessages = {
  barcodeRequired: 'Please enter a barcode.',
  quantityRequired: 'Please enter a quantity.',
  noLocation: 'No location selected. Please select a location.',
  notAuthenticated: 'Error: Not authenticated. Please log in again.',
  invalidTenant: 'Error: Invalid tenant information. Please log out and log in again.',
  notFound: (barcode: string) => `Component with barcode ${barcode} not found.`,
  matched: (description: string) => `✓ ${description} - Quantity matches!`,
  mismatch: (description: string) => `Incorrect quantity for ${description}`,
  correctQuantity: (expected: number) => ` (Correct: ${expected})`,
  adminMismatch: (expected: number, entered: number) =>
    `Quantity mismatch. Expected: ${expected}, Entered: ${entered}. Please recount.`,
  started: (location: string) => `Started monthly count for ${location}.`,
  counted: (barcode: string, location: string) => `Successfully counted ${barcode} at ${location}!`,
  reset: (location: string) => `Count for ${location} has been reset.`,
  loadingComponents: (message: string) => `Error fetching components: ${message}`,
  loadingList: (message: string) => `Error loading components: ${message}`,
  updating: (message: string) => `Error updating quantity: ${message}`,
  history: (barcode: string, message: string) => `Error fetching history for ${barcode}: ${message}`,
  resetting: (message: string) => `Error resetting count: ${message}`,
  starting: (message: string) => `Error starting count: ${message}`,
  clearHistory: 'Clear history feature requires backend implementation for security.',
  reviewed: 'Recorded for review.',
  alreadyCounted: 'This SKU was already counted today.',
  notUpdated: 'Count not updated. Please recount if necessary.',
  selectDay: 'Please select a day to start counting.',
  notInList: (barcode: string, day: string, location: string) =>
    `Barcode ${barcode} is not part of the ${day} high-volume count at ${location}.`,
  loadingHighVolume: (message: string) => `Error loading high volume components: ${message}`,
  loadingProgress: (message: string) => `Error loading progress: ${message}`,
  startingAdminView: (message: string) => `Error starting admin view: ${message}`,
  resettingCycle: (message: string) => `Error resetting cycle count: ${message}`,
  adminAuthentication: 'Authentication error. Please log out and log in again.',
  notYetCounted: 'Not yet counted',
  noSource: 'No source information available',
  retrievingSource: 'Error retrieving source',
  nothingToUndo: 'There is no entry of yours to take back.',
  undone: (barcode: string) => `Took the last entry back: ${barcode}.`,
} as const

/** Why an entry is not taken back. */
export const undoRefusals = {
  already_undone: 'This entry was taken back already.',
  counted_since: 'This SKU was counted again since. Only its newest entry can be taken back.',
  other_period: 'This entry belongs to an earlier day or month and cannot be taken back any more.',
  decided: 'This difference was decided on already.',
  strict: 'Your company counts strictly: enter the quantity again instead of taking it back.',
} as const
