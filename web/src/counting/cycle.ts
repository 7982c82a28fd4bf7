import { monthAfter } from '@inventory-manager/contract/calendar'
import { entryMessages } from '@inventory-manager/contract/counting/entry-messages'
import {
  deleteCycleCount,
  listCycleCounts,
  saveCycleCount,
  type CycleCount,
} from '@inventory-manager/contract/counting/record-endpoints'
import { cycleId } from '@inventory-manager/contract/counting/rules'
import type { EndpointReply } from '@inventory-manager/contract/endpoint'
import type { LocationCode } from '@inventory-manager/contract/locations'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { isNotFound, isPassing, messageOf } from '../api/api-error.ts'
import { call } from '../api/client.ts'
import { readOwner } from '../api/token.ts'
import { formKey, leaveFields } from '../scanning/saved-form.ts'
import { report } from '../session/report.ts'
import { useLocatedSession } from '../session/session.ts'
import { countListQuery } from './count-list-query.ts'
import { forgetResults, ownCount } from './count-results.ts'
import type { Say } from './counting-session.ts'
import { keptListQuery, useKeptList, type Kept } from './kept-list.tsx'
import { cycleLists } from './list-changes.ts'
import { usePresent } from './present-period.ts'
import type { ResetOptions } from './reset-dialog.tsx'

export type CycleList = Kept<EndpointReply<typeof listCycleCounts>>

/** The cycles of a location that are shown; without a network those that were kept. */
export function cycleQuery(location: LocationCode) {
  const list = keptListQuery(listCycleCounts, {
    name: `cycle ${location}`,
    // There is one for each month, and they are asked for again with each count: the newest will do.
    input: { query: { location, user_type: 'admin', limit: '5' } },
  })
  return queryOptions({
    ...list,
    queryKey: [listCycleCounts.path, location],
    queryFn: (context) =>
      cycleLists.load(context, async () => {
        const reply = await list.queryFn(context)
        // A record has thousands of counts; a count may go on after the end of its month.
        const ids = [reply.this_month, monthAfter(reply.this_month, -1)].map((month) =>
          cycleId(month, location),
        )
        return { ...reply, cycle_counts: reply.cycle_counts.filter(({ id }) => ids.includes(id)) }
      }),
  })
}

type Cycles = Pick<CycleList, 'cycle_counts'>

/** The list with a record in place of the one its cycle had. */
function withCycle<L extends Cycles>(list: L, record: CycleCount): L {
  return { ...list, cycle_counts: [record, ...list.cycle_counts.filter(({ id }) => id !== record.id)] }
}

/** The list with what was counted in a cycle of it. */
export function withCounts<L extends Cycles>(
  list: L,
  { id, progress }: Pick<CycleCount, 'id' | 'progress'>,
): L {
  const known = list.cycle_counts.find((record) => record.id === id)
  return known === undefined
    ? list
    : withCycle(list, { ...known, progress: { ...known.progress, ...progress } })
}

/** The components with their stock, and this month's cycle. */
export function useCycle(location: LocationCode) {
  return {
    components: useKeptList(countListQuery(location, 'admin')),
    cycles: useKeptList(cycleQuery(location)),
  }
}

/** How old a list may be by which a cycle starts without asking for a newer one. */
const sameMonthMs = 60_000

type Present = ReturnType<typeof usePresent>

/** The month that a list names as this one; where that is over, and no newer list came, the present one of the company's calendar. */
function monthOf({ this_month: named, loadedAt }: CycleList, { calendar, present }: Present): string {
  return calendar.nameAt(new Date(loadedAt)) === present.name ? named : present.name
}

/** One that is not there any more was reset already, by a try whose answer was lost or by somebody else. */
async function reset(id: string, options: ResetOptions): Promise<void> {
  try {
    await call(deleteCycleCount, { params: { id } }, options)
  } catch (failure) {
    if (!isNotFound(failure)) throw failure
  }
}

/** Starting and clearing a cycle: this month's, or the one started here, also after its month's end. */
export function useCycleActions(list: CycleList, say: Say) {
  const { user, location } = useLocatedSession()
  const client = useQueryClient()
  /** The month of the cycle that was started here. */
  const [started, setStarted] = useState<string | null>(null)
  const now = usePresent('month')
  const thisMonth = monthOf(list, now)
  const month = started ?? thisMonth
  const id = cycleId(month, location)
  const query = cycleQuery(location)

  /** Makes the record of a cycle. Without a network the first count that is sent makes it. */
  async function open(opened: string): Promise<void> {
    const body = { id: opened, location, user_type: 'admin', completed: false, progress: {} } as const
    try {
      const { cycle_count: saved } = await call(saveCycleCount, { body }, { timeoutMs: 5_000 })
      cycleLists.change(client, query.queryKey, (shown) => withCycle(shown, saved))
    } catch (failure) {
      if (!isPassing(failure)) throw failure
    }
  }

  async function start(): Promise<void> {
    if (user.tenantId === '') {
      say({ tone: 'bad', text: entryMessages.adminAuthentication })
      return
    }
    try {
      const newest = await client.fetchQuery({ ...query, staleTime: sameMonthMs })
      const starting = monthOf(newest, { ...now, present: now.calendar.present() })
      await open(cycleId(starting, location))
      const before = cycleId(monthAfter(starting, -1), location)
      leaveFields({ from: before, to: cycleId(starting, location) }, readOwner())
      setStarted(starting)
      const event = { sku: 'CYCLE_COUNT_ADMIN_VIEW_STARTED', location }
      report({ ...event, metadata: { event_type: 'admin_view_started' } }).catch(reportError)
    } catch (failure) {
      say({ tone: 'bad', text: entryMessages.startingAdminView(messageOf(failure)) })
    }
  }

  async function clear(options: ResetOptions): Promise<void> {
    await reset(id, options)
    setStarted(null)
    // It begins anew under the same name.
    const count = ownCount(id)
    sessionStorage.removeItem(formKey(id, count.owner))
    forgetResults(count)
    cycleLists.change(client, query.queryKey, (shown) => ({
      ...shown,
      cycle_counts: shown.cycle_counts.filter((record) => record.id !== id),
    }))
    // Others may have begun it anew since a first try.
    client.invalidateQueries({ queryKey: query.queryKey }).catch(reportError)
  }

  return {
    id,
    month,
    isPast: month !== thisMonth,
    active: started !== null,
    start,
    finish: () => setStarted(null),
    clear,
  }
}
