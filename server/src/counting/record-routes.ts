import { monthOf } from '@inventory-manager/contract/calendar'
import {
  deleteCycleCount,
  listCycleCounts,
  saveCycleCount,
  type CycleCount,
} from '@inventory-manager/contract/counting/record-endpoints'
import {
  deleteWeeklyCount,
  listWeeklyCounts,
  saveWeeklyCount,
  type WeeklyCount,
} from '@inventory-manager/contract/counting/weekly-record-endpoints'
import { roles, type Role } from '@inventory-manager/contract/roles'
import { readObject } from '../platform/db/json-object.ts'
import type { Binder } from '../platform/http/binder-types.ts'
import { listCycleRecords, listWeeklyRecords, type getCycleRecord } from './record-queries.ts'
import { deleteCycle, deleteWeekly, requireCycleOf, saveCycle, saveWeekly } from './record-service.ts'

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

function presentCycleRecord(row: Awaited<ReturnType<typeof getCycleRecord>>): CycleCount {
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

function weeklyRecordRoutes(bind: Binder): void {
  bind.member(listWeeklyCounts, async ({ tx, query }) => ({
    weekly_counts: (await listWeeklyRecords(tx, query)).map(presentWeeklyRecord),
  }))

  bind.member(saveWeeklyCount, async ({ tx, actor, body }) => ({
    success: true,
    weekly_count: presentWeeklyRecord(await saveWeekly(tx, actor, body)),
  }))

  bind.member(deleteWeeklyCount, async ({ tx, actor, params }) => {
    await deleteWeekly(tx, actor, params.id)
    return { success: true }
  })
}

function cycleRecordRoutes(bind: Binder): void {
  bind.written(listCycleCounts, async ({ tx, asking, query }) => {
    const actor = await asking
    if (query.user_type !== undefined) requireCycleOf(actor, query.user_type)
    const visible: Role[] = actor.role === 'admin' ? [...roles] : ['user']
    const userTypes = query.user_type === undefined ? visible : [query.user_type]
    const records = await listCycleRecords(tx, { ...query, userTypes })
    return `{"this_month":${JSON.stringify(monthOf(actor.today))},"cycle_counts":${records}}`
  })

  bind.member(saveCycleCount, async ({ tx, actor, body }) => ({
    success: true,
    cycle_count: presentCycleRecord(await saveCycle(tx, actor, body)),
  }))

  bind.member(deleteCycleCount, async ({ tx, actor, params }) => {
    await deleteCycle(tx, actor, params.id)
    return { success: true }
  })
}

/** The client's own records of weekly and cycle counts. */
export function recordRoutes(bind: Binder): void {
  weeklyRecordRoutes(bind)
  cycleRecordRoutes(bind)
}
