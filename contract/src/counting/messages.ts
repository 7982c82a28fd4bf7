const difference = (expected: number, entered: number) =>
  `Quantity mismatch. Expected: ${expected}, Entered: ${entered}.`

/** Sentences of the count screens (specification 5 and 8) that come with their lists; the others are in `entry-messages`. */
export const countMessages = {
  codeTooLong: (most: number, length: number) =>
    `A barcode has at most ${most} characters, this one has ${length}.`,
  notStarted: 'Not counted: start the count first.',
  noSeat: 'You cannot count: your company’s plan has no seat for you. Ask an administrator.',
  listLoading: 'Not counted: the list is still loading. Scan it again once it has loaded.',
  listMissing: 'Not counted: the list could not be loaded. Try again, then scan it once the list has loaded.',
  countLoading: 'Not counted: the count is still loading. Scan it again once it has loaded.',
  countMissing: 'Not counted: the count could not be loaded. Try again, then scan it once it has loaded.',
  noDay: 'Not counted: choose a day and start the count first.',
  invalidTenant: 'Error: Invalid tenant information. Please log out and log in again.',
  notFound: (barcode: string) => `Component with barcode ${barcode} not found.`,
  notKept: 'Too many unknown codes are waiting for an administrator, so this one is only in the audit trail.',
  matched: (description: string) => `✓ ${description} - Quantity matches!`,
  firstCount: (description: string, quantity: number) =>
    `✓ ${description} - First count: its stock is ${quantity} now.`,
  difference,
  recordedNext: 'It is recorded, and an administrator decides. Go on.',
  started: (location: string) => `Started monthly count for ${location}.`,
  counted: (barcode: string, location: string) => `Successfully counted ${barcode} at ${location}!`,
  loadingComponents: (message: string) => `Error fetching components: ${message}`,
  loadingList: (message: string) => `Error loading components: ${message}`,
  updating: (message: string) => `Error updating quantity: ${message}`,
  resetting: (message: string) => `Error resetting count: ${message}`,
  starting: (message: string) => `Error starting count: ${message}`,
  alreadyCounted: 'This SKU was already counted today.',
  selectDay: 'Please select a day to start counting.',
  notInList: (barcode: string, day: string, location: string) =>
    `Barcode ${barcode} is not part of the ${day} high-volume count at ${location}.`,
  loadingHighVolume: (message: string) => `Error loading high volume components: ${message}`,
  loadingProgress: (message: string) => `Error loading progress: ${message}`,
  nonePending: 'Nothing here is pending.',
  noneMatch: (search: string) => `Nothing here matches "${search}".`,
} as const

/** What the server says of a count (specification 5 and 8): no screen words it itself. */
export const countReplies = {
  mismatch: (description: string) => `Incorrect quantity for ${description}`,
  correctQuantity: (expected: number) => ` (Correct: ${expected})`,
  adminMismatch: (expected: number, entered: number) => `${difference(expected, entered)} Please recount.`,
  reviewed: 'Recorded for review.',
} as const

/** Why an entry is not taken back. */
export const undoRefusals = {
  already_undone: 'This entry was taken back already.',
  counted_since: 'This SKU has been counted again since. Only its newest entry can be taken back.',
  other_period: 'This entry belongs to an earlier day or month and can no longer be taken back.',
  // Also of what the tolerance has accepted, of which whoever counts knows only that it matched.
  decided: 'This entry is settled already and cannot be taken back. Count the SKU again instead.',
  retired: 'This component has since been retired. An administrator can bring it back.',
  strict: 'Your company counts strictly: enter the quantity again instead of taking it back.',
} as const
