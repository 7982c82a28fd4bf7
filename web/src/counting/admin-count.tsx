import {
  listWithCountStatus,
  type CountableComponent,
  type CountReply,
} from '@inventory-manager/contract/counting/endpoints'
import { countMessages } from '@inventory-manager/contract/counting/messages'
import {
  deleteCycleCount,
  listCycleCounts,
  saveCycleCount,
  type CycleCount,
} from '@inventory-manager/contract/counting/record-endpoints'
import { getLocation, type LocationCode } from '@inventory-manager/contract/locations'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '../api/api-error.ts'
import { call } from '../api/client.ts'
import { newId } from '../lib/ids.ts'
import { formatNumber } from '../lib/numbers.ts'
import { report } from '../session/report.ts'
import { useLocatedSession } from '../session/session.ts'
import { Badge } from '../ui/badge.tsx'
import { Banner, type Tone } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Loading } from '../ui/loading.tsx'
import { Page } from '../ui/page.tsx'
import { VirtualList } from '../ui/virtual-list.tsx'
import { ActiveCount } from './active-count.tsx'
import type { CountResult } from './count-entries.ts'
import { useStatus } from './counting-session.ts'
import { ReadyToCount } from './ready-to-count.tsx'
import { ResetDialog } from './reset-dialog.tsx'

const words = { submit: 'Submit Count', reset: 'Reset Cycle Count', progress: 'Counted in this cycle' }
const previewRows = 5

/** The cycle of this month at a location (specification 3, 'Cycle count record'). */
function cycleId(location: LocationCode): string {
  return `Cycle_${new Date().toISOString().slice(0, 7)}_${location}`
}

/** The components with their stock, and this month's cycle, null before it is started. */
function useCycle(location: LocationCode) {
  const id = cycleId(location)
  const components = useQuery({
    queryKey: ['count-status', location],
    queryFn: ({ signal }) => call(listWithCountStatus, { body: { location } }, { signal }),
  })
  const cycle = useQuery({
    queryKey: ['cycle', location],
    queryFn: async ({ signal }) => {
      const { cycle_counts: records } = await call(
        listCycleCounts,
        { query: { location, user_type: 'admin' } },
        { signal },
      )
      return records.find((record) => record.id === id) ?? null
    },
  })
  return { components, cycle }
}

type RowProps = { item: CountableComponent; counted: unknown }

function Row({ item, counted }: RowProps) {
  return (
    <div className="flex min-h-16 items-center gap-3 px-4 py-2">
      <span className="min-w-0 flex-1">
        <span className="block truncate font-mono text-sm">{item.barcode}</span>
        <span className="block truncate text-sm text-muted">{item.description || 'No Description'}</span>
      </span>
      <span className="text-right text-sm tabular-nums">
        {typeof counted === 'number' ? (
          <>
            <Badge look="good">Counted {formatNumber(counted)}</Badge>
            <span className="mt-1 block text-xs text-muted">
              Latest: {item.last_counted_source ?? countMessages.notYetCounted}
            </span>
          </>
        ) : (
          <Badge>Expected {formatNumber(item.expected_quantity ?? 0)}</Badge>
        )}
      </span>
    </div>
  )
}

/** Pixels: two lines of text and their padding. */
const rowHeight = 68

function SkuList({
  components,
  progress,
}: {
  components: CountableComponent[]
  progress: Record<string, unknown>
}) {
  const [all, setAll] = useState(false)
  if (components.length === 0) return <EmptyState title="No components available" />
  return (
    <>
      {all ? (
        <VirtualList
          label="SKUs to count"
          items={components}
          keyOf={(item) => item.id}
          rowHeight={rowHeight}
          className="max-h-[70vh]"
        >
          {(item) => <Row item={item} counted={progress[item.barcode]} />}
        </VirtualList>
      ) : (
        <ul className="divide-y divide-line" aria-label="SKUs to count">
          {components.slice(0, previewRows).map((item) => (
            <li key={item.id}>
              <Row item={item} counted={progress[item.barcode]} />
            </li>
          ))}
        </ul>
      )}
      {components.length > previewRows && (
        <div className="border-t border-line p-3 text-center">
          <Button look="quiet" onClick={() => setAll(!all)}>
            {all ? 'Show Less' : `Show All ${formatNumber(components.length)} SKUs`}
          </Button>
        </div>
      )}
    </>
  )
}

/** What of the list the cycle holds. */
function countOf(components: CountableComponent[], progress: Record<string, unknown>): number {
  return components.filter(({ barcode }) => Object.hasOwn(progress, barcode)).length
}

/** The administrators' cycle count: expected quantities shown, progress kept in the cycle's record. */
export function AdminCount() {
  const { location } = useLocatedSession()
  const { components, cycle } = useCycle(location)
  const failure = components.error ?? cycle.error
  if (failure !== null) {
    return (
      <Page title={`Admin View, ${getLocation(location).name}`}>
        <Banner tone="bad">{countMessages.loadingProgress(messageOf(failure))}</Banner>
      </Page>
    )
  }
  if (components.data === undefined || cycle.data === undefined) {
    return <Loading label="Loading components..." />
  }
  return <Cycle items={components.data.components} cycle={cycle.data} />
}

/** Starting, saving and resetting this month's cycle of a location. */
function useCycleActions(location: LocationCode, say: (status: { tone: Tone; text: string }) => void) {
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

type CycleProps = { items: CountableComponent[]; cycle: CycleCount | null }

function Cycle({ items, cycle }: CycleProps) {
  const { location } = useLocatedSession()
  const place = getLocation(location)
  const client = useQueryClient()
  const { status, setStatus } = useStatus()
  const actions = useCycleActions(location, setStatus)
  const [resetting, setResetting] = useState(false)
  const progress = cycle?.progress ?? {}
  const counted = countOf(items, progress)

  function takeResult(result: CountResult, reply: CountReply | null): void {
    if (reply === null || !('progress' in reply) || reply.progress === undefined) return
    const barcode = reply.matched === true ? reply.component.barcode : result.barcode
    const now = { ...progress, [barcode]: result.quantity }
    const completed = countOf(items, now) === items.length
    client.setQueryData(['cycle', location], cycle && { ...cycle, progress: now, completed })
    if (result.verdict === 'matched') {
      setStatus({ tone: 'good', text: countMessages.counted(barcode, place.name) })
    }
    actions
      .save({ [barcode]: result.quantity }, completed)
      .catch((error: unknown) => setStatus({ tone: 'bad', text: countMessages.updating(messageOf(error)) }))
  }

  const list = (
    <Card title="SKUs to count" flush>
      <SkuList components={items} progress={progress} />
    </Card>
  )
  return (
    <Page title={`Admin View, ${place.name}`} subtitle="Expected quantities are shown; staff count blind.">
      {status !== null && <Banner tone={status.tone}>{status.text}</Banner>}
      {cycle?.completed === true && <Banner tone="good">This month’s cycle count is complete.</Banner>}
      {actions.active ? (
        <ActiveCount
          scope={{ location, session: actions.id, source: 'admin' }}
          list={{ components: items, counted, total: items.length }}
          words={words}
          refuse={() => null}
          onResult={takeResult}
          onProblem={(text) => setStatus({ tone: 'bad', text })}
          onReset={() => setResetting(true)}
        >
          {list}
        </ActiveCount>
      ) : (
        <>
          <ReadyToCount
            title="Ready to Count"
            total={items.length}
            counted={counted}
            countedWords="counted in this cycle"
            startLabel={cycle === null ? 'Start Admin View' : 'Resume Admin View'}
            onStart={() => void actions.start()}
          />
          {list}
        </>
      )}
      {resetting && (
        <ResetDialog
          title="Reset Cycle Count"
          consequence={`Clears ${formatNumber(counted)} counted SKUs of this cycle. Stock, history and audit trail stay as they are.`}
          onReset={() => {
            setResetting(false)
            actions.reset().catch(reportError)
          }}
          onClose={() => setResetting(false)}
        />
      )}
    </Page>
  )
}
