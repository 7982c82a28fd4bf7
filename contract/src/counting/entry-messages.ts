import { howMany, wholeNumber } from '../numbers.ts'

/** Sentences of a running count, of what opens beside it and of the cycle count (specification 5 and 8), which come when a list is on the screen. */
export const entryMessages = {
  barcodeRequired: 'Please enter a barcode.',
  quantityRequired: 'Please enter a quantity.',
  quantityInvalid: 'The quantity must be a whole number from 0 to 2,147,483,647.',
  quantitySeparated: 'Type the quantity in digits only, without sign, point, comma or space.',
  quantityWaits: 'Not entered yet: press Submit, or clear the quantity, before you go to another location.',
  leftWaits: 'Not entered yet: press Put back or Discard before you go to another location.',
  quantityFirst: (behind: string) => `Enter the quantity of ${behind} first.`,
  submitFirst: (behind: string) => `Submit ${behind} first.`,
  piecesTypedOver: 'Not entered yet: press Submit, or Undo last to have the scanned pieces back.',
  leftOut: (barcode: string, quantity: string) => `Not entered: ${barcode}, ${quantity}.`,
  scanAgain: 'Scan it again, then count.',
  startingAdminView: (message: string) => `Error starting admin view: ${message}`,
  resettingCycle: (message: string) => `Error resetting cycle count: ${message}`,
  adminAuthentication: 'Authentication error. Please log out and log in again.',
  notYetCounted: 'Not yet counted',
  noSource: 'No source information available',
  retrievingSource: 'Error retrieving source',
  quantityNext: 'Enter its quantity',
  pieceNext: 'Each scan counts one',
  /** Of the barcode of a case: what is typed is never a number of cases. */
  packQuantityNext: (pieces: number) => `Pack of ${wholeNumber(pieces)}: enter pieces`,
  packNext: (pieces: number) => `Each scan counts ${wholeNumber(pieces)}`,
  /** Of an entry whose code turned out to be that of a pack, with how many scans of it are in the quantity. */
  packKept: (pieces: number, scans: number) =>
    scans === 0
      ? `Pack of ${wholeNumber(pieces)}: what was typed is pieces.`
      : `Pack of ${wholeNumber(pieces)}: each scan of it counts ${wholeNumber(pieces)}.`,
  countedBefore: (quantity: string) => `You counted ${quantity} of it before.`,
  addedTo: (quantity: number, written: string) =>
    `The ${written} counted before ${quantity === 1 ? 'is' : 'are'} added to the quantity.`,
  unknownNext: 'Enter its quantity: both are kept for an administrator. Or press Next Item.',
  notKeptHere: (barcode: string) => `${barcode} is not in the list of what is counted here.`,
  notKeptHereNext: 'Enter what is here of it. If nobody knows the code, it is kept for an administrator.',
  notInListNext: 'It is not counted here. Press Next Item.',
  perhapsUnknownNext:
    'Press Next Item. If nobody knows the code, enter its quantity: both are kept for an administrator.',
  barcodeTooLong: (most: number) => `Not counted: a barcode has at most ${most} characters. Press Next Item.`,
  ofContents: 'Not counted: the label of a whole pallet. Scan one piece, then enter how many there are.',
  isBin: (bin: string) => `${bin} is a bin, not a component.`,
  inBin: (bin: string, found: number) => `In bin ${bin}: ${wholeNumber(found)} of the list`,
  tooLongNext: 'It cannot be counted. Press Next Item.',
  askNumber: (number: string) => `Is ${number} a quantity or a barcode?`,
  askLocation: (name: string) => `Change location to ${name}?`,
  locationAsked: 'Not counted: first say whether the location changes.',
  resetAsked: 'Not counted: first say whether the count is reset.',
  noLocation: 'No location selected. Please select a location.',
  notAuthenticated: 'Error: Not authenticated. Please log in again.',
  reset: (location: string) => `Count for ${location} has been reset.`,
  history: (barcode: string, message: string) => `Error fetching history for ${barcode}: ${message}`,
  clearHistory: 'Clear history feature requires backend implementation for security.',
  notUpdated: 'Count not updated. Please recount if necessary.',
  doubled: 'Scanned twice. Taken once.',
  trialOver: 'Your free trial has ended.',
  keptUntilSent: 'These scans stay on this device. Send them again once the problem is solved.',
  countAnew: 'Count it again.',
  blocked: (what: string, again: string) =>
    `Something between this device and the server, such as a firewall, stops ${what}. ${again} it again from another network.`,
  notDecided: 'This device could not keep your decision: its storage may be full. Decide again.',
  heldUp: 'Kept on this device. It is sent when the network is back.',
  heldInPage: 'Kept by this open page. It is sent when the network is back.',
  keptByPage:
    'This browser cannot store anything on this device: its storage is full or blocked. Keep this page open until all scans are stored.',
  onItsWay: 'Kept on this device. It is being sent.',
  countAgain: 'These quantities did not match. Count these again.',
  absent: 'Choose what you have looked for and what is not there. Each is counted as 0 at this location.',
  absentMore: (more: number) =>
    howMany(more, 'more is left: search for it.', 'more are left: search for them.'),
  absentTooMany: (most: number) => `Choose ${most} at most, and the rest after them.`,
  absentEntered: (entered: number) => `${howMany(entered, 'SKU is', 'SKUs are')} entered as 0.`,
  notedLater: 'Its scan was not stored. Decide on that first: sent again, the scan takes this note along.',
  nothingToNote:
    'None of the recent scans was counted, or all were taken back: there is nothing to add a note to.',
  notNotedBack: 'This scan was taken back, so no note can be added to it.',
  nothingToUndo: 'There is no entry of yours to take back.',
  nothingCounted: (barcode: string) =>
    `Nothing was counted of ${barcode}. Undo last again takes the entry before it back.`,
  undone: (barcode: string) => `Took back: ${barcode}.`,
  takingBack: (barcode: string) => `Taking back: ${barcode}.`,
  takenBackLater: 'It is taken back as soon as the server answers.',
} as const
