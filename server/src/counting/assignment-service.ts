import { isDueThisMonth, notDueThisMonth } from '@inventory-manager/contract/counting/assignment-rules'
import type { LocationCode } from '@inventory-manager/contract/locations'
import { findUser, getUser } from '../accounts/team-queries.ts'
import type { EventOf } from '../audit/events.ts'
import { recordAudit } from '../audit/queries.ts'
import type { Tx } from '../platform/db/database.ts'
import { AppError } from '../platform/http/app-error.ts'
import type { Actor } from '../platform/http/identity.ts'
import { requireLocation } from '../stock/service.ts'
import { findAssignment, removeAssignment, saveAssignment } from './assignment-queries.ts'

type Change = {
  event: EventOf<'count_assigned'>
  location: string
  user: { id: string; name: string }
  facts: { due_on: string; due_before?: string }
}

async function record(tx: Tx, actor: Actor, { event, location, user, facts }: Change): Promise<void> {
  await recordAudit(tx, actor, {
    kind: 'configuration',
    event,
    location,
    source: 'count_room',
    metadata: { type: 'config_change', user_id: user.id, name: user.name, ...facts },
  })
}

async function getActiveUser(tx: Tx, id: string) {
  const user = await findUser(tx, id)
  if (user?.active !== true) {
    throw new AppError('not_found', { sentence: 'There is no active user with this id.' })
  }
  return user
}

/**
 * Asks an active user to count a location by a day of the company's present month; says under which id. Nothing changes where they
 * are asked just that. Throws 'not_found', 'location_not_in_plan' and 'invalid_request'.
 */
export async function assignCounter(
  tx: Tx,
  actor: Actor,
  { location, userId, dueOn }: { location: LocationCode; userId: string; dueOn: string },
): Promise<string> {
  requireLocation(actor, location)
  const { today } = actor
  if (!isDueThisMonth(dueOn, today)) throw new AppError('invalid_request', { sentence: notDueThisMonth })
  const user = await getActiveUser(tx, userId)
  const asked = { location, userId, today }
  const before = await findAssignment(tx, asked)
  if (before?.due_on === dueOn) return before.id
  const id = await saveAssignment(tx, asked, { dueOn, createdBy: actor.userName })
  const facts = before === null ? { due_on: dueOn } : { due_on: dueOn, due_before: before.due_on }
  await record(tx, actor, { event: 'count_assigned', location, user, facts })
  return id
}

/** Takes back that somebody is asked to count; throws 'not_found'. */
export async function unassignCounter(tx: Tx, actor: Actor, id: string): Promise<void> {
  const removed = await removeAssignment(tx, id)
  if (removed === null) throw new AppError('not_found')
  const { location, due_on } = removed
  const user = await getUser(tx, removed.user_id)
  await record(tx, actor, { event: 'count_unassigned', location, user, facts: { due_on } })
}
