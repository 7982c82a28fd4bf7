import type { Discrepancy } from '@inventory-manager/contract/discrepancies/endpoints'
import { useState } from 'react'

const undecided: readonly Discrepancy['status'][] = ['attempted', 'open', 'recount']

export function isUndecided({ status }: Discrepancy): boolean {
  return undecided.includes(status)
}

/** Only a recorded count can be accepted: after a first entry the SKU still waits for its second. */
export function isAcceptable({ status }: Discrepancy): boolean {
  return status === 'open'
}

const scannedAt = ({ attempts, created_at: createdAt }: Discrepancy): string =>
  attempts.reduce(
    (last, { timestamp }) => (timestamp > last ? timestamp : last),
    attempts[0]?.timestamp ?? createdAt,
  )

/**
 * Of each SKU at a location the difference that was scanned last, in the order given: with it the others are settled
 * (docs/decisions/019).
 */
export function newestOfEach(items: readonly Discrepancy[]): Discrepancy[] {
  const newest = new Map<string, Discrepancy>()
  for (const item of items) {
    const place = JSON.stringify([item.sku, item.location])
    const known = newest.get(place)
    if (known === undefined || scannedAt(item) > scannedAt(known)) newest.set(place, item)
  }
  const ids = new Set([...newest.values()].map(({ id }) => id))
  return items.filter(({ id }) => ids.has(id))
}

type Position = { id: string | null; byKeys: boolean }

/** Which differences are chosen, and which one the keys act on; both stay when the list changes around them. */
export function useChoice(items: readonly Discrepancy[]) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const [position, setPosition] = useState<Position>({ id: null, byKeys: false })
  const decidable = items.filter(isUndecided)
  const chosen = decidable.filter(({ id }) => ids.has(id))
  const positionIndex = items.findIndex(({ id }) => id === position.id)
  const active = position.byKeys ? items[positionIndex] : undefined

  return {
    chosen,
    /** How many there are to choose from. */
    decidable: decidable.length,
    /** The row the keys stand on; none while a pointer chooses, which acts on what it has chosen alone. */
    active,
    isChosen: (id: string) => ids.has(id),
    /** What a decision is about: what is chosen, or else the row the keys stand on. */
    targets: chosen.length > 0 ? chosen : decidable.filter(({ id }) => id === active?.id),
    toggle(id: string) {
      const next = new Set(ids)
      if (!next.delete(id)) next.add(id)
      setIds(next)
    },
    chooseAll: () => setIds(new Set(decidable.map(({ id }) => id))),
    clear: () => setIds(new Set()),
    /** A row has the focus: by the keys, or by a pointer, from where the keys go on. */
    stand: (id: string, byKeys: boolean) => setPosition({ id, byKeys }),
    move(steps: number) {
      const index = positionIndex === -1 ? 0 : positionIndex + steps
      const id = items[Math.max(0, Math.min(items.length - 1, index))]?.id ?? null
      setPosition({ id, byKeys: true })
    },
  }
}

export type Choice = ReturnType<typeof useChoice>
