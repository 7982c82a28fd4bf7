import { wholeNumber } from '../numbers.ts'
import { maxCopies, maxLabelsPerJob } from './limits.ts'

const ticked = (filters: readonly string[]) =>
  `${filters.map((filter) => `"${filter}"`).join(' and ')} ${filters.length === 1 ? 'is' : 'are'} ticked`

const mostLetters = 10

/** The first of some characters to be named: marks, which stand on letters, where there is nothing else. */
function firstOf(characters: readonly string[]): string {
  const letters = characters.filter((character) => !/\p{M}/u.test(character))
  const named = letters.length === 0 ? characters : letters
  return [...named.slice(0, mostLetters), ...(named.length > mostLetters ? ['…'] : [])].join(' ')
}

/** Sentences of the label screens (specification 5 and 8). */
export const labelMessages = {
  notAuthenticated: 'Error: Not authenticated. Please log in again.',
  noLocation: 'Error: No location selected. Please select a location before generating labels.',
  noInput: 'Please provide input data (manual entry or CSV file).',
  badCsvLine: (line: number) =>
    `Error: Invalid CSV format at line ${line}. Expected "ID,Description,Quantity" or "ID,Quantity" with valid ID and numeric quantity.`,
  badManualLine: (line: number) =>
    `Error: Invalid format at line ${line}. Expected "ID,Description,Quantity", "ID,Quantity", "(ID,Description,Quantity)" or "(ID,Quantity)" with valid ID and numeric quantity.`,
  noCsvRows: 'No valid components found in CSV.',
  noManualRows: 'No valid components found. Please use format "ID,Description,Quantity" or "ID,Quantity".',
  error: (message: string) => `❌ Error: ${message}`,
  synced: (count: number, location: string) =>
    `✅ Success! Generated ${count} labels and synced to ${location}.`,
  printNotAuthenticated: '❌ Not authenticated. Please log in again.',
  selectOne: '❌ Please select at least one component to print.',
  loaded: (count: number) => `✅ Loaded ${count} components`,
  generated: (count: number) => `✅ Successfully generated ${count} labels!`,
  loadError: (message: string) => `❌ Error loading components: ${message}`,
  generateError: (message: string) => `❌ Error generating labels: ${message}`,
  noMatch: (search: string) => `No components found matching "${search}"`,
  searching: 'Searching...',
  enterSelects: 'Enter selects the component of a scanned code.',
  partOfSearch: 'Of other barcodes and bins the first 1,000 are listed: type more.',
  none: 'No components available',
  noneTicked: (filters: readonly string[]) => `No components while ${ticked(filters)}`,
  alsoTicked: (filters: readonly string[]) => `${ticked(filters)}: not all are searched.`,
  labelledError: (message: string) => `❌ Error loading what needs a label: ${message}`,
  asSeen: 'What you see is what the printer gets.',
  ownFont: 'The printer sets the text in its own font.',
  noLetters: (characters: readonly string[]) =>
    `The printer has no letters for “${firstOf(characters)}”: they become boxes.`,
  sideBySide: 'The printer sets its letters and vowel signs side by side, not joined.',
  copies: `Give a whole number from 1 to ${maxCopies}.`,
  actualSize:
    'Print at actual size (100 %, no "fit to page"): a printer that scales the page makes bars that scanners cannot read.',
  cancelledAfterStoring: {
    pdf: 'Cancelled. The products are stored; the labels of a file that was not finished are given back.',
    zpl: 'Cancelled. The products are stored; labels of a ZPL file count from the first one on, and the same file made again here uses no more.',
  },
  errorAfterStoring: (message: string) =>
    `❌ Error: ${message} The products are stored; only their labels are missing.`,
  cancelled: {
    pdf: 'Cancelled. The labels of a file that was not finished are given back.',
    zpl: 'Cancelled. Labels of a ZPL file count from the first one on, and the same file made again here uses no more.',
  },
  tooMany: (labels: number) =>
    `Too many labels: ${wholeNumber(labels)}. The limit is ${wholeNumber(maxLabelsPerJob)} in one file.`,
  noRoom: 'No label of this size fits on the page with these margins.',
  pastLimit: ({ plan, limit, used, labels }: { plan: string; limit: number; used: number; labels: number }) =>
    `The ${plan} plan includes ${wholeNumber(limit)} labels a month. ${wholeNumber(used)} are used and these would be ${wholeNumber(labels)} more.`,
} as const
