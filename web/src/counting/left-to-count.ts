import { useMemo } from 'react'
import { useOutboxState, type CountScope } from './count-entries.ts'
import type { ListedComponent } from './count-list.ts'
import { skuOf } from './count-results.ts'
import { isHeldEntry } from './held-entries.ts'

export type LeftOptions = {
  components: readonly ListedComponent[]
  scope: CountScope
  isPending: (item: ListedComponent) => boolean
}

/** What is left to count and has no entry of this count that waits on this device. */
export function useLeftToCount({
  components,
  scope: { session },
  isPending,
}: LeftOptions): ListedComponent[] {
  const { jobs } = useOutboxState()
  return useMemo(() => {
    const entered = new Set(
      jobs
        .filter(isHeldEntry)
        .filter(({ group }) => group === session)
        .map(({ value }) => skuOf(value.barcode)),
    )
    return components.filter((item) => isPending(item) && !entered.has(skuOf(item.barcode)))
  }, [jobs, components, session, isPending])
}
