import type { LocationCode } from '@inventory-manager/contract/locations'
import { importComponents } from '@inventory-manager/contract/stock/endpoints'
import { useRef, useState } from 'react'
import { isRefusal } from '../api/api-error.ts'
import { call } from '../api/client.ts'
import { useOnce } from '../api/once.ts'
import { findComponent } from '../api/find-component.ts'
import type { TypedPlacement } from './placement-fields.tsx'
import { placeComponent } from './placing.ts'
import { readTypedCost, saveUnitCost } from './unit-cost.ts'

/** Why a barcode cannot be a new component's; null where it can. */
async function takenWords(barcode: string): Promise<string | null> {
  const found = await findComponent(barcode)
  if (found === null) return null
  const words = `This barcode belongs to ${found.barcode} already.`
  return found.retired === null ? words : `${words} It is retired: bring it back on its page.`
}

const existed = 'This barcode has become a component meanwhile.'

/** Imports one row where nothing has its barcode; answers why not, or null where it is a component now. */
export function useCreating(): (row: { barcode: string }) => Promise<string | null> {
  const once = useOnce()
  // What was sent and not answered may be there: it is sent again under its key, not taken for somebody else's.
  const unanswered = useRef<string | null>(null)
  return async (row) => {
    const asked = JSON.stringify(row)
    const taken = unanswered.current === asked ? null : await takenWords(row.barcode)
    if (taken !== null) return taken
    unanswered.current = asked
    try {
      const { created } = await once(row, (idempotencyKey) =>
        call(importComponents, { query: { existing: 'keep' }, body: [row] }, { idempotencyKey }),
      )
      return created === 1 ? null : existed
    } catch (error) {
      if (isRefusal(error)) unanswered.current = null
      throw error
    }
  }
}

/** What is said of a new component beside what it is, as it was typed. */
export type Rest = { placement: TypedPlacement; cost: string }

/** What of it is saved; null where an answer was lost, so that nobody knows. */
type SavedRest = { placement: TypedPlacement | null; cost: string | null }

export const nothingSaid: TypedPlacement = { bin: '', minimum: '' }

const isSame = (one: TypedPlacement, other: TypedPlacement | null) =>
  one.bin.trim() === other?.bin.trim() && one.minimum === other.minimum

/** Saves what is said of a new component once it was made, each part until it is saved, and knows what is left. */
export function useSavingRest(location: LocationCode) {
  const [saved, setSaved] = useState<SavedRest>({ placement: nothingSaid, cost: '' })
  const once = useOnce()

  async function place(barcode: string, placement: TypedPlacement): Promise<void> {
    const { bin, minimum } = placement
    const row = { barcode, bin, minimum: minimum === '' ? null : Number(minimum) }
    setSaved((now) => ({ ...now, placement: null }))
    await once({ location, ...row }, (idempotencyKey) => placeComponent(location, row, { idempotencyKey }))
    setSaved((now) => ({ ...now, placement }))
  }

  async function setCost(barcode: string, cost: string): Promise<void> {
    setSaved((now) => ({ ...now, cost: null }))
    const { cost: read } = readTypedCost(cost)
    await once({ barcode, cost: read }, (idempotencyKey) => saveUnitCost(barcode, read, { idempotencyKey }))
    setSaved((now) => ({ ...now, cost }))
  }

  return {
    /** The parts that are not saved, in words. */
    left: ({ placement, cost }: Rest): string[] => [
      ...(isSame(placement, saved.placement) ? [] : ['bin and minimum']),
      ...(cost === saved.cost ? [] : ['unit cost']),
    ],
    save: async (barcode: string, { placement, cost }: Rest): Promise<void> => {
      if (!isSame(placement, saved.placement)) await place(barcode, placement)
      if (cost !== saved.cost) await setCost(barcode, cost)
    },
  }
}
