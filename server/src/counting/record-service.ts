import type { saveCycleCount } from '@inventory-manager/contract/counting/record-endpoints'
import type { saveWeeklyCount } from '@inventory-manager/contract/counting/weekly-record-endpoints'
import type { EndpointInput } from '@inventory-manager/contract/endpoint'
import type { Role } from '@inventory-manager/contract/roles'
import type { AuditEvent } from '../audit/events.ts'
import { recordAudit } from '../audit/queries.ts'
import { getMonthStart, lockTimeZone } from '../platform/db/calendar.ts'
import type { Tx } from '../platform/db/database.ts'
import { AppError } from '../platform/http/app-error.ts'
import { requireLocation, type Actor } from '../platform/http/identity.ts'
import { completeCycle } from '../stock/cycle-completion.ts'
import { lockStockOf } from '../stock/lock-stock.ts'
import {
  beginCycleRecord,
  deleteCycleRecord,
  deleteWeeklyRecord,
  dismissFirstEntries,
  getCycleRecord,
  listFirstEntries,
  lockAdminCycle,
  lockCycleRecords,
  saveCycleRecord,
  saveWeeklyRecord,
} from './record-queries.ts'

/** The admin cycle is for administrators only. */
export function requireCycleOf(actor: Actor, userType: Role): void {
  if (userType === 'admin' && actor.role !== 'admin') throw new AppError('forbidden')
}

type RecordEvent = {
  kind: 'weekly_count' | 'monthly_count'
  event: AuditEvent
  id: string
  location?: string
  completed?: boolean
}

async function recordEvent(tx: Tx, actor: Actor, recorded: RecordEvent): Promise<void> {
  const { kind, event, id, location, completed } = recorded
  await recordAudit(tx, actor, {
    kind,
    event,
    location: location ?? null,
    source: kind === 'weekly_count' ? 'weekly' : 'monthly',
    metadata: { id, ...(completed === true ? { completed } : {}) },
  })
}

/** Saves a weekly record and answers it as it is then. Throws 'record_full'. */
export async function saveWeekly(
  tx: Tx,
  actor: Actor,
  body: EndpointInput<typeof saveWeeklyCount>['body'],
): Promise<NonNullable<Awaited<ReturnType<typeof saveWeeklyRecord>>>> {
  requireLocation(actor, body.location)
  const record = await saveWeeklyRecord(tx, body)
  if (record === undefined) throw new AppError('record_full')
  const { id, location, completed } = body
  await recordEvent(tx, actor, { kind: 'weekly_count', event: 'weekly_count_saved', id, location, completed })
  return record
}

/** Deletes a weekly record; throws 'not_found' and 'location_not_in_plan'. */
export async function deleteWeekly(tx: Tx, actor: Actor, id: string): Promise<void> {
  const location = await deleteWeeklyRecord(tx, id)
  if (location === undefined) throw new AppError('not_found')
  requireLocation(actor, location)
  await recordEvent(tx, actor, { kind: 'weekly_count', event: 'weekly_count_deleted', id, location })
}

type CycleBody = EndpointInput<typeof saveCycleCount>['body']

/**
 * Locks the administrators' record, begun where there is none, so that also of those who save first one waits for the other;
 * says whether it is completed.
 */
async function lockOrBegin(
  tx: Tx,
  record: Parameters<typeof beginCycleRecord>[1],
): Promise<boolean | undefined> {
  const found = await lockAdminCycle(tx, record)
  if (found !== undefined) return found
  await beginCycleRecord(tx, record)
  return await lockAdminCycle(tx, record)
}

/** Saves a record; says whether that completes the administrators' cycle. Throws 'record_full'. */
async function saveAndComplete(tx: Tx, actor: Actor, body: CycleBody): Promise<boolean> {
  const isOfAdmin = body.user_type === 'admin'
  const { user_type: userType, start_date: startDate } = body
  const record = { ...body, userType, startDate, timeZone: actor.timeZone }
  const wasCompleted = isOfAdmin && (await lockOrBegin(tx, record)) === true
  if (!(await saveCycleRecord(tx, record))) throw new AppError('record_full')
  if (!isOfAdmin) return false
  // Where nothing is left to count the cycle is complete, whether or not a client is there to say so.
  return (body.completed && !wasCompleted) || (await completeCycle(tx, body.id))
}

/** Saves a cycle's record and answers it as it is then, or the part of it that was given. Throws 'forbidden' and 'record_full'. */
export async function saveCycle(
  tx: Tx,
  actor: Actor,
  body: CycleBody,
): Promise<Awaited<ReturnType<typeof getCycleRecord>>> {
  const { id, location, user_type: userType, reply } = body
  requireCycleOf(actor, userType)
  requireLocation(actor, location)
  const isCompletion = await saveAndComplete(tx, actor, body)
  await recordEvent(tx, actor, {
    kind: 'monthly_count',
    event: isCompletion ? 'admin_view_completed' : 'cycle_count_saved',
    id,
    location,
    completed: body.completed || isCompletion,
  })
  const keys = reply === 'given' ? Object.keys(body.progress) : null
  return await getCycleRecord(tx, { id, userType, keys })
}

/**
 * Deletes one's own kind of a cycle's record, or the only one there is. Throws 'not_found', 'forbidden' and
 * 'location_not_in_plan'.
 */
export async function deleteCycle(tx: Tx, actor: Actor, id: string): Promise<void> {
  const monthStart = await getMonthStart(tx, await lockTimeZone(tx))
  const firstEntries = await listFirstEntries(tx, { id, monthStart })
  // Before the record, as whoever takes a count back.
  await lockStockOf(tx, firstEntries)
  const records = await lockCycleRecords(tx, id)
  const record = records.find(({ user_type: kind }) => kind === actor.role) ?? records[0]
  if (record === undefined) throw new AppError('not_found')
  const { user_type: userType, location } = record
  requireCycleOf(actor, userType)
  requireLocation(actor, location)
  await deleteCycleRecord(tx, { id, userType })
  if (userType === 'admin') await dismissFirstEntries(tx, firstEntries)
  const event = userType === 'admin' ? 'admin_view_reset' : 'cycle_count_deleted'
  await recordEvent(tx, actor, { kind: 'monthly_count', event, id, location })
}
