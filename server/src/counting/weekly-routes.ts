import {
  highVolumeForDay,
  resetWeeklyDay,
  type WeeklyComponent,
} from '@inventory-manager/contract/counting/endpoints'
import type { Role } from '@inventory-manager/contract/roles'
import type { Binder } from '../platform/http/binder-types.ts'
import { requireLocation } from '../platform/http/identity.ts'
import { resetDay } from './reset-service.ts'
import { listOfDay, type Listed } from './weekly-list.ts'

/** Administrators see everything; staff nothing that tells them what to count. */
function presentWeekly({ whole, countable, aliases, packs, bin }: Listed, role: Role): WeeklyComponent {
  const { high_volume_config: _, ...blind } = countable
  const known = {
    ...(aliases.length === 0 ? {} : { aliases }),
    ...(packs.length === 0 ? {} : { packs }),
    ...(bin === '' ? {} : { bin }),
  }
  const weekly = { ...blind, ...known, counted_today: countable.counted }
  return role === 'admin' ? { ...whole, ...weekly } : weekly
}

export function weeklyRoutes(bind: Binder): void {
  bind.member(highVolumeForDay, async ({ tx, actor, body }) => {
    requireLocation(actor, body.location)
    const listed = await listOfDay(tx, actor, body)
    return { components: listed.map((one) => presentWeekly(one, actor.role)) }
  })

  bind.member(resetWeeklyDay, async ({ tx, actor, body }) => ({
    success: true,
    reset: await resetDay(tx, actor, body),
  }))
}
