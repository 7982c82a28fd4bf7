import { readUnitCost, type DecimalSign } from '@inventory-manager/contract/amounts'
import type { LocationCode } from '@inventory-manager/contract/locations'
import { adjustQuantity } from '@inventory-manager/contract/stock/adjust-endpoints'
import type { AdjustReason } from '@inventory-manager/contract/stock/adjusting'
import { addBarcode } from '@inventory-manager/contract/stock/alias-endpoints'
import { readOtherBarcode } from '@inventory-manager/contract/stock/other-barcode'
import type { PlacementRow } from '@inventory-manager/contract/stock/placement-endpoints'
import { reinstateComponent, retireComponent } from '@inventory-manager/contract/stock/retire-endpoints'
import { call } from '../api/client.ts'
import { firstKnown } from '../api/first-known.ts'
import type { Once } from '../api/once.ts'
import { cleanCode, readCode } from '../scanning/codes.ts'
import { codesToAsk } from '../scanning/meant.ts'
import { readScannerSettings, type ScannerSettings } from '../scanning/settings.ts'
import { costSeveral, keepSeveral, placeSeveral } from './placing.ts'
import { issued, type Booking, type Where } from './several-keys.ts'
import { isNoCost, readAmount, type Line, type LineForm } from './several-lines.ts'
import type { LinesWork } from './several-work.ts'

/** What the company has set for its scanners, where that is known, where somebody works, and what stops the work. */
export type Given = {
  company: ScannerSettings | undefined
  location: LocationCode
  /** What stands before the decimals of the list, where it has such. */
  decimals: DecimalSign
  /** The tries of what is received or sent. */
  once: Once
  signal: AbortSignal
}

/** One line at a time; without a key where what is so already stays so, and is answered as done. */
type LineWork = (line: Line, given: Given) => Promise<void>

/** What is done with each line by itself, or what is said of the component of a line, many lines in one call. */
type Doing =
  | { work: LineWork }
  | {
      /** Gives the lines with which nothing was done, and why. */
      workMany: (lines: readonly Line[], given: Given) => Promise<ReadonlyMap<Line, string>>
    }

/** What a booking of a line depends on beside it. */
export type Asking = Pick<Given, 'company' | 'location'>

export type Change = Doing & {
  value: string
  label: string
  field: string
  /** What to give, at a place, and of costs in which currency, where that is known. */
  hint: (place: string, currency: string | null) => string
  form: LineForm
  /** What is counted: one component may have several lines. */
  unit: 'component' | 'line'
  /** What was done, with so many, at a place. */
  told: (count: string, place: string) => string
  /** What is now done with a list that was begun at another place; left out where the place says nothing. */
  left?: (place: string) => string
  /** What is asked for by a line, however it is written, and what the bookings of a list have in common; left out where done twice is done once. */
  bookings?: {
    ofLine: (line: Line, asking: Asking) => readonly Booking[]
    where: (location: LocationCode) => Where
  }
}

/** Does something with the component that a text means: as it stands, or else without what a scanner adds. */
async function forComponent(
  text: string,
  { company }: Pick<Given, 'company'>,
  work: (barcode: string) => Promise<unknown>,
): Promise<void> {
  await firstKnown(codesToAsk(text, company), work)
}

type Adjustment = { barcode: string; location: LocationCode; amount: number; reason: AdjustReason }

/** The pieces of a line whose form has been looked at. */
export function piecesOf({ text, cells: [, amount = ''] }: Line): number {
  const pieces = readAmount(amount)
  if (pieces === null) throw new RangeError(`${text} has no amount.`)
  return pieces
}

/** What a line of what came, or of what went out, may ask for, however it is written. */
const adjustmentsOf =
  (reason: 'received' | 'issued') =>
  (line: Line, { company, location }: Asking) => {
    const [first = ''] = line.cells
    const pieces = piecesOf(line)
    const amount = reason === 'received' ? pieces : -pieces
    return codesToAsk(first, company).map((barcode) => ({ barcode, location, amount, reason }))
  }

export const receiptsOf = adjustmentsOf('received')
const issuesOf = adjustmentsOf('issued')

/** Books what each line says, once, however often it is sent. */
function adjusting(bodiesOf: (line: Line, asking: Asking) => readonly Adjustment[]): LineWork {
  return async (line, given) => {
    const { once, signal } = given
    await firstKnown(bodiesOf(line, given), (body) =>
      once(body, (idempotencyKey) => call(adjustQuantity, { body }, { idempotencyKey, signal })),
    )
  }
}

/** What each of some lines says of the component that it names. */
function wantedOf<S>(lines: readonly Line[], { company }: Given, sayOf: (said: string) => S) {
  return lines.map((line) => {
    const [first = '', said = ''] = line.cells
    return { line, codes: codesToAsk(first, company), said: sayOf(said) }
  })
}

function byLine(refused: ReadonlyMap<{ line: Line }, string>): Map<Line, string> {
  return new Map([...refused].map(([{ line }, reason]) => [line, reason]))
}

/** Places the components of many lines. */
async function placeLines(
  lines: readonly Line[],
  given: Given,
  sayOf: (said: string) => Omit<PlacementRow, 'barcode'>,
): Promise<Map<Line, string>> {
  return byLine(await placeSeveral(given.location, wantedOf(lines, given, sayOf), { signal: given.signal }))
}

/** Has a location keep the components of many lines, or leave them out. */
async function keepLines(lines: readonly Line[], { kept, ...given }: Given & { kept: boolean }) {
  const { location, signal } = given
  return byLine(
    await keepSeveral(
      { location, kept },
      wantedOf(lines, given, () => ({})),
      { signal },
    ),
  )
}

/** Sets what the components of many lines cost. */
async function costLines(lines: readonly Line[], given: Given): Promise<Map<Line, string>> {
  const { location, decimals, signal } = given
  const wanted = wantedOf(lines, given, (said) => {
    if (isNoCost(said)) return { unit_cost: null }
    const cost = readUnitCost(said, decimals)
    if (typeof cost !== 'number') throw new RangeError(`${said} is no unit cost.`)
    return { unit_cost: cost }
  })
  return byLine(await costSeveral(location, wanted, { signal }))
}

const setHere = (place: string) => `What is left of it is now set at ${place}.`

/** How the lines of a list are written whose amounts are booked. */
export const amountForm =
  'behind a tab, semicolon or comma, or on the line below: 4012345;12, or 3 x12 for 3 packs of 12.'

const oneEach = 'One barcode in each line: typed, scanned, or pasted from a spreadsheet.'

export const retire: Change = {
  value: 'retire',
  label: 'Retire',
  field: 'Barcodes',
  hint: () => `${oneEach} They leave all lists and are no longer counted; their history stays.`,
  form: 'barcode',
  unit: 'component',
  told: (components) => `${components} retired.`,
  work: async ({ text }, given) => {
    await forComponent(text, given, (barcode) =>
      call(retireComponent, { body: { barcode } }, { signal: given.signal }),
    )
  },
}

/** What can be done wherever one works. */
export const changes: readonly Change[] = [
  retire,
  {
    value: 'bring_back',
    label: 'Bring back',
    field: 'Barcodes',
    hint: () => `${oneEach} They return to all lists and must be counted again.`,
    form: 'barcode',
    unit: 'component',
    told: (components) => `${components} brought back.`,
    work: async ({ text }, given) => {
      await forComponent(text, given, (barcode) =>
        call(reinstateComponent, { body: { barcode } }, { signal: given.signal }),
      )
    },
  },
  {
    value: 'add_barcodes',
    label: 'Add other barcodes',
    field: 'Barcodes',
    hint: () =>
      'On each line: a component’s barcode, then its other ones, such as those of suppliers, separated by tab, semicolon or comma. After the barcode of a pack, its pieces: 4012345;4012346 x12.',
    form: 'barcodes',
    unit: 'component',
    told: (components) => `Other barcodes added to ${components}.`,
    work: async ({ cells: [first = '', ...others] }, given) => {
      const scanners = readScannerSettings(given.company)
      for (const other of others) {
        const read = readOtherBarcode(other)
        if (typeof read === 'string') throw new RangeError(`${other} is no other barcode.`)
        const { barcode: code, ...pack } = read
        // As a count reads a code that it does not know.
        const alias = readCode(code, scanners, () => false).code
        await forComponent(first, given, (barcode) =>
          call(addBarcode, { body: { barcode, alias, ...pack } }, { signal: given.signal }),
        )
      }
    },
  },
  {
    value: 'receive',
    label: 'Receive',
    field: 'Barcodes and amounts',
    hint: (place) =>
      `On each line: a barcode, then how many pieces arrived, ${amountForm} They are added to the stock at ${place}.`,
    form: 'amount',
    unit: 'line',
    told: (lines, place) => `${lines} received at ${place}.`,
    work: adjusting(receiptsOf),
    left: (place) => `What is left of it is now added to the stock at ${place}.`,
    bookings: { ofLine: receiptsOf, where: (location) => ({ location, to: null }) },
  },
  {
    value: 'issue',
    label: 'Issue',
    field: 'Barcodes and amounts',
    hint: (place) =>
      `On each line: a barcode, then how many pieces went out, ${amountForm} They are taken from the stock at ${place}.`,
    form: 'amount',
    unit: 'line',
    told: (lines, place) => `${lines} issued from ${place}.`,
    work: adjusting(issuesOf),
    left: (place) => `What is left of it is now taken from the stock at ${place}.`,
    bookings: { ofLine: issuesOf, where: (location) => ({ location, to: issued }) },
  },
  {
    value: 'set_bins',
    label: 'Set bins',
    field: 'Barcodes and bins',
    hint: (place) =>
      `On each line: a barcode, then its bin, separated by tab, semicolon or comma: 4012345;A-03-2. That is where it lies at ${place}.`,
    form: 'bin',
    unit: 'component',
    told: (components, place) => `Bins of ${components} set at ${place}.`,
    workMany: (lines, given) => {
      const scanners = readScannerSettings(given.company)
      return placeLines(lines, given, (bin) => ({ bin: cleanCode(bin, scanners) }))
    },
    left: setHere,
  },
  {
    value: 'set_minimums',
    label: 'Set minimums',
    field: 'Barcodes and minimums',
    hint: (place) =>
      `On each line: a barcode, then a number, separated by tab, semicolon or comma: 4012345;12. Below this stock it is low at ${place}.`,
    form: 'minimum',
    unit: 'component',
    told: (components, place) => `Minimums of ${components} set at ${place}.`,
    workMany: (lines, given) => placeLines(lines, given, (minimum) => ({ minimum: Number(minimum) })),
    left: setHere,
  },
  {
    value: 'set_costs',
    label: 'Set unit costs',
    field: 'Barcodes and unit costs',
    hint: (_, currency) =>
      `On each line: a barcode, then what one piece costs${currency === null ? '' : ` in ${currency}`}, separated by tab, semicolon or comma: 4012345;12.50 or 4012345;12,50. Write none in place of a cost to remove what was set.`,
    form: 'cost',
    unit: 'component',
    told: (components) => `Unit costs of ${components} set.`,
    workMany: costLines,
  },
  {
    value: 'leave_out',
    label: 'Leave out here',
    field: 'Barcodes',
    hint: (place) => `${oneEach} They are not kept at ${place}, and are no longer counted there.`,
    form: 'barcode',
    unit: 'component',
    told: (components, place) => `${components} left out at ${place}.`,
    workMany: (lines, given) => keepLines(lines, { ...given, kept: false }),
    left: setHere,
  },
  {
    value: 'keep',
    label: 'Keep here again',
    field: 'Barcodes',
    hint: (place) => `${oneEach} They are kept at ${place}, and counted there again.`,
    form: 'barcode',
    unit: 'component',
    told: (components, place) => `${components} kept at ${place}.`,
    workMany: (lines, given) => keepLines(lines, { ...given, kept: true }),
    left: setHere,
  },
]

/** So many lines go in one call: few enough that Stop comes soon, and that each is named in the audit trail. */
const mostAtOnce = 200

/** How the lines of a list are worked through. */
export function workOf(change: Change, given: Omit<Given, 'signal'>): { atOnce: number; work: LinesWork } {
  if ('work' in change) {
    return {
      atOnce: 1,
      work: async (lines, signal) => {
        for (const line of lines) await change.work(line, { ...given, signal })
        return new Map()
      },
    }
  }
  return {
    atOnce: mostAtOnce,
    work: (lines, signal) => change.workMany(lines, { ...given, signal }),
  }
}
