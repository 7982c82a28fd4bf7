import { countMessages } from '@inventory-manager/contract/counting/messages'
import {
  deleteCycleCount,
  listCycleCounts,
  saveCycleCount,
} from '@inventory-manager/contract/counting/record-endpoints'
import { getLocation, type LocationCode } from '@inventory-manager/contract/locations'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '../api/api-error.ts'
import { call } from '../api/client.ts'
import { newId } from '../lib/ids.ts'
import { report } from '../session/report.ts'
import { useLocatedSession } from '../session/session.ts'
import type { Tone } from '../ui/banner.tsx'
import { countListQuery } from './count-list-query.ts'
import { loadKept } from './kept-list.tsx'

/** The cycle of this month at a location (specification 3, 'Cycle count record'). */
function cycleId(location: LocationCode): string {
  return `Cycle_${new Date().toISOString().slice(0, 7)}_${location}`
}

/** The components with their stock, and this month's cycle, null before it is started. */
export function useCycle(location: LocationCode) {
  const id = cycleId(location)
  const components = useQuery(countListQuery(location, 'admin'))
  const cycle = useQuery({
    queryKey: ['cycle', location],
    queryFn: async ({ signal }) => {
      const { cycle_counts: records } = await loadKept(listCycleCounts, {
        name: `cycle ${location}`,
        input: { query: { location, user_type: 'admin' } },
        signal,
      })
      return records.find((record) => record.id === id) ?? null
    },
  })
  return { components, cycle }
}

/** Starting, saving and resetting this month's cycle of a location. */
export function useCycleActions(location: LocationCode, say: (status: { tone: Tone; text: string }) => void) {
  const { user } = useLocatedSession()
  const client = useQueryClient()
  const id = cycleId(location)
  const [active, setActive] = useState(false)

  async function save(progress: Record<string, unknown>, completed: boolean): Promise<void> {
    const body = { id, location, user_type: 'admin', progress, completed } as const
    const { cycle_count: saved } = await call(saveCycleCount, { body }, { idempotencyKey: newId() })
    client.setQueryData(['cycle', location], saved)
  }

  async function start(): Promise<void> {
    if (user.tenantId === '') {
      say({ tone: 'bad', text: countMessages.adminAuthentication })
      return
    }
    try {
      await save({}, false)
      setActive(true)
      const event = { sku: 'CYCLE_COUNT_ADMIN_VIEW_STARTED', location }
      report({ ...event, metadata: { event_type: 'admin_view_started' } }).catch(reportError)
    } catch (failure) {
      say({ tone: 'bad', text: countMessages.startingAdminView(messageOf(failure)) })
    }
  }

  async function reset(): Promise<void> {
    try {
      await call(deleteCycleCount, { params: { id } }, { idempotencyKey: newId() })
      setActive(false)
      client.setQueryData(['cycle', location], null)
      say({ tone: 'good', text: countMessages.reset(getLocation(location).name) })
    } catch (failure) {
      say({ tone: 'bad', text: countMessages.resettingCycle(messageOf(failure)) })
    }
  }

  return { id, active, save, start, reset }
}
