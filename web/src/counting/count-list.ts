import type { CountableComponent, CountReply } from '@inventory-manager/contract/counting/endpoints'
import type { CountResult } from './count-results.ts'

export type CountList = {
  components: CountableComponent[]
  counted: number
  total: number
  keptAt?: string | null
}

/** The list with the mark that a recorded count has set; unchanged for anything else. */
export function markCounted(
  list: CountList,
  { result, reply, source }: { result: CountResult; reply: CountReply; source: string },
): CountList {
  const progress = 'progress' in reply ? reply.progress : undefined
  if (progress === undefined) return list
  const barcode = reply.matched === true ? reply.component.barcode : result.barcode
  const marks = {
    counted: true,
    counted_at: result.timestamp,
    counted_source: source,
    last_counted_date: result.timestamp,
    last_counted_source: source,
  }
  const components = list.components.map((item) => (item.barcode === barcode ? { ...item, ...marks } : item))
  return { ...list, components, counted: progress.counted, total: progress.total }
}
