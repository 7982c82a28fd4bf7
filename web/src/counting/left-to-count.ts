import { within } from '@inventory-manager/contract/stock/bins'
import { useCallback, useMemo } from 'react'
import { codesInFields } from '../scanning/saved-form.ts'
import { byBin } from './component-index.ts'
import { useOutboxState, type CountScope } from './count-entries.ts'
import { findIn, type ListedComponent } from './count-list.ts'
import { countOutbox } from './count-outbox.ts'
import { skuOf } from './count-results.ts'
import { isHeldEntry, type HeldEntry } from './held-entries.ts'
import { useMyBins } from './assignments/my-bins.ts'
import { usePresent } from './present-period.ts'

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

/**
 * Whether an entry that this person's device holds, of whichever of their counts, says of a SKU of this one that it is there: what it
 * would mark in the present month or day if it were sent now.
 */
export function useIsOfCount({ location, session, source }: CountScope): (entry: HeldEntry) => boolean {
  const { calendar, present } = usePresent(source === 'weekly' ? 'day' : 'month')
  return useCallback(
    ({ group, value }: HeldEntry) => {
      if (group === session) return true
      const isSameMark = source === 'monthly' || (source === 'weekly' && value.source === 'weekly')
      return (
        isSameMark &&
        value.location === location &&
        calendar.nameAt(new Date(value.timestamp)) === present.name
      )
    },
    [location, session, source, calendar, present],
  )
}

const skusOf = (entries: readonly HeldEntry[]) => new Set(entries.map(({ value }) => skuOf(value.barcode)))

type NowOptions = {
  list: Pick<LeftOptions, 'components' | 'scope'>
  isOfCount: (entry: HeldEntry) => boolean
}

/** Those of some that are not in the fields by now, nor entered and on their way. */
export function stillAbsent(barcodes: readonly string[], { list, isOfCount }: NowOptions): string[] {
  const held = heldInFields(list.scope, list.components)
  const waiting = countOutbox()
    .getState()
    .jobs.filter(isHeldEntry)
    .filter(({ state }) => state === 'waiting')
  const entered = skusOf(waiting.filter(isOfCount))
  return barcodes.filter((barcode) => !held.has(barcode) && !entered.has(skuOf(barcode)))
}

/** What is left to count and has no entry of it that waits on this device, from bin to bin: somebody goes there for it. */
export function useLeftToCount({ components, scope, isPending }: LeftOptions): ListedComponent[] {
  const { jobs } = useOutboxState()
  const isOfCount = useIsOfCount(scope)
  return useMemo(() => {
    const entered = skusOf(jobs.filter(isHeldEntry).filter(isOfCount))
    return byBin(components).filter((item) => isPending(item) && !entered.has(skuOf(item.barcode)))
  }, [jobs, components, isOfCount, isPending])
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
