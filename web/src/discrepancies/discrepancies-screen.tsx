import { placeName } from '@inventory-manager/contract/stock/places'
import type { Discrepancy } from '@inventory-manager/contract/discrepancies/endpoints'
import { discrepancyMessages } from '@inventory-manager/contract/discrepancies/messages'
import { locations } from '@inventory-manager/contract/locations'
import { planOffers } from '@inventory-manager/contract/plans'
import { useDeferredValue, useState } from 'react'
import { messageOf } from '../api/api-error.ts'
import { readOwner } from '../api/token.ts'
import { readAddress, useKeptInAddress } from '../ui/use-address.ts'
import { formatNumber } from '../lib/numbers.ts'
import { useLocatedSession } from '../session/session.ts'
import type { Tone } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { classNames } from '../ui/class-names.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { Loading } from '../ui/loading.tsx'
import { Page } from '../ui/page.tsx'
import { ListEnd, ListFailure } from '../ui/paged-list.tsx'
import { KeysDialog, type KeyWords } from '../ui/search-field.tsx'
import { useDecidingKeys, useKeys } from '../ui/use-keys.ts'
import { useListFocus } from '../ui/use-list-focus.ts'
import { AcceptDialog } from './accept-dialog.tsx'
import { useChoice, type Choice } from './choice.ts'
import { DiscrepancyExport } from './discrepancy-export.tsx'
import { DiscrepancyList } from './discrepancy-list.tsx'
import { addressOf, FilterBar, filtersFrom } from './filter-bar.tsx'
import { ReopenDialog } from './reopen-dialog.tsx'
import { useDecide, useDiscrepancies, type Decision, type Filters } from './queries.ts'
import { SeveralDialog } from './several-dialog.tsx'

type Actions = { accept: () => void; recount: () => void; dismiss: () => void }

/** What is decided without a reason. */
type Plain = { decision: 'recount' | 'dismiss'; items: readonly Discrepancy[] }

type Status = { tone: Tone; text: string } | null

const textTones: Record<Tone, string> = {
  good: 'text-good-text',
  bad: 'text-bad-text',
  warn: 'text-warn-text',
  info: 'text-info-text',
}

/** What a decision would be about; where that is nothing, what came of the last one. */
function Aim({ choice, status }: { choice: Choice; status: Status }) {
  const { chosen, targets } = choice
  const [first] = targets
  if (chosen.length > 0) return `${formatNumber(chosen.length)} chosen`
  if (first !== undefined) {
    return (
      <>
        None chosen: acts on <span className="font-mono break-all">{first.sku}</span> at{' '}
        {placeName(first.location)}
      </>
    )
  }
  if (status === null) return <span className="text-muted">None chosen</span>
  return <span className={classNames('font-medium', textTones[status.tone])}>{status.text}</span>
}

type ActionBarProps = { choice: Choice; actions: Actions; busy: boolean; status: Status }

/** What is chosen, what came of the last decision, and the three decisions; always in sight. */
function ActionBar({ choice, actions, busy, status }: ActionBarProps) {
  const disabled = choice.targets.length === 0 || busy
  const count = choice.chosen.length
  return (
    <div
      role="toolbar"
      aria-label="Decide"
      className="sticky top-14 z-[5] flex print:hidden flex-wrap items-center gap-x-2 gap-y-1 border-b border-line bg-surface p-2 desk:top-23"
    >
      <Button
        look="quiet"
        disabled={choice.decidable === 0}
        onClick={count > 0 ? choice.clear : choice.chooseAll}
      >
        {count > 0 ? 'Clear' : 'Choose all'}
      </Button>
      <p role="status" className="mr-auto min-w-0 flex-1 basis-40 text-sm tabular-nums">
        <Aim choice={choice} status={status} />
      </p>
      {status !== null && choice.targets.length > 0 && (
        <p
          role={status.tone === 'bad' ? 'alert' : 'status'}
          className={classNames('order-last basis-full px-3 text-sm font-medium', textTones[status.tone])}
        >
          {status.text}
        </p>
      )}
      <span className="flex flex-wrap gap-2">
        <Button look="primary" disabled={disabled} onClick={actions.accept}>
          Accept
        </Button>
        <Button disabled={disabled} onClick={actions.recount}>
          Recount
        </Button>
        <Button disabled={disabled} onClick={actions.dismiss}>
          Dismiss
        </Button>
      </span>
    </div>
  )
}

const keyWords: KeyWords = [
  ['j or ↓', 'next difference'],
  ['k or ↑', 'previous difference'],
  ['x', 'choose it, or not'],
  ['a', 'accept what is chosen, or this one'],
  ['r', 'ask for a recount'],
  ['d', 'dismiss'],
  ['Esc', 'choose nothing'],
]

const emptyWords: Record<Filters['status'], string> = {
  '': 'No differences',
  attempted: 'No SKU waits for its second count',
  open: 'Nothing to decide',
  recount: 'No recount is waiting',
  matched: 'No difference went away by itself',
  accepted: 'Nothing was accepted',
  dismissed: 'Nothing was dismissed',
}

const anyCount = 'Differences appear here as soon as somebody counts them.'
const decisions = 'What was decided appears here. Other differences stand under "All".'

const emptyHints: Record<Filters['status'], string> = {
  '': anyCount,
  attempted: anyCount,
  open: anyCount,
  recount: 'Ask for one at a difference that is open.',
  matched: 'A difference leaves by itself where a later count says what was expected.',
  accepted: decisions,
  dismissed: decisions,
}

const decidedWords = {
  accept: (count: number) => `${formatNumber(count)} accepted and posted to today’s stock.`,
  recount: (count: number) =>
    `Recount of ${formatNumber(count)} requested: shown to everyone except the first counter.`,
  dismiss: (count: number) => `${formatNumber(count)} dismissed. Stock stays as it is.`,
}

/** Sends decisions one at a time and says what came of them. */
function useDecisions(choice: Choice, setStatus: (status: Status) => void) {
  const decide = useDecide()
  const [busy, setBusy] = useState(false)
  /** Answers why not all were decided, or null. */
  async function send(decision: Decision): Promise<string | null> {
    if (busy || decision.items.length === 0) return null
    setBusy(true)
    try {
      const { decided, failure } = await decide(decision)
      if (failure === null) choice.unchoose(decision.items)
      setStatus(
        failure === null
          ? { tone: 'good', text: decidedWords[decision.decision](decided) }
          : { tone: 'bad', text: failure },
      )
      return failure
    } finally {
      setBusy(false)
    }
  }
  return { busy, send }
}

function NoneListed({ filters }: { filters: Filters }) {
  return (
    <EmptyState title={emptyWords[filters.status]}>
      {filters.search === '' && filters.location === '' && filters.countType === ''
        ? emptyHints[filters.status]
        : 'Nothing passes the filters.'}
    </EmptyState>
  )
}

type DifferencesProps = {
  list: ReturnType<typeof useDiscrepancies>
  filters: Filters
  choice: Choice
  actions: Actions
  busy: boolean
  status: Status
  /** Whether a dialog asks about some of them. */
  asking: boolean
  onReopen: (item: Discrepancy) => void
}

function Differences({ list, filters, choice, actions, busy, status, asking, onReopen }: DifferencesProps) {
  const part = useListFocus<HTMLDivElement>(busy || asking ? null : list.total)
  const failure = list.error === null ? null : discrepancyMessages.loading(messageOf(list.error))
  return (
    <>
      <ListFailure list={list} failure={failure} />
      {(list.data !== undefined || failure === null) && (
        <Card title={`${formatNumber(list.total)} ${list.total === 1 ? 'difference' : 'differences'}`} flush>
          <div ref={part} tabIndex={-1} role="group" aria-label="Differences and decisions">
            <ActionBar choice={choice} actions={actions} busy={busy} status={status} />
            {list.isLoading && <Loading label="Loading differences..." />}
            {list.isNone && <NoneListed filters={filters} />}
            <DiscrepancyList items={list.items} choice={choice} onReopen={onReopen} />
            <ListEnd list={list} failure={failure} more="Show more" />
          </div>
        </Card>
      )}
    </>
  )
}

/** Differences between counts and stock, with what may explain them, for administrators to decide. */
export function DiscrepanciesScreen() {
  const { user } = useLocatedSession()
  const own = locations.filter(({ code }) => planOffers(user.plan, code))
  const [owner] = useState(readOwner)
  const [filters, setFilters] = useState(() => filtersFrom(readAddress(owner), own))
  // Of the last decision, until others are shown or chosen.
  const [status, setStatus] = useState<Status>(null)
  function show(others: Filters): void {
    setFilters(others)
    setStatus(null)
  }
  useKeptInAddress(addressOf(filters), {
    owner,
    onAsked: (address) => show(filtersFrom(address, own)),
  })
  const search = useDeferredValue(filters.search)
  const list = useDiscrepancies({ ...filters, search })
  const choice = useChoice(list.items, () => setStatus(null))
  const { busy: isDeciding, send } = useDecisions(choice, setStatus)
  // What passed other filters is not what is asked about.
  const busy = isDeciding || list.isPlaceholderData
  const [accepting, setAccepting] = useState<readonly Discrepancy[]>([])
  const [several, setSeveral] = useState<Plain | null>(null)
  const [reopening, setReopening] = useState<Discrepancy | null>(null)
  const [showingKeys, setShowingKeys] = useState(false)
  const items = choice.targets

  function askOrSend(decision: Plain['decision']): void {
    if (busy) return
    if (items.length > 1) setSeveral({ decision, items })
    else void send({ decision, items }).catch(reportError)
  }
  const actions: Actions = {
    accept: () => setAccepting(busy ? [] : items),
    recount: () => askOrSend('recount'),
    dismiss: () => askOrSend('dismiss'),
  }
  useKeys({
    ArrowDown: () => choice.move(1),
    ArrowUp: () => choice.move(-1),
    Escape: choice.clear,
  })
  // Letters, which a scanner types, too.
  useDecidingKeys({
    j: () => choice.move(1),
    k: () => choice.move(-1),
    x: () => choice.active !== undefined && choice.toggle(choice.active.id),
    a: actions.accept,
    r: actions.recount,
    d: actions.dismiss,
  })

  return (
    <Page
      title="Discrepancies"
      subtitle="Where counts and stock differ, what may explain it, and what is to be done."
      actions={
        <Button className="max-lg:hidden" onClick={() => setShowingKeys(true)}>
          Keys
        </Button>
      }
    >
      <Card>
        <FilterBar filters={filters} places={own} keys={keyWords} onChange={show} />
        <DiscrepancyExport filters={filters} />
      </Card>
      <Differences
        list={list}
        filters={{ ...filters, search }}
        choice={choice}
        actions={actions}
        busy={busy}
        status={status}
        asking={accepting.length > 0 || several !== null || reopening !== null}
        onReopen={setReopening}
      />
      {accepting.length > 0 && (
        <AcceptDialog
          items={accepting}
          listed={list.items}
          busy={busy}
          onClose={() => setAccepting([])}
          onAccept={(decision) => send({ decision: 'accept', ...decision })}
        />
      )}
      {several !== null && (
        <SeveralDialog
          decision={several.decision}
          count={several.items.length}
          onClose={() => setSeveral(null)}
          onSend={() => void send(several).catch(reportError)}
        />
      )}
      {reopening !== null && (
        <ReopenDialog
          item={reopening}
          onClose={() => setReopening(null)}
          onReopened={(text) => setStatus({ tone: 'good', text })}
        />
      )}
      {showingKeys && <KeysDialog keys={keyWords} onClose={() => setShowingKeys(false)} />}
    </Page>
  )
}
