import type { CountReply } from '@inventory-manager/contract/counting/endpoints'
import { countMessages } from '@inventory-manager/contract/counting/messages'
import { lookupCodes } from '@inventory-manager/contract/stock/rules'
import { useMemo, useState, type ReactNode } from 'react'
import { formatNumber } from '../lib/numbers.ts'
import { isSoundOn, setSoundOn, signal } from '../scanning/feedback.ts'
import type { OutboxCounts } from '../scanning/outbox.ts'
import { readSubmission, type ScanForm } from '../scanning/scan-form.ts'
import { ScanPanel } from '../scanning/scan-panel.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Checkbox } from '../ui/field.tsx'
import { ProgressBar } from '../ui/progress-bar.tsx'
import { useCountEntries, type CountResult, type CountScope } from './count-entries.ts'
import { RecentScans } from './recent-scans.tsx'
import { ResultPanel } from './result-panel.tsx'

type Countable = { barcode: string; description: string; counted: boolean }
type Entered = { barcode: string; quantity: number }

type ActiveCountProps = {
  scope: CountScope
  list: { components: Countable[]; counted: number; total: number }
  words: { submit: string; reset: string; progress: string }
  /** What keeps a code from being counted here, or null. */
  refuse: (code: string, item: Countable | undefined) => string | null
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

type ProgressProps = { label: string; counted: number; total: number; counts: OutboxCounts }

function Progress({ label, counted, total, counts }: ProgressProps) {
  const percent = total === 0 ? 0 : Math.floor((counted / total) * 100)
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 text-sm tabular-nums">
        <span className="font-medium">
          {formatNumber(counted)} of {formatNumber(total)} counted, {percent}% complete
        </span>
        <QueueLine counts={counts} />
      </div>
      <ProgressBar label={label} value={counted} max={total} tone={percent === 100 ? 'good' : 'accent'} />
    </div>
  )
}

type RecountProps = { entry: Entered; onYes: () => void; onNo: () => void }

/** A weekly count asks before it counts a SKU a second time on one day (specification 5, 'Weekly'). */
function RecountDialog({ entry, onYes, onNo }: RecountProps) {
  return (
    <Dialog
      title="Count again?"
      onClose={onNo}
      actions={
        <>
          <Button onClick={onNo}>Keep the count</Button>
          <Button look="primary" onClick={onYes}>
            Count again
          </Button>
        </>
      }
    >
      <p>
        <span className="font-mono">{entry.barcode}</span> was already counted today.
      </p>
    </Dialog>
  )
}

/** A running count: progress, last result, scanning, recent scans. */
export function ActiveCount(props: ActiveCountProps) {
  const { scope, list, words } = props
  const [keepFocus, setKeepFocus] = useState(true)
  const [sound, setSound] = useState(isSoundOn)
  const [recounts, setRecounts] = useState<readonly Entered[]>([])
  const byCode = useMemo(() => new Map(list.components.map((item) => [item.barcode, item])), [list])
  const find = (code: string) => lookupCodes(code).flatMap((candidate) => byCode.get(candidate) ?? [])[0]

  const entries = useCountEntries({
    scope,
    describe: (code) => find(code)?.description || code,
    onResult(result, reply) {
      signal(result.verdict === 'matched' || result.verdict === 'review' ? 'right' : 'wrong')
      if (result.verdict === 'again') setRecounts((waiting) => [...waiting, result])
      props.onResult(result, reply)
    },
  })

  function takeEntry(form: ScanForm, confirmed: boolean): 'taken' | 'kept' | { ask: string } {
    const isKnownCode = (code: string) => find(code) !== undefined
    const submission = readSubmission(form, { isKnownCode, confirmed })
    if (submission.kind === 'ask') return { ask: submission.number }
    if (submission.kind !== 'entry') {
      props.onProblem(problems[submission.kind])
      return 'kept'
    }
    const { barcode, quantity } = submission
    const item = find(barcode)
    const refusal = props.refuse(barcode, item)
    if (refusal !== null) props.onProblem(refusal)
    else if (scope.source === 'weekly' && item?.counted === true)
      setRecounts([...recounts, { barcode, quantity }])
    else entries.add({ barcode, quantity, recount: false })
    return 'taken'
  }

  function decide(entry: Entered, again: boolean): void {
    setRecounts(recounts.slice(1))
    if (again) entries.add({ barcode: entry.barcode, quantity: entry.quantity, recount: true })
    else props.onProblem(countMessages.notUpdated)
  }

  const [recount] = recounts
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[minmax(22rem,2fr)_3fr]">
      <div className="flex flex-col gap-4">
        <Progress label={words.progress} counted={list.counted} total={list.total} counts={entries.counts} />
        <ResultPanel result={entries.recent[0]} />
        <ScanPanel keepFocus={keepFocus} submitLabel={words.submit} onEntry={takeEntry} />
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
          <Button onClick={props.onReset}>{words.reset}</Button>
        </div>
        <Card title="Recent Scans" flush>
          <RecentScans results={entries.recent} />
        </Card>
      </div>
      {props.children}
      {recount !== undefined && (
        <RecountDialog
          key={`${recount.barcode} ${recounts.length}`}
          entry={recount}
          onYes={() => decide(recount, true)}
          onNo={() => decide(recount, false)}
        />
      )}
    </div>
  )
}
