import { entryMessages } from '@inventory-manager/contract/counting/entry-messages'
import type { ErrorCode } from '@inventory-manager/contract/errors'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { byErrorCode } from '../../api/api-error.ts'
import { formatNumber } from '../../lib/numbers.ts'
import type { Refusal } from '../../outbox/store.ts'
import { useLocatedSession } from '../../session/session.ts'
import { Badge } from '../../ui/badge.tsx'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { useListFocus } from '../../ui/use-list-focus.ts'
import { sendEntryAgain } from '../count-decisions.ts'
import { listRefused, useOutboxState } from '../count-entries.ts'
import { countListQuery, findInMonth } from '../count-list-query.ts'
import { piecesPerScanOf } from '../count-list.ts'
import { isUnknown } from '../count-verdicts.ts'
import { piecesOf, type HeldEntry } from '../held-entries.ts'
import { decideDialog } from './decide-part.ts'

const words: Readonly<Partial<Record<string, string>>> = {
  ...byErrorCode({
    not_found: 'Unknown code',
    unknown_code_not_kept: 'Unknown code',
    barcode_retired: 'Retired',
    count_too_old: 'Too old',
    not_in_list: 'Not in the list',
    already_counted: 'Counted already',
    pack_by_now: 'Pack',
    forbidden: 'Not allowed',
    location_not_in_plan: 'Location not in the plan',
    trial_expired: 'Trial ended',
    not_seated: 'No seat in the plan',
  }),
  /** By what stands between. */
  blocked: 'Refused on the way',
}

/** Refusals that lie in the company's standing, or the server's, not in the entry: the same one is taken once that has changed. */
const standing: readonly ErrorCode[] = [
  'internal',
  'trial_expired',
  'not_seated',
  'forbidden',
  'location_not_in_plan',
]
const ofStanding: ReadonlySet<string> = new Set([...standing, 'blocked'])
const isOfStanding = ({ refusal }: HeldEntry): boolean => ofStanding.has(refusal?.code ?? '')

/** Whether it was refused for what its code was, or had become. */
const isOfCode = (refusal: Refusal | null): boolean =>
  refusal !== null && (isUnknown(refusal) || refusal.code === 'pack_by_now')

/** What the list of the month says of an entry: whether its code, refused as unknown, belongs to a component by now, and to how many pieces of it. */
function useByNow() {
  const client = useQueryClient()
  const { user, location } = useLocatedSession()
  // Drawn anew when the list changes; loaded by whoever shows it.
  useQuery({ ...countListQuery(location, user.role), enabled: false })
  const find = ({ value }: HeldEntry) => findInMonth(client, value.location)(value.barcode) ?? undefined
  return {
    isKnown: (entry: HeldEntry) => isOfCode(entry.refusal) && find(entry) !== undefined,
    piecesPerScan: (entry: HeldEntry) => piecesPerScanOf(find(entry), entry.value.barcode),
  }
}

type ByNow = ReturnType<typeof useByNow>

type SendAllProps = { entries: readonly HeldEntry[]; byNow: ByNow }

/** Sends again, in their order, what was refused for a reason that has passed meanwhile, or may have. */
function SendAllAgain({ entries, byNow }: SendAllProps) {
  const [sending, setSending] = useState(false)
  const [isLost, setLost] = useState(false)

  async function sendAll(): Promise<void> {
    setSending(true)
    setLost(false)
    try {
      for (const entry of listRefused().filter((held) => isOfStanding(held) || byNow.isKnown(held))) {
        const as = { barcode: entry.value.barcode, piecesPerScan: byNow.piecesPerScan(entry) }
        if (!(await sendEntryAgain(entry, as))) setLost(true)
      }
    } finally {
      setSending(false)
    }
  }

  const isOver = entries.some(({ refusal }) => refusal?.code === 'trial_expired')
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 border-b border-line px-4 py-3">
      <p className="text-sm">
        {isOver && `${entryMessages.trialOver} `}
        {entryMessages.keptUntilSent}
      </p>
      <Button disabled={sending} onClick={() => void sendAll().catch(reportError)}>
        {entries.length === 1 ? 'Send it again' : `Send all ${formatNumber(entries.length)} again`}
      </Button>
      {isLost && <Banner tone="bad">{entryMessages.notDecided}</Banner>}
    </div>
  )
}

type RowProps = { held: HeldEntry; byNow: ByNow; onDecide: () => void }

function Row({ held, byNow, onDecide }: RowProps) {
  const { value, refusal } = held
  const piecesPerScan = byNow.piecesPerScan(held)
  return (
    <li className="flex items-center gap-3 px-4 py-2">
      <div className="min-w-0 flex-1">
        <p className="truncate font-mono text-sm">{value.barcode}</p>
        <p className="flex flex-wrap gap-x-2 gap-y-1 text-sm text-muted">
          {words[refusal?.code ?? ''] ?? 'Not taken'}
          {byNow.isKnown(held) && <Badge tone="info">Known now</Badge>}
          {piecesPerScan > 1 && <Badge>Pack of {formatNumber(piecesPerScan)}</Badge>}
        </p>
      </div>
      <span className="font-medium tabular-nums">{formatNumber(piecesOf(value, piecesPerScan))}</span>
      <Button aria-label={`Decide on ${value.barcode}`} onClick={onDecide}>
        Decide
      </Button>
    </li>
  )
}

/** What the server did not take, of all this person's counts on this device. Nothing goes without a decision. */
export function EntriesToDecide() {
  const { refused } = useOutboxState()
  const [chosen, setChosen] = useState<string | null>(null)
  const entry = refused.find(({ id }) => id === chosen)
  const byNow = useByNow()
  const again = refused.filter((held) => isOfStanding(held) || byNow.isKnown(held))
  const part = useListFocus<HTMLDivElement>(entry === undefined ? refused.length : null)
  if (refused.length === 0) return null
  return (
    <Card title="To decide" flush>
      <div ref={part} tabIndex={-1} role="group" aria-label="Decisions">
        {again.length > 0 && <SendAllAgain entries={again} byNow={byNow} />}
        <ul className="divide-y divide-line" aria-label="Scans to decide">
          {refused.map((held) => (
            <Row key={held.id} held={held} byNow={byNow} onDecide={() => setChosen(held.id)} />
          ))}
        </ul>
      </div>
      {entry !== undefined && (
        <Suspense>
          <decideDialog.Content key={entry.id} entry={entry} onClose={() => setChosen(null)} />
        </Suspense>
      )}
    </Card>
  )
}
