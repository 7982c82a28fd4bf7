import type { Discrepancy } from '@inventory-manager/contract/discrepancies/endpoints'
import type { RecountTask } from '@inventory-manager/contract/discrepancies/recount-endpoints'
import { causeInPacks } from '@inventory-manager/contract/discrepancies/pack-cause'
import {
  causeInRecords,
  causesInNumbers,
  type CauseInRecords,
} from '@inventory-manager/contract/discrepancies/rules'
import type { CauseRow } from './cause-queries.ts'
import type { listDiscrepancies, listRecounts } from './queries.ts'

function presentCause({ kind, facts: { at, ...facts } }: CauseRow): CauseInRecords {
  const timestamp = at === undefined ? {} : { timestamp: new Date(at).toISOString() }
  return causeInRecords.parse({ kind, ...facts, ...timestamp })
}

/** What is said beside differences. `packs`: by component, of how many pieces its packs are. */
type Beside = {
  causes: readonly CauseRow[]
  packs: ReadonlyMap<string, readonly number[]>
  notes: ReadonlyMap<string, string>
}

export function presentDiscrepancy(
  row: Awaited<ReturnType<typeof listDiscrepancies>>[number],
  { causes, packs, notes }: Beside,
): Discrepancy {
  const ofPacks = causeInPacks(row, packs.get(row.component_id) ?? [])
  return {
    id: row.id,
    sku: row.sku,
    description: row.description,
    location: row.location,
    count_type: row.count_type,
    status: row.status,
    expected: row.expected,
    counted: row.counted,
    difference: row.counted - row.expected,
    unit_cost: row.unit_cost,
    value: row.value,
    scanned_at: (row.scanned_at ?? row.created_at).toISOString(),
    stock_now: row.stock_now ?? 0,
    user_name: row.user_name,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    reason: row.reason,
    note: row.note,
    decided_by: row.decided_by,
    attempts: row.made.map(({ id, attempt, expected, counted, userName, at, takenBack }) => ({
      id,
      attempt,
      expected,
      counted,
      user_name: userName,
      timestamp: new Date(at).toISOString(),
      taken_back: takenBack,
      note: notes.get(id) ?? null,
    })),
    likely_causes: [
      ...causes.filter(({ id }) => id === row.id).map(presentCause),
      ...causesInNumbers(row.expected, row.counted),
    ],
    ...(ofPacks === null ? {} : { pack_cause: ofPacks }),
  }
}

export function presentRecount(row: Awaited<ReturnType<typeof listRecounts>>[number]): RecountTask {
  return {
    id: row.id,
    sku: row.sku,
    description: row.description,
    location: row.location,
    count_type: row.count_type,
    asked_by: row.decided_by ?? '',
    asked_at: row.updated_at.toISOString(),
  }
}
