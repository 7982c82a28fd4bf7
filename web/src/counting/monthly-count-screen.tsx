import {
  listWithCountStatus,
  resetCounts,
  type CountableComponent,
  type CountReply,
} from '@inventory-manager/contract/counting/endpoints'
import type { EndpointReply } from '@inventory-manager/contract/endpoint'
import { countMessages } from '@inventory-manager/contract/counting/messages'
import { countingSessionId } from '@inventory-manager/contract/counting/rules'
import { getLocation, type LocationCode } from '@inventory-manager/contract/locations'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { messageOf } from '../api/api-error.ts'
import { call } from '../api/client.ts'
import { newId } from '../lib/ids.ts'
import { formatNumber } from '../lib/numbers.ts'
import { report } from '../session/report.ts'
import { useLocatedSession } from '../session/session.ts'
import { Banner, type Tone } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Loading } from '../ui/loading.tsx'
import { Page } from '../ui/page.tsx'
import { ActiveCount } from './active-count.tsx'
import { ComponentList } from './component-list.tsx'
import type { CountResult } from './count-entries.ts'
import { HistoryDialog } from './history-dialog.tsx'

type CountList = EndpointReply<typeof listWithCountStatus>
type Status = { tone: Tone; text: string } | null

const statusMs = 3_000
const startedKey = (location: LocationCode) => `monthly_count_${location}`

/** A count goes on after a reload of the page: its session is kept for this tab. */
function useCountingSession(location: LocationCode) {
  const key = startedKey(location)
  const [session, setSession] = useState(() => sessionStorage.getItem(key))
  return {
    session,
    start() {
      const now = new Date()
      const date = now.toISOString().slice(0, 10)
      const id = countingSessionId({ kind: 'Monthly', date, location, milliseconds: now.getTime() })
      sessionStorage.setItem(key, id)
      setSession(id)
    },
    end() {
      sessionStorage.removeItem(key)
      setSession(null)
    },
  }
}

function markCounted(list: CountList, result: CountResult, reply: CountReply): CountList {
  const progress = 'progress' in reply ? reply.progress : undefined
  if (progress === undefined) return list
  const barcode = reply.matched === true ? reply.component.barcode : result.barcode
  const mark = (item: CountableComponent): CountableComponent => ({
    ...item,
    counted: true,
    counted_at: result.timestamp,
    counted_source: 'monthly',
    last_counted_date: result.timestamp,
    last_counted_source: 'monthly',
  })
  const components = list.components.map((item) => (item.barcode === barcode ? mark(item) : item))
  return { components, counted: progress.counted, total: progress.total }
}

function ResetDialog({
  counted,
  onReset,
  onClose,
}: {
  counted: number
  onReset: () => void
  onClose: () => void
}) {
  return (
    <Dialog
      title="Reset Count"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Keep counting</Button>
          <Button look="danger" onClick={onReset}>
            Reset Count
          </Button>
        </>
      }
    >
      <p>
        Clears {formatNumber(counted)} {counted === 1 ? 'count' : 'counts'} of this month at this location, by
        everyone. Stock, history and audit trail stay as they are.
      </p>
    </Dialog>
  )
}

function ReadyToCount({ list, onStart }: { list: CountList; onStart: () => void }) {
  return (
    <Card>
      <div className="flex flex-col items-center gap-4 py-6 text-center">
        <h2 className="text-lg font-semibold">Ready to Count</h2>
        <dl className="flex gap-10">
          <div>
            <dd className="text-2xl font-semibold tabular-nums">{formatNumber(list.total)}</dd>
            <dt className="text-sm text-muted">components to count</dt>
          </div>
          <div>
            <dd className="text-2xl font-semibold tabular-nums">{formatNumber(list.counted)}</dd>
            <dt className="text-sm text-muted">counted this month</dt>
          </div>
        </dl>
        <Button look="primary" onClick={onStart} className="w-full max-w-sm">
          Start Monthly Count
        </Button>
      </div>
    </Card>
  )
}

export function MonthlyCountScreen() {
  const { user, location } = useLocatedSession()
  const place = getLocation(location)
  const client = useQueryClient()
  const counting = useCountingSession(location)
  const [status, setStatus] = useState<Status>(null)
  const [history, setHistory] = useState<string | null>(null)
  const [resetting, setResetting] = useState(false)
  const queryKey = ['count-status', location]
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => call(listWithCountStatus, { body: { location } }, { signal }),
  })

  useEffect(() => {
    if (status === null) return undefined
    const timer = setTimeout(() => setStatus(null), statusMs)
    return () => clearTimeout(timer)
  }, [status])

  function start(): void {
    if (user.tenantId === '') {
      setStatus({ tone: 'bad', text: countMessages.invalidTenant })
      return
    }
    counting.start()
    setStatus({ tone: 'good', text: countMessages.started(place.name) })
    report({
      sku: 'CYCLE_COUNT_MONTHLY_COUNT_STARTED',
      location,
      metadata: { event_type: 'monthly_count_started' },
    }).catch(reportError)
  }

  async function reset(): Promise<void> {
    setResetting(false)
    try {
      await call(resetCounts, { body: { location } }, { idempotencyKey: newId() })
      counting.end()
      setStatus({ tone: 'good', text: countMessages.reset(place.name) })
      await refetch()
    } catch (failure) {
      setStatus({ tone: 'bad', text: countMessages.resetting(messageOf(failure)) })
    }
  }

  function openHistory(barcode: string): void {
    setHistory(barcode)
    report({ sku: barcode, location, metadata: { event_type: 'sku_history_viewed' } }).catch(reportError)
  }

  function takeResult(result: CountResult, reply: CountReply | null): void {
    if (reply === null) return
    client.setQueryData<CountList>(queryKey, (list) => list && markCounted(list, result, reply))
  }

  if (error !== null) {
    return (
      <Page title="Monthly Count">
        <Banner tone="bad">{countMessages.loadingComponents(messageOf(error))}</Banner>
        <div>
          <Button onClick={() => void refetch()}>Try again</Button>
        </div>
      </Page>
    )
  }
  if (data === undefined) return <Loading label="Loading components..." />

  const list = (
    <Card title="Components" flush>
      <ComponentList components={data.components} onOpen={openHistory} />
    </Card>
  )
  return (
    <Page title="Monthly Count" subtitle={place.name}>
      {status !== null && <Banner tone={status.tone}>{status.text}</Banner>}
      {counting.session === null ? (
        <>
          <ReadyToCount list={data} onStart={start} />
          {list}
        </>
      ) : (
        <ActiveCount
          key={counting.session}
          list={data}
          location={location}
          session={counting.session}
          onResult={takeResult}
          onProblem={(text) => setStatus({ tone: 'bad', text })}
          onReset={() => setResetting(true)}
        >
          {list}
        </ActiveCount>
      )}
      {history !== null && (
        <HistoryDialog barcode={history} location={location} onClose={() => setHistory(null)} />
      )}
      {resetting && (
        <ResetDialog
          counted={data.counted}
          onReset={() => void reset()}
          onClose={() => setResetting(false)}
        />
      )}
    </Page>
  )
}
