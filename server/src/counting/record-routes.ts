import {
  deleteCycleCount,
  deleteWeeklyCount,
  listCycleCounts,
  listWeeklyCounts,
  saveCycleCount,
  saveWeeklyCount,
  type CycleCount,
  type WeeklyCount,
} from '@inventory-manager/contract/counting/record-endpoints'
import { roles, type Role } from '@inventory-manager/contract/roles'
import { recordAudit } from '../audit/queries.ts'
import { monthOf } from '../platform/db/calendar.ts'
import type { Tx } from '../platform/db/database.ts'
import { readObject } from '../platform/db/json-object.ts'
import { AppError } from '../platform/http/app-error.ts'
import type { Binder } from '../platform/http/binder.ts'
import type { Actor } from '../platform/http/identity.ts'
import { requireLocation } from '../stock/service.ts'
import {
  completeCycle,
  deleteCycleRecord,
  deleteWeeklyRecord,
  listCycleRecords,
  listWeeklyRecords,
  lockCycleRecords,
  saveCycleRecord,
  saveWeeklyRecord,
} from './record-queries.ts'

function presentWeeklyRecord(row: Awaited<ReturnType<typeof listWeeklyRecords>>[number]): WeeklyCount {
  const { id, day, location, completed } = row
  return {
    id,
    day,
    location,
    progress: readObject(row.progress),
    completed,
    last_updated: row.last_updated.toISOString(),
  }
}

function presentCycle(row: Awaited<ReturnType<typeof listCycleRecords>>[number]): CycleCount {
  const { id, location, user_type: userType, completed } = row
  return {
    id,
    location,
    user_type: userType,
    progress: readObject(row.progress),
    completed,
    start_date: row.start_date.toISOString(),
  }
}

/** The admin cycle is for administrators only. */
function requireCycle(actor: Actor, userType: Role): void {
  if (userType === 'admin' && actor.role !== 'admin') throw new AppError('forbidden')
}

type RecordEvent = {
  kind: 'weekly_count' | 'monthly_count'
  event: string
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

function weeklyRecordRoutes(bind: Binder): void {
  bind.member(listWeeklyCounts, async ({ tx, query }) => ({
    weekly_counts: (await listWeeklyRecords(tx, query)).map(presentWeeklyRecord),
  }))

  bind.member(saveWeeklyCount, async ({ tx, actor, body }) => {
    requireLocation(actor, body.location)
    const record = await saveWeeklyRecord(tx, body)
    if (record === undefined) throw new AppError('record_full')
    await recordEvent(tx, actor, {
      kind: 'weekly_count',
      event: 'weekly_count_saved',
      id: body.id,
      location: body.location,
      completed: body.completed,
    })
    return { success: true, weekly_count: presentWeeklyRecord(record) }
  })

  bind.member(deleteWeeklyCount, async ({ tx, actor, params }) => {
    if (!(await deleteWeeklyRecord(tx, params.id))) throw new AppError('not_found')
    await recordEvent(tx, actor, { kind: 'weekly_count', event: 'weekly_count_deleted', id: params.id })
    return { success: true }
  })
}

function cycleRecordRoutes(bind: Binder): void {
  bind.member(listCycleCounts, async ({ tx, actor, query }) => {
    if (query.user_type !== undefined) requireCycle(actor, query.user_type)
    const visible: Role[] = actor.role === 'admin' ? [...roles] : ['user']
    const userTypes = query.user_type === undefined ? visible : [query.user_type]
    const records = await listCycleRecords(tx, { ...query, userTypes })
    return { this_month: monthOf(actor.today), cycle_counts: records.map(presentCycle) }
  })

  bind.member(saveCycleCount, async ({ tx, actor, body }) => {
    requireCycle(actor, body.user_type)
    const isOfAdmin = body.user_type === 'admin'
    requireLocation(actor, body.location)
    const before = isOfAdmin ? await lockCycleRecords(tx, body.id) : []
    const record = await saveCycleRecord(tx, {
      ...body,
      userType: body.user_type,
      startDate: body.start_date,
    })
    if (record === undefined) throw new AppError('record_full')
    const wasCompleted = before.some((known) => known.user_type === 'admin' && known.completed)
    const isSaidComplete = isOfAdmin && body.completed && !wasCompleted
    // Where nothing is left to count the cycle is complete, whether or not a client is there to say so.
    const isCompletion = isSaidComplete || (isOfAdmin && (await completeCycle(tx, body.id)))
    const completed = body.completed || isCompletion
    await recordEvent(tx, actor, {
      kind: 'monthly_count',
      event: isCompletion ? 'admin_view_completed' : 'cycle_count_saved',
      id: body.id,
      location: body.location,
      completed,
    })
    return {
      success: true,
      cycle_count: presentCycle({ ...record, completed: record.completed || isCompletion }),
    }
  })

  bind.member(deleteCycleCount, async ({ tx, actor, params }) => {
    const records = await lockCycleRecords(tx, params.id)
    const kinds = records.map(({ user_type: kind }) => kind)
    const [only = actor.role] = kinds
    const userType = kinds.includes(actor.role) ? actor.role : only
    if (kinds.length === 0) throw new AppError('not_found')
    requireCycle(actor, userType)
    await deleteCycleRecord(tx, { id: params.id, userType })
    const event = userType === 'admin' ? 'admin_view_reset' : 'cycle_count_deleted'
    await recordEvent(tx, actor, { kind: 'monthly_count', event, id: params.id })
    return { success: true }
  })
}

/** The client's own records of weekly and cycle counts. */
export function recordRoutes(bind: Binder): void {
  weeklyRecordRoutes(bind)
  cycleRecordRoutes(bind)
}
