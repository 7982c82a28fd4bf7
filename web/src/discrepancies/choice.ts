import type { Discrepancy } from '@inventory-manager/contract/discrepancies/endpoints'
import { undecidedStatuses } from '@inventory-manager/contract/discrepancies/rules'
import { useState } from 'react'

const undecided: readonly Discrepancy['status'][] = undecidedStatuses

export function isUndecided({ status }: Discrepancy): boolean {
  return undecided.includes(status)
}

/** Only a recorded count can be accepted: after a first entry the SKU still waits for its second. */
export function isAcceptable({ status }: Discrepancy): boolean {
  return status === 'open'
}

const placeOf = ({ sku, location }: Discrepancy) => JSON.stringify([sku, location])

/** Whether one was scanned after the other; of two of one moment the one that was made later, as the server takes it. */
function isNewer(one: Discrepancy, other: Discrepancy): boolean {
  if (one.scanned_at === other.scanned_at) return one.id > other.id
  return one.scanned_at > other.scanned_at
}

/**
 * Of each SKU at a location the difference that was scanned last, in the order given: with it the others are settled
 * (docs/decisions/019).
 */
export function newestOfEach(items: readonly Discrepancy[]): Discrepancy[] {
  const newest = new Map<string, Discrepancy>()
  for (const item of items) {
    const place = placeOf(item)
    const known = newest.get(place)
    if (known === undefined || isNewer(item, known)) newest.set(place, item)
  }
  const ids = new Set([...newest.values()].map(({ id }) => id))
  return items.filter(({ id }) => ids.has(id))
}

/** How many others of the same SKUs and locations are settled with differences that are accepted. */
export function countSettled(items: readonly Discrepancy[], accepted: readonly Discrepancy[]): number {
  const places = new Set(accepted.map(placeOf))
  return items.filter((item) => places.has(placeOf(item))).length - accepted.length
}

/** Parts of so many at most; those of one SKU at a location stay together, because one decision books one of them. */
export function inParts(items: readonly Discrepancy[], most: number): Discrepancy[][] {
  const places = new Map<string, Discrepancy[]>()
  for (const item of items) {
    const place = placeOf(item)
    places.set(place, [...(places.get(place) ?? []), item])
  }
  const parts: Discrepancy[][] = []
  for (const together of places.values()) {
    const last = parts.at(-1)
    if (last === undefined || last.length + together.length > most) parts.push([...together])
    else last.push(...together)
  }
  return parts
}

type Position = { id: string | null; index: number; byKeys: boolean }

/**
 * Which differences are chosen, and which one the keys act on; both stay when the list changes around them.
 * `onAimed` is told when somebody chooses others, or goes to another by the keys.
 */
export function useChoice(items: readonly Discrepancy[], onAimed: () => void) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const [position, setPosition] = useState<Position>({ id: null, index: 0, byKeys: false })
  const decidable = items.filter(isUndecided)
  const chosen = decidable.filter(({ id }) => ids.has(id))
  const positionIndex = items.findIndex(({ id }) => id === position.id)
  const active = position.byKeys ? items[positionIndex] : undefined

  function choose(next: ReadonlySet<string>): void {
    setIds(next)
    onAimed()
  }

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
      choose(next)
    },
    chooseAll: () => choose(new Set(decidable.map(({ id }) => id))),
    clear: () => choose(new Set()),
    /** Takes these out of the choice; what was chosen meanwhile stays. */
    unchoose(decided: readonly Discrepancy[]) {
      const left = new Set(decided.map(({ id }) => id))
      setIds((now) => new Set([...now].filter((id) => !left.has(id))))
    },
    /** A row has the focus: by the keys, or by a pointer, from where the keys go on. */
    stand: (id: string, byKeys: boolean) =>
      setPosition({ id, index: items.findIndex((item) => item.id === id), byKeys }),
    move(steps: number) {
      // Where the row is gone, since it was decided, the next one has its place.
      const before = positionIndex === -1 ? position.index - (steps > 0 ? 1 : 0) : positionIndex
      const index = Math.max(0, Math.min(items.length - 1, before + steps))
      setPosition({ id: items[index]?.id ?? null, index, byKeys: true })
      onAimed()
    },
  }
}

export type Choice = ReturnType<typeof useChoice>
