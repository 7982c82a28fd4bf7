import type {
  ComponentToCount,
  CountReply,
  WeeklyComponent,
} from '@inventory-manager/contract/counting/endpoints'
import { lookupCodes } from '@inventory-manager/contract/stock/rules'
import { placesOf, withChanged } from './component-index.ts'
import { recordedBarcode } from './count-jobs.ts'
import type { CountResult } from './count-results.ts'

/** What is to be counted, in a month's list or a day's. */
export type ListedComponent = ComponentToCount &
  Partial<Pick<WeeklyComponent, 'last_counted_date' | 'high_volume_config'>>

export type CountList = {
  components: readonly ListedComponent[]
  counted: number
  total: number
  keptAt?: string | null
}

/** What came of one entry, and the server's reply where it gave one. */
export type TakenResult = { result: CountResult; reply: CountReply | null }

type Progress = { counted: number; total: number }

function progressOf({ reply }: TakenResult): Progress[] {
  return reply !== null && 'progress' in reply && reply.progress !== undefined ? [reply.progress] : []
}

/** The component with the mark that a count sets. */
export function withMark<T extends ListedComponent>(item: T, { at, source }: { at: string; source: string }) {
  return { ...item, counted: true, counted_at: at, counted_source: source, last_counted_date: at }
}

type Taken = { results: readonly TakenResult[]; source: string }

/** The list with the marks that recorded counts have set; unchanged for anything else. */
export function withMarks<L extends Pick<CountList, 'components'>>(list: L, { results, source }: Taken): L {
  const recorded = results.filter((taken) => progressOf(taken).length > 0)
  const times = new Map(
    recorded.flatMap(({ result, reply }) => {
      const barcode = recordedBarcode(reply, result.barcode)
      return barcode === null ? [] : [[barcode, result.timestamp] as const]
    }),
  )
  const components = withChanged(list.components, times.keys(), (item) => {
    const at = times.get(item.barcode)
    return at === undefined ? item : withMark(item, { at, source })
  })
  return components === list.components ? list : { ...list, components }
}

/** The list with the marks and the progress of recorded counts; unchanged for anything else. */
export function markCounted<L extends CountList>(list: L, taken: Taken): L {
  // Those that were on their way together may have been counted in another order: the furthest is the present one.
  const [latest] = taken.results.flatMap(progressOf).toSorted((one, other) => other.counted - one.counted)
  if (latest === undefined) return list
  return { ...withMarks(list, taken), counted: latest.counted, total: latest.total }
}

/** How many of a list are marked as counted. */
export function countedOf(components: readonly ListedComponent[]): number {
  return components.filter(({ counted }) => counted === true).length
}

/** The component of a list that a scanned code means. */
export function findIn<T extends { barcode: string }>(list: readonly T[], code: string): T | undefined {
  const places = placesOf(list)
  for (const candidate of lookupCodes(code)) {
    const place = places.get(candidate)
    if (place !== undefined) return list[place]
  }
  return undefined
}
