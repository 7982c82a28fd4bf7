import type { CountableComponent, CountReply } from '@inventory-manager/contract/counting/endpoints'
import { lookupCodes } from '@inventory-manager/contract/stock/rules'
import { recordedBarcode } from './count-jobs.ts'
import type { CountResult } from './count-results.ts'

export type CountList = {
  components: CountableComponent[]
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

/** The list with the marks that recorded counts have set; unchanged for anything else. */
export function markCounted<L extends CountList>(
  list: L,
  { results, source }: { results: readonly TakenResult[]; source: string },
): L {
  const recorded = results.filter((taken) => progressOf(taken).length > 0)
  // Those that were on their way together may have been counted in another order: the furthest is the present one.
  const [latest] = recorded.flatMap(progressOf).toSorted((one, other) => other.counted - one.counted)
  if (latest === undefined) return list
  const times = new Map(
    recorded.map(({ result, reply }) => [recordedBarcode(reply, result.barcode), result.timestamp]),
  )
  const components = list.components.map((item) => {
    const time = times.get(item.barcode)
    if (time === undefined) return item
    return {
      ...item,
      counted: true,
      counted_at: time,
      counted_source: source,
      last_counted_date: time,
      last_counted_source: source,
    }
  })
  return { ...list, components, counted: latest.counted, total: latest.total }
}

/**
 * Finds components of a list by scanned code. Indexes once: what a count marks makes another list, but of the same
 * components in the same places.
 */
export function createFinder<T extends { barcode: string }>(): (
  list: readonly T[],
  code: string,
) => T | undefined {
  let indexed: readonly T[] = []
  let places = new Map<string, number>()

  function index(list: readonly T[]): void {
    const isSame =
      list.length === indexed.length &&
      list.every(({ barcode }, place) => indexed[place]?.barcode === barcode)
    if (!isSame) places = new Map(list.map(({ barcode }, place) => [barcode, place]))
    indexed = list
  }

  return (list, code) => {
    if (list !== indexed) index(list)
    for (const candidate of lookupCodes(code)) {
      const place = places.get(candidate)
      if (place !== undefined) return list[place]
    }
    return undefined
  }
}
