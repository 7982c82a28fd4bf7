import { isDeepStrictEqual } from 'node:util'
import {
  isDueThisMonth,
  notDueThisMonth,
} from '@inventory-manager/contract/counting/assignments/assignment-rules'
import type { LocationCode } from '@inventory-manager/contract/locations'
import { eachOnce } from '@inventory-manager/contract/stock/bin-names'
import { compareBins } from '@inventory-manager/contract/stock/bins'
import { getActiveUser, getUser } from '../../accounts/team-queries.ts'
import type { Tx } from '../../platform/db/database.ts'
import { AppError } from '../../platform/http/app-error.ts'
import { requireLocation, type Actor } from '../../platform/http/identity.ts'
import { recordAsking, type AssignmentFacts } from '../asking-record.ts'
import { findAssignment, removeAssignment, saveAssignment, type Order } from './assignment-queries.ts'

/** Of whoever counts all of a location no bins are told. */
function factsOf({ due_on, bins }: Order): AssignmentFacts {
  return bins.length === 0 ? { due_on } : { due_on, bins }
}

function isSame(one: Order, other: Order): boolean {
  return one.due_on === other.due_on && isDeepStrictEqual(one.bins, other.bins)
}

/** What somebody was asked before, where they were. */
function changeOf(before: Order | null, bins: readonly string[]): Partial<AssignmentFacts> {
  if (before === null) return {}
  const { due_on, bins: theirs } = before
  return { due_before: due_on, ...(isDeepStrictEqual(theirs, bins) ? {} : { bins_before: theirs }) }
}

type Asking = { location: LocationCode; userId: string; dueOn: string; bins: readonly string[] | undefined }

/**
 * Asks an active user to count a location, or some of its bins, by a day of the company's present month; says under which id. Nothing
 * changes where they are asked just that. Throws 'not_found', 'location_not_in_plan' and 'invalid_request'.
 */
export async function assignCounter(
  tx: Tx,
  actor: Actor,
  { location, userId, dueOn, bins: named }: Asking,
): Promise<string> {
  requireLocation(actor, location)
  const { today } = actor
  if (!isDueThisMonth(dueOn, today)) throw new AppError('invalid_request', { sentence: notDueThisMonth })
  const user = await getActiveUser(tx, userId)
  const asked = { location, userId, today }
  const before = await findAssignment(tx, asked)
  const bins = named === undefined ? (before?.bins ?? []) : eachOnce(named).toSorted(compareBins)
  if (before !== null && isSame(before, { due_on: dueOn, bins })) return before.id
  const id = await saveAssignment(tx, asked, { due_on: dueOn, bins, createdBy: actor.userName })
  const facts = { ...factsOf({ due_on: dueOn, bins }), ...changeOf(before, bins) }
  await recordAsking(tx, actor, { event: 'count_assigned', location, user, facts })
  return id
}

/** Takes back that somebody is asked to count; throws 'not_found'. */
export async function unassignCounter(tx: Tx, actor: Actor, id: string): Promise<void> {
  const removed = await removeAssignment(tx, id)
  if (removed === null) throw new AppError('not_found')
  const { location, due_on, bins } = removed
  const user = await getUser(tx, removed.user_id)
  await recordAsking(tx, actor, {
    event: 'count_unassigned',
    location,
    user,
    facts: factsOf({ due_on, bins }),
  })
}
