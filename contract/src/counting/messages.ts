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
  updating: (message: string) => `Error updating quantity: ${message}`,
  history: (barcode: string, message: string) => `Error fetching history for ${barcode}: ${message}`,
  resetting: (message: string) => `Error resetting count: ${message}`,
  starting: (message: string) => `Error starting count: ${message}`,
  clearHistory: 'Clear history feature requires backend implementation for security.',
  reviewed: 'Recorded for review.',
} as const
