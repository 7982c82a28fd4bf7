import { auditKinds, kindsMatching } from '@inventory-manager/contract/audit/rules'
import { countEntryNames } from '@inventory-manager/contract/counting/entries'
import { isAsDecided } from '@inventory-manager/contract/discrepancies/rules'
import { causeName } from '@inventory-manager/contract/stock/movement-causes'
import { mapAccounts } from '../audit/accounts.ts'
import type { Tx } from '../platform/db/database.ts'
import { countEntryOf } from '../stock/count-entry.ts'
import { mapNotesOfCounts } from '../stock/count-notes.ts'
import { mapTakenBack } from '../stock/taken-back-queries.ts'
import {
  listAudit,
  listCounts,
  listDiscrepancies,
  listMovements,
  type Cursor,
  type DiscrepancyFilter,
  type ListFilter,
} from './queries.ts'
import type { PlaceName } from './place-name.ts'
import type { Cell } from './table.ts'
import { mapDifferenceWorth, mapMovementWorth, type Worth } from './worth-queries.ts'

/** A page of a list as cells, which may be none, and where the next one begins; null after the last. */
export type Page = { rows: Cell[][]; next: Cursor | null }

/** A list that can be exported: its name, the day that it is of if it is of one, its heads, and how its pages are read. */
export type List = {
  name: string
  day?: string
  heads: readonly string[]
  read: (tx: Tx, cursor: Cursor | null) => Promise<Page>
}

/** A page of cells, from rows that were read. */
export function page<T>({ rows, next }: { rows: T[]; next: Cursor | null }, cells: (row: T) => Cell[]): Page {
  return { rows: rows.map(cells), next }
}

/** A moment as files say it. */
export const time = (at: Date | null) => at?.toISOString() ?? null

/** The last columns of a list that tells what its rows are worth, in a currency. */
export function worthHeads(currency: string): string[] {
  return [`Unit cost (${currency})`, `Value (${currency})`]
}

/** Empty where no cost is said. */
export function worthCells(worth: ReadonlyMap<string, Worth>, { id }: { id: string }): Cell[] {
  const { unitCost = null, value = null } = worth.get(id) ?? {}
  return [unitCost, value]
}

/** By which account something was done; empty where nobody was signed in. */
function accountCell(
  accounts: ReadonlyMap<string, string>,
  { user_id: id }: { user_id: string | null },
): Cell {
  return accounts.get(id ?? '') ?? null
}

export function countList(filter: ListFilter, nameOf: PlaceName): List {
  return {
    name: 'counts',
    heads: [
      'Time (UTC)',
      'SKU',
      'Location',
      'Quantity',
      'Type',
      'Session',
      'User',
      'Role',
      'Entry',
      'Note',
      'Account',
      'Taken back (UTC)',
      'Number',
    ],
    read: async (tx, cursor) => {
      const found = await listCounts(tx, { ...filter, cursor })
      const notes = await mapNotesOfCounts(tx, found.rows)
      const accounts = await mapAccounts(tx, found.rows)
      const takenBack = await mapTakenBack(tx, found.rows)
      return page(found, (row) => [
        time(row.counted_at),
        row.sku,
        nameOf(row.location),
        row.quantity,
        row.count_type,
        row.count_session,
        row.user_name,
        row.user_type,
        countEntryNames[countEntryOf(row)],
        notes.get(row.id) ?? null,
        accountCell(accounts, row),
        time(takenBack.get(row.id) ?? null),
        row.id,
      ])
    },
  }
}

/** `currency`: in which is told what was moved is worth. */
export function movementList(
  filter: ListFilter,
  { currency, nameOf }: { currency: string; nameOf: PlaceName },
): List {
  return {
    name: 'movements',
    heads: [
      'Time (UTC)',
      'SKU',
      'Location',
      'Change',
      'Stock after',
      'Cause',
      'Note',
      'User',
      'Account',
      'Description',
      ...worthHeads(currency),
      'Number',
    ],
    read: async (tx, cursor) => {
      const found = await listMovements(tx, { ...filter, cursor })
      const accounts = await mapAccounts(tx, found.rows)
      const worth = await mapMovementWorth(tx, found.rows)
      return page(found, (row) => [
        time(row.created_at),
        row.sku,
        nameOf(row.location),
        row.delta,
        row.quantity_after,
        causeName(row.cause),
        row.note,
        row.user_name,
        accountCell(accounts, row),
        row.description,
        ...worthCells(worth, row),
        row.id,
      ])
    },
  }
}

const discrepancyHeads = [
  'First counted (UTC)',
  'Last change (UTC)',
  'SKU',
  'Description',
  'Location',
  'Type',
  'Status',
  'Expected',
  'Counted',
  'Difference',
  'Attempts',
  'User',
  'Reason',
  'Note',
  'Decided by',
]

/** `currency`: in which is told what differences are worth. */
export function discrepancyList(
  filter: DiscrepancyFilter,
  { currency, nameOf }: { currency: string; nameOf: PlaceName },
): List {
  return {
    name: 'discrepancies',
    heads: [...discrepancyHeads, ...worthHeads(currency)],
    read: async (tx, cursor) => {
      const found = await listDiscrepancies(tx, { ...filter, cursor })
      const worth = await mapDifferenceWorth(tx, found.rows)
      return page(found, (row) => [
        time(row.first_counted_at),
        time(row.updated_at),
        row.sku,
        row.description,
        nameOf(row.location),
        row.count_type,
        row.status,
        row.expected,
        row.counted,
        row.counted - row.expected,
        row.attempts,
        row.user_name,
        row.reason,
        row.note,
        isAsDecided(row) ? row.decided_by : null,
        ...worthCells(worth, row),
      ])
    },
  }
}

type AuditFilter = ListFilter & {
  action?: string | undefined
  user?: string | undefined
  id?: string | undefined
}

export function auditList({ action, ...filter }: AuditFilter, nameOf: PlaceName): List {
  const kinds = action === undefined || action === '' ? undefined : kindsMatching(action)
  return {
    name: 'audit-trail',
    heads: [
      'Time (UTC)',
      'Action',
      'Event',
      'SKU',
      'Quantity',
      'Location',
      'Source',
      'User',
      'Role',
      'Said by',
      'Details',
      'Account',
      'Number',
    ],
    read: async (tx, cursor) => {
      const found = await listAudit(tx, { ...filter, kinds, cursor })
      const accounts = await mapAccounts(tx, found.rows)
      return page(found, (row) => [
        time(row.created_at),
        auditKinds[row.kind].label,
        row.event,
        row.sku,
        row.quantity,
        row.location === null ? null : nameOf(row.location),
        row.source,
        row.user_name,
        row.user_type,
        row.origin,
        JSON.stringify(row.metadata),
        accountCell(accounts, row),
        row.id,
      ])
    },
  }
}
