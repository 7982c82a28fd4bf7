import type { Discrepancy } from '@inventory-manager/contract/discrepancies/endpoints'
import { discrepancyMessages } from '@inventory-manager/contract/discrepancies/messages'
import { reasonCodes } from '@inventory-manager/contract/discrepancies/rules'
import { howMany } from '@inventory-manager/contract/numbers'
import { signed } from '@inventory-manager/contract/signed'
import { useId, useRef, useState } from 'react'
import { formatNumber } from '../lib/numbers.ts'
import { placeName } from '../session/place-names.ts'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Fault } from '../ui/fault.tsx'
import { SelectField } from '../ui/field.tsx'
import { SentencesField } from '../ui/sentences-field.tsx'
import { countSettled, isAcceptable, isUndecided, newestOfEach } from './choice.ts'
import { lastReasonFor, type LastReasons } from './last-reasons.ts'
import { likelyReason } from './likely-reason.ts'
import { AndWorth, TheyDiffer } from './worth-words.tsx'

const afterOf = (item: Discrepancy) => item.stock_now + item.difference

const reasonOptions = [
  { value: '', label: 'Choose a reason' },
  ...reasonCodes.map((reason) => ({ value: reason, label: reason })),
]

const shownChanges = 12

/** What accepting makes of today's stock, line by line. */
function Changes({ items, currency }: { items: readonly Discrepancy[]; currency: string | null }) {
  return (
    <div className="flex flex-col gap-1 text-sm">
      <ul aria-label="What changes">
        {items.slice(0, shownChanges).map((item) => (
          <li key={item.id} className="flex flex-wrap justify-between gap-x-4 tabular-nums">
            <span className="min-w-0">
              <span className="font-mono wrap-anywhere">{item.sku}</span>{' '}
              <span className="wrap-anywhere text-muted">{placeName(item.location)}</span>
            </span>
            <span>
              stock {formatNumber(item.stock_now)} → {formatNumber(afterOf(item))} ({signed(item.difference)}
              <AndWorth item={item} currency={currency} />)
            </span>
          </li>
        ))}
      </ul>
      {items.length > shownChanges && (
        <p className="text-muted">and {formatNumber(items.length - shownChanges)} more</p>
      )}
      <TheyDiffer items={items} currency={currency} />
    </div>
  )
}

/** What else was found of the same shortage or surplus. */
function Settled({ count }: { count: number }) {
  if (count === 0) return null
  return (
    <p className="text-sm text-muted">
      {howMany(count, 'earlier difference')} of the same SKU and location {count === 1 ? 'is' : 'are'} settled
      with this.
    </p>
  )
}

/** What cannot be accepted, and why; it is left out. */
function LeftOut({ waiting, below }: { waiting: number; below: readonly Discrepancy[] }) {
  if (waiting === 0 && below.length === 0) return null
  return (
    <Banner tone="warn">
      {below.map((item) => (
        <p key={item.id}>{discrepancyMessages.below(item.sku, afterOf(item))}</p>
      ))}
      {below.length > 0 && <p>Check what was moved since, or ask for a recount. Left out here.</p>}
      {waiting > 0 && (
        <p>{howMany(waiting, 'waits', 'wait')} to be counted again and cannot be accepted. Left out here.</p>
      )}
    </Banner>
  )
}

/** Those whose stock is what was counted by now: booked once more, a correction by hand would count twice. */
function SetToCounted({ items }: { items: readonly Discrepancy[] }) {
  const set = items.filter((item) => item.stock_now === item.counted && item.difference !== 0)
  const [first] = set
  if (first === undefined) return null
  const others = set.length === 1 ? '' : ` and of ${howMany(set.length - 1, 'more', 'more')}`
  return (
    <Banner tone="warn">
      The stock of {first.sku}
      {others} is by now what was counted. If it was corrected to that, dismiss the difference instead:
      accepted, it is booked twice.
    </Banner>
  )
}

function titleOf(ready: readonly Discrepancy[]): string {
  const [first] = ready
  if (first === undefined) return 'Nothing to accept'
  return `Accept ${ready.length === 1 ? first.sku : `${formatNumber(ready.length)} differences`}`
}

type AcceptDialogProps = {
  items: readonly Discrepancy[]
  /** What the list shows by now. */
  listed: readonly Discrepancy[]
  /** What was accepted last was accepted for. */
  lastReasons: LastReasons
  /** In which money they are; null where costs are not said. */
  currency: string | null
  busy: boolean
  /** Answers why not all were accepted, or null. */
  onAccept: (decision: { items: Discrepancy[]; reason: string; note: string }) => Promise<string | null>
  onClose: () => void
}

/** What would be booked of some differences, and what not, because it would bring stock below 0. */
function bookedOf(recorded: readonly Discrepancy[]) {
  const booked = newestOfEach(recorded)
  return {
    ready: booked.filter((item) => afterOf(item) >= 0),
    below: booked.filter((item) => afterOf(item) < 0),
  }
}

/** The reason to begin with, and how it was found. */
function useSuggestion(items: readonly Discrepancy[], lastReasons: LastReasons) {
  const [suggestion] = useState(() => {
    const { ready } = bookedOf(items.filter(isAcceptable))
    const likely = likelyReason(ready)
    if (likely !== null) return { reason: likely, words: 'It fits the likely cause.' }
    return { reason: lastReasonFor(ready, lastReasons), words: 'As you chose it last.' }
  })
  return suggestion
}

/** Accepting differences: the reason, the note, and what it does to today's stock. It closes when they are accepted. */
export function AcceptDialog(props: AcceptDialogProps) {
  const { items: opened, listed, lastReasons, currency, busy, onAccept, onClose } = props
  const formId = useId()
  const reasonField = useRef<HTMLSelectElement>(null)
  const suggestion = useSuggestion(opened, lastReasons)
  const [reason, setReason] = useState<string>(suggestion.reason)
  const [note, setNote] = useState('')
  const [asked, setAsked] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  // What is counted meanwhile must not change what is being accepted; only a try that failed shows what is so now.
  const [items, setItems] = useState(opened)
  const [outdated, setOutdated] = useState(false)
  if (outdated) {
    const ids = new Set(items.map(({ id }) => id))
    setItems(listed.filter((item) => ids.has(item.id) && isUndecided(item)))
    setOutdated(false)
  }
  const recorded = items.filter(isAcceptable)
  const { ready, below } = bookedOf(recorded)

  async function submit(): Promise<void> {
    setAsked(true)
    if (reason === '') {
      // On a handheld it may be below what is in view.
      reasonField.current?.focus()
      return
    }
    // The same words once more are brought into view once more.
    setFailure(null)
    const fault = await onAccept({ items: ready, reason, note })
    setFailure(fault)
    setOutdated(fault !== null)
    if (fault === null) onClose()
  }

  return (
    <Dialog
      title={titleOf(ready)}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          {ready.length > 0 && (
            <Button look="primary" submits form={formId} disabled={busy}>
              {ready.length === 1 ? 'Accept' : `Accept ${formatNumber(ready.length)}`}
            </Button>
          )}
        </>
      }
    >
      <form
        id={formId}
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          submit().catch(reportError)
        }}
      >
        {failure !== null && <Fault text={failure} />}
        <LeftOut waiting={items.length - recorded.length} below={below} />
        {ready.length > 0 && (
          <>
            <p className="text-sm text-muted">
              The difference is added to today’s stock, so what was received or issued since the scan stays
              right.
            </p>
            <SetToCounted items={ready} />
            <Changes items={ready} currency={currency} />
            <Settled count={countSettled(recorded, ready)} />
            <SelectField
              ref={reasonField}
              label="Reason"
              options={reasonOptions}
              value={reason}
              hint={reason !== '' && reason === suggestion.reason ? suggestion.words : undefined}
              onChange={(event) => setReason(event.target.value)}
              error={asked && reason === '' ? discrepancyMessages.reasonRequired : undefined}
            />
            <SentencesField
              label="Note"
              hint="Shown in the stock history and in the audit trail."
              maxLength={1000}
              value={note}
              onChange={setNote}
            />
          </>
        )}
      </form>
    </Dialog>
  )
}
