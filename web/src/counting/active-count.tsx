import type { CountReply, listWithCountStatus } from '@inventory-manager/contract/counting/endpoints'
import { countMessages } from '@inventory-manager/contract/counting/messages'
import type { EndpointReply } from '@inventory-manager/contract/endpoint'
import type { LocationCode } from '@inventory-manager/contract/locations'
import { lookupCodes } from '@inventory-manager/contract/stock/rules'
import { useMemo, useState, type ReactNode } from 'react'
import { formatNumber } from '../lib/numbers.ts'
import { isSoundOn, setSoundOn, signal } from '../scanning/feedback.ts'
import type { OutboxCounts } from '../scanning/outbox.ts'
import { readSubmission, type ScanForm } from '../scanning/scan-form.ts'
import { ScanPanel } from '../scanning/scan-panel.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Checkbox } from '../ui/field.tsx'
import { ProgressBar } from '../ui/progress-bar.tsx'
import { useCountEntries, type CountResult } from './count-entries.ts'
import { RecentScans } from './recent-scans.tsx'
import { ResultPanel } from './result-panel.tsx'

type ActiveCountProps = {
  list: EndpointReply<typeof listWithCountStatus>
  location: LocationCode
  session: string
  onResult: (result: CountResult, reply: CountReply | null) => void
  onProblem: (message: string) => void
  onReset: () => void
  /** The list of components, beside the scanning. */
  children: ReactNode
}

const problems = {
  barcode_missing: countMessages.barcodeRequired,
  quantity_missing: countMessages.quantityRequired,
  quantity_invalid: countMessages.quantityRequired,
} as const

/** Where the scans are: on this device, or safe on the server. */
function QueueLine({ counts }: { counts: OutboxCounts }) {
  if (counts.scanned === 0) return <span>No scans yet</span>
  if (counts.waiting === 0) return <span>All {formatNumber(counts.scanned)} scans stored</span>
  return (
    <span className="font-medium text-warn-text">
      {formatNumber(counts.scanned)} scanned, {formatNumber(counts.stored)} stored,{' '}
      {formatNumber(counts.waiting)} waiting
    </span>
  )
}

function Progress({ counted, total, counts }: { counted: number; total: number; counts: OutboxCounts }) {
  const percent = total === 0 ? 0 : Math.floor((counted / total) * 100)
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 text-sm tabular-nums">
        <span className="font-medium">
          {formatNumber(counted)} of {formatNumber(total)} counted, {percent}% complete
        </span>
        <QueueLine counts={counts} />
      </div>
      <ProgressBar
        label="Counted this month"
        value={counted}
        max={total}
        tone={percent === 100 ? 'good' : 'accent'}
      />
    </div>
  )
}

/** A running count: progress, last result, scanning, recent scans. */
export function ActiveCount({
  list,
  location,
  session,
  onResult,
  onProblem,
  onReset,
  children,
}: ActiveCountProps) {
  const [keepFocus, setKeepFocus] = useState(true)
  const [sound, setSound] = useState(isSoundOn)
  const byCode = useMemo(() => new Map(list.components.map((item) => [item.barcode, item])), [list])
  const find = (code: string) => lookupCodes(code).flatMap((candidate) => byCode.get(candidate) ?? [])[0]

  const entries = useCountEntries({
    location,
    session,
    describe: (code) => find(code)?.description || code,
    onResult(result, reply) {
      signal(result.verdict === 'matched' || result.verdict === 'review' ? 'right' : 'wrong')
      onResult(result, reply)
    },
  })

  function takeEntry(form: ScanForm, confirmed: boolean): 'taken' | 'kept' | { ask: string } {
    const isKnownCode = (code: string) => find(code) !== undefined
    const submission = readSubmission(form, { isKnownCode, confirmed })
    if (submission.kind === 'entry') {
      entries.add({ barcode: submission.barcode, quantity: submission.quantity })
      return 'taken'
    }
    if (submission.kind === 'ask') return { ask: submission.number }
    onProblem(problems[submission.kind])
    return 'kept'
  }

  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[minmax(22rem,2fr)_3fr]">
      <div className="flex flex-col gap-4">
        <Progress counted={list.counted} total={list.total} counts={entries.counts} />
        <ResultPanel result={entries.recent[0]} />
        <ScanPanel
          keepFocus={keepFocus}

          onEntry={takeEntry}
        />
        <div className="flex flex-wrap items-center justify-between gap-x-4">
          <Checkbox
            label="Auto-focus"
            checked={keepFocus}
            onChange={(event) => setKeepFocus(event.target.checked)}
          />
          <Checkbox
            label="Sound and vibration"
            checked={sound}
            onChange={(event) => {
              setSound(event.target.checked)
              setSoundOn(event.target.checked)
            }}
          />
          <Button onClick={onReset}>Reset Count</Button>
        </div>
        <Card title="Recent Scans" flush>
          <RecentScans results={entries.recent} />
        </Card>
      </div>
      {children}
    </div>
  )
}
