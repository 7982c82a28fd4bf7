import { sql } from 'kysely'
import type { Tx } from '../platform/db/database.ts'
import { onlyRow } from '../platform/db/only-row.ts'
import type { Mark, Trail } from '../platform/http/kept-replies.ts'
import { idBefore } from '../platform/db/time-ids.ts'
import { groupOf, type EventGroup } from './events.ts'

/** Of more, such as those of an hour of many people, whatever has changed is written anew. */
const mostEntries = 5000
const mostChanged = 500

/** What an event changes of the lists of components. */
const changesOf: Record<EventGroup, 'nothing' | 'its component' | 'anything'> = {
  counted: 'its component',
  differing: 'its component',
  taken_back: 'its component',
  noted: 'nothing',
  refused: 'nothing',
  written_down: 'anything',
  record_saved: 'nothing',
  record_deleted: 'nothing',
  marks_reset: 'anything',
  difference_decided: 'its component',
  recount_asked: 'its component',
  difference_reopened: 'its component',
  unknown_code_found: 'nothing',
  unknown_code_decided: 'anything',
  count_assigned: 'nothing',
  component_changed: 'its component',
  components_changed: 'anything',
  fallen_low: 'nothing',
  company_changed: 'anything',
  signed_in_or_out: 'nothing',
  labels_made: 'nothing',
  administered: 'nothing',
  brought_back: 'anything',
}

type Entry = { id: string; event: string; origin: string; sku: string }

/** What an entry tells of lists; what clients report has changed nothing. */
function toldBy({ event, origin }: Entry) {
  if (origin === 'client') return 'nothing'
  const group = groupOf(event)
  return group === undefined ? 'anything' : changesOf[group]
}

/** The barcodes of components that some entries tell of; null where they tell of more. */
function changedBy(entries: Entry[]): string[] | null {
  if (entries.some((entry) => toldBy(entry) === 'anything')) return null
  const changed = new Set(entries.filter((entry) => toldBy(entry) === 'its component').map(({ sku }) => sku))
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
    .select(['id', 'event', 'origin', 'sku'])
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
