import type {
  ComponentToCount,
  CountReply,
  WeeklyComponent,
} from '@inventory-manager/contract/counting/endpoints'
import type { CountType } from '@inventory-manager/contract/values'
import type { CycleCount } from '@inventory-manager/contract/counting/record-endpoints'
import { lookupCodes } from '@inventory-manager/contract/stock/rules'
import { withoutIdentifier } from '../scanning/symbology.ts'
import { binsOf, placesOf, withChanged, type Findable, type Indexed } from './component-index.ts'
import { recordedBarcode } from './count-jobs.ts'
import type { CountResult } from './count-verdicts.ts'

/** What is to be counted, in a month's list or a day's. */
export type ListedComponent = ComponentToCount &
  Partial<Pick<WeeklyComponent, 'last_counted_date' | 'last_counted_source' | 'high_volume_config'>>

export type CountList = {
  components: readonly ListedComponent[]
  counted: number
  total: number
  /** How many components the location leaves out, where it does. */
  not_kept?: number | undefined
  keptAt?: string | null
}

/** What came of one entry, and the server's reply where it gave one. */
export type TakenResult = {
  result: CountResult
  reply: CountReply | null
  /** Of an administrator's count: what the cycle says of it; null where nothing was saved. */
  inCycle: CycleCount['progress'] | null
}

/** The component with the mark that a count sets; the same one where it has a newer mark. */
export function withMark<T extends ListedComponent>(
  item: T,
  { at, source }: { at: string; source: string },
): T {
  if ((item.counted_at ?? '') >= at) return item
  const marked = { ...item, counted: true, counted_at: at, counted_source: source }
  // In a day's list the last count may be one of the month.
  const isLast = (item.last_counted_date ?? '') <= at
  return isLast ? { ...marked, last_counted_date: at, last_counted_source: source } : marked
}

type Taken = { results: readonly TakenResult[]; source: CountType }

/** The mark that an entry has set in the list of its kind; null for a first wrong quantity, and for what came too late. */
function markOf({ result, reply }: TakenResult, source: CountType) {
  const barcode = recordedBarcode(reply, result.barcode)
  if (reply === null || barcode === null || !('progress' in reply) || reply.progress === undefined)
    return null
  if ((source === 'weekly' ? reply.sets_weekly_mark : reply.sets_mark) === false) return null
  // By the server's clock where it says so.
  const at = reply.matched === true ? reply.component.counted_at : result.timestamp
  return { barcode, at, progress: reply.progress }
}

function marksOf({ results, source }: Taken) {
  return results.map((taken) => markOf(taken, source)).filter((mark) => mark !== null)
}

/** The list with the marks that recorded counts have set; unchanged for anything else. */
export function withMarks<L extends Pick<CountList, 'components'>>(list: L, taken: Taken): L {
  const { source } = taken
  const times = new Map<string, string>()
  for (const { barcode, at } of marksOf(taken)) {
    if (at > (times.get(barcode) ?? '')) times.set(barcode, at)
  }
  const components = withChanged(list.components, times.keys(), (item) => {
    const at = times.get(item.barcode)
    return at === undefined ? item : withMark(item, { at, source })
  })
  return components === list.components ? list : { ...list, components }
}

/** The list with the marks and the progress of recorded counts; unchanged for anything else. */
export function markCounted<L extends CountList>(list: L, taken: Taken): L {
  // Those that were on their way together may have been counted in another order: the furthest is the present one.
  const [latest] = marksOf(taken)
    .map(({ progress }) => progress)
    .toSorted((one, other) => other.counted - one.counted)
  if (latest === undefined) return list
  return { ...withMarks(list, taken), counted: latest.counted, total: latest.total }
}

/** Whether a component of a month's or a day's list is still to be counted. */
export const isPending = ({ counted }: ListedComponent): boolean => counted !== true

/** Whether a component was counted anew since a scan of it, by anybody and in a count of the same kind, which is all that answers it. */
export function isCountedSince(
  item: ListedComponent,
  { source, scannedAt }: { source: string; scannedAt: string | undefined },
): boolean {
  if (item.counted !== true || scannedAt === undefined) return false
  // The marks of a day's list are those of its own count.
  const isOfKind = source === 'weekly' || item.counted_source === source
  return isOfKind && (item.counted_at ?? '') > scannedAt
}

/** How many of a list are marked as counted. */
export function countedOf(components: readonly ListedComponent[]): number {
  return components.filter(({ counted }) => counted === true).length
}

/** The component of a list that a scanned code means: as its own barcode in any writing, else as another one of it. */
export function findIn<T extends Indexed>(list: readonly T[], code: string): T | undefined {
  const places = placesOf(list)
  let another: T | undefined
  for (const candidate of lookupCodes(code)) {
    const place = places.get(candidate)
    const item = place === undefined ? undefined : list[place]
    if (item?.barcode === candidate) return item
    another ??= item
  }
  return another
}

/** How many pieces one scan of a code of a component stands for: those of a pack, else one. */
export function piecesPerScanOf(item: ListedComponent | undefined, code: string): number {
  const codes = lookupCodes(code)
  if (item?.packs === undefined || codes.includes(item.barcode)) return 1
  return item.packs.find(({ barcode }) => codes.includes(barcode))?.pieces ?? 1
}

/** The bin of a list that a scanned code names, if any: it may be the label of a shelf. Components are looked for first. */
export function binIn(list: readonly Findable[], code: string): string | undefined {
  if (findIn(list, code) !== undefined) return undefined
  return binsOf(list).get(withoutIdentifier(code).toLowerCase())
}

/** What a scanned code is sent as: where it is another barcode of a component, as its own. */
export function sentAs(item: Indexed | undefined, code: string): string {
  return item === undefined || lookupCodes(code).includes(item.barcode) ? code : item.barcode
}
