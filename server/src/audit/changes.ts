import { sql } from 'kysely'
import type { Tx } from '../platform/db/database.ts'
import { onlyRow } from '../platform/db/only-row.ts'
import type { Mark, Trail } from '../platform/http/kept-replies.ts'
import { idBefore } from '../platform/history.ts'

/** Of more, such as those of an hour of many people, whatever has changed is written anew. */
const mostEntries = 5000
const mostChanged = 500

/** Kinds that tell of nothing in lists, and such events of others: a code that nobody knows, and what clients save of their counts. */
const besideLists = new Set<string>(['authentication', 'label_generation'])
const eventsBesideLists = new Set([
  'unknown_code_found',
  'weekly_count_saved',
  'weekly_count_deleted',
  'cycle_count_saved',
  'cycle_count_deleted',
])
/** Entries of the kind configuration that change one component, the one they name, and neither how many there are nor their order. */
const ofOneComponent = new Set([
  'barcode_added',
  'barcode_removed',
  'description_changed',
  'discrepancy_accepted',
  'discrepancy_dismissed',
  'discrepancy_reopened',
  'discrepancy_settled',
  'quantity_adjusted',
  'quantity_updated',
  'stock_moved',
  'transfer_cancelled',
  'transfer_received',
  'transfer_sent',
  'transfer_written_off',
])

type Entry = { id: string; kind: string; event: string; origin: string; sku: string }

/** What clients report has changed nothing. */
function tellsNothing({ kind, event, origin }: Entry): boolean {
  return origin === 'client' || besideLists.has(kind) || eventsBesideLists.has(event)
}

function mayChangeOthers({ kind, event }: Entry): boolean {
  return kind !== 'inventory_scan' && !ofOneComponent.has(event)
}

/** The barcodes of components that some entries tell of; null where they tell of more. */
function changedBy(entries: Entry[]): string[] | null {
  const told = entries.filter((entry) => !tellsNothing(entry))
  if (told.some(mayChangeOthers)) return null
  const changed = new Set(told.map(({ sku }) => sku))
  return changed.size > mostChanged ? null : [...changed]
}

/**
 * Other after every change of the company, whoever made it: each writes an entry in the same transaction. How many entries
 * there are tells it; the newest, too, should a backup have brought back as many others.
 */
async function stateOf(tx: Tx): Promise<string> {
  const { rows } = await sql<{ state: string }>`
    select trail_state(${tx.tenantId}::uuid, ${idBefore(1)}::uuid) as state
  `.execute(tx.db)
  return onlyRow(rows).state
}

/**
 * An id below which no entry will come: the first that was not settled yet when one was last sealed, or the newest entry, if it
 * is below that.
 */
async function settledBelow(tx: Tx): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    select least(
      coalesce(
        (select settled_below from audit_seals where tenant_id = ${tx.tenantId}::uuid order by seq desc limit 1),
        '00000000-0000-0000-0000-000000000000'
      ),
      (select id from audit_entries
       where tenant_id = ${tx.tenantId}::uuid and id >= ${idBefore(1)}::uuid
       order by id desc
       limit 1)
    ) as id
  `.execute(tx.db)
  return onlyRow(rows).id
}

async function entriesFrom(tx: Tx, from: string): Promise<Entry[]> {
  return await tx.db
    .selectFrom('audit_entries')
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '>=', from)
    .select(['id', 'kind', 'event', 'origin', 'sku'])
    .orderBy('id', 'desc')
    .limit(mostEntries + 1)
    .execute()
}

async function since(tx: Tx, mark: Mark | null) {
  const from = await settledBelow(tx)
  const entries = await entriesFrom(tx, mark === null || from < mark.from ? from : mark.from)
  const ids = new Set(entries.map(({ id }) => id))
  const now = { from, known: new Set([...ids].filter((id) => id >= from)) }
  // They are the newest: all from the mark on, as long as one of them is below it.
  const [oldest] = entries.slice(-1)
  if (entries.length > mostEntries) return { mark: (oldest?.id ?? from) < from ? now : null, changed: null }
  // An entry that is gone was written after the moment that a backup brought back.
  if (mark === null || [...mark.known].some((id) => !ids.has(id))) return { mark: now, changed: null }
  return { mark: now, changed: changedBy(entries.filter(({ id }) => !mark.known.has(id))) }
}

/** What the trail tells of lists: each change of a company is an entry, written in its transaction. */
export const changes: Trail = { stateOf, since }
