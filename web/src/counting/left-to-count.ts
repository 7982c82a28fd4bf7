import { within } from '@inventory-manager/contract/stock/bins'
import { useMemo } from 'react'
import { codesInFields } from '../scanning/saved-form.ts'
import { byBin } from './component-index.ts'
import { useOutboxState, type CountScope } from './count-entries.ts'
import { findIn, type ListedComponent } from './count-list.ts'
import { countOutbox } from './count-outbox.ts'
import { skuOf } from './count-results.ts'
import { isHeldEntry, listWaiting } from './held-entries.ts'
import { useMyBins } from './assignments/my-bins.ts'

export type LeftOptions = {
  components: readonly ListedComponent[]
  scope: CountScope
  isPending: (item: ListedComponent) => boolean
}

/** What was scanned into the fields of a count: it is there, and its quantity is still to come. */
export function heldInFields(
  { session }: CountScope,
  components: readonly ListedComponent[],
): ReadonlySet<string> {
  return new Set(codesInFields(session).map((code) => findIn(components, code)?.barcode ?? code))
}

/** Those of some that are not in the fields by now, nor entered and on their way. */
export function stillAbsent(
  barcodes: readonly string[],
  scope: CountScope,
  components: readonly ListedComponent[],
) {
  const held = heldInFields(scope, components)
  const waiting = listWaiting(countOutbox().getState().jobs, scope.session)
  const entered = new Set(waiting.map(({ value }) => skuOf(value.barcode)))
  return barcodes.filter((barcode) => !held.has(barcode) && !entered.has(skuOf(barcode)))
}

/** What is left to count and has no entry of this count that waits on this device, from bin to bin: somebody goes there for it. */
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
    return byBin(components).filter((item) => isPending(item) && !entered.has(skuOf(item.barcode)))
  }, [jobs, components, session, isPending])
}

/** Which of what is left lies in the bins that whoever counts is asked to count; those are none where it is all, and on a day's list. */
export function useLeftOfMine({ source }: CountScope) {
  const { bins, isOnly } = useMyBins()
  const isMine = isOnly && source !== 'weekly'
  const isOfMine = within(bins)
  return {
    bins: isMine ? bins : [],
    ofMine: (items: readonly ListedComponent[]) =>
      isMine ? items.filter(({ bin = '' }) => isOfMine(bin)) : items,
  }
}
