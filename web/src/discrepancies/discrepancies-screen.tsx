import type { Discrepancy } from '@inventory-manager/contract/discrepancies/endpoints'
import { discrepancyMessages } from '@inventory-manager/contract/discrepancies/messages'
import { locations } from '@inventory-manager/contract/locations'
import { howMany } from '@inventory-manager/contract/numbers'
import { planOffers } from '@inventory-manager/contract/plans'
import { useDeferredValue, useRef, useState, type RefObject } from 'react'
import { messageOf } from '../api/api-error.ts'
import { readOwner } from '../api/token.ts'
import { useLocatedSession } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { FoundStatus } from '../ui/found-status.tsx'
import { KeysDialog } from '../ui/keys.tsx'
import { LoadingRows } from '../ui/loading.tsx'
import { Page } from '../ui/page.tsx'
import { ListEnd, ListFailure } from '../ui/paged-list.tsx'
import { readAddress, useKeptInAddress } from '../ui/use-address.ts'
import { useDecidingKeys, useKeys } from '../ui/use-keys.ts'
import { useListFocus } from '../ui/use-list-focus.ts'
import { AcceptDialog } from './accept-dialog.tsx'
import { ActionBar, type Actions, type Status } from './action-bar.tsx'
import { useChoice, type Choice } from './choice.ts'
import { DiscrepancyExport } from './discrepancy-export.tsx'
import { DiscrepancyList } from './discrepancy-list.tsx'
import { addressOf, FilterBar, filtersFrom } from './filter-bar.tsx'
import { noReasons, withReason } from './last-reasons.ts'
import { madeStatus, undoneStatus } from './made-status.ts'
import { ReopenDialog } from './reopen-dialog.tsx'
import { useDecide, useDiscrepancies, useReopen, type Decision, type Filters } from './queries.ts'
import { SeveralDialog } from './several-dialog.tsx'
import { emptyHints, emptyWords, keyWords } from './words.ts'

/** What is decided without a reason. */
type Plain = { decision: 'recount' | 'dismiss'; items: readonly Discrepancy[] }

/** Sends decisions one at a time, or takes one back, and says what came of them. */
function useDecisions(choice: Choice, listed: readonly Discrepancy[], setStatus: (status: Status) => void) {
  const decide = useDecide()
  const reopen = useReopen()
  const [busy, setBusy] = useState(false)
  const [lastReasons, setLastReasons] = useState(noReasons)
  const made = useRef(0)
  /** Answers why not all were decided, or null. */
  async function send(decision: Decision): Promise<string | null> {
    if (busy || decision.items.length === 0) return null
    setBusy(true)
    try {
      const { decided, failure } = await decide(decision, made.current)
      if (failure !== null) {
        setStatus({ tone: 'bad', text: failure })
        return failure
      }
      made.current += 1
      choice.unchoose(decision.items)
      const { items, reason } = decision
      if (reason !== undefined) setLastReasons((last) => withReason(last, items, reason))
      setStatus(madeStatus(decision, { decided, listed }))
      return null
    } finally {
      setBusy(false)
    }
  }
  async function undo(decided: Discrepancy): Promise<void> {
    if (busy) return
    setBusy(true)
    try {
      const outcome = await reopen(decided.id, made.current)
      if ('status' in outcome) made.current += 1
      setStatus(undoneStatus(decided, outcome))
    } finally {
      setBusy(false)
    }
  }
  return { busy, lastReasons, send, undo }
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

/** How many differ, once that is known. */
function titleOf({ isLoading, total }: ReturnType<typeof useDiscrepancies>): string {
  if (isLoading) return 'Differences'
  return howMany(total, 'difference')
}

/** How many pass the filters, where some are set, once that is known. */
function foundBy(filters: Filters, list: ReturnType<typeof useDiscrepancies>): number | null {
  const isSought = Object.values(addressOf(filters)).some((value) => value !== '')
  return isSought && list.data !== undefined && !list.isPlaceholderData ? list.total : null
}

/** The keys of the list. The arrows go to it from anywhere; letters, which a scanner types, too, are its own. */
function useKeysOf(part: RefObject<HTMLElement | null>, choice: Choice, actions: Actions): void {
  function go(steps: number): void {
    if (part.current?.contains(document.activeElement) === false) part.current.focus({ preventScroll: true })
    choice.move(steps)
  }
  useKeys({ ArrowDown: () => go(1), ArrowUp: () => go(-1), Escape: choice.clear })
  useDecidingKeys(part, {
    j: () => choice.move(1),
    k: () => choice.move(-1),
    x: () => choice.active !== undefined && choice.toggle(choice.active.id),
    a: actions.accept,
    r: actions.recount,
    d: actions.dismiss,
  })
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
  useKeysOf(part, choice, actions)
  const failure = list.error === null ? null : discrepancyMessages.loading(messageOf(list.error))
  return (
    <>
      {/* What was decided is said as such, and not as what is left. */}
      <FoundStatus found={status === null ? foundBy(filters, list) : null} />
      <ListFailure list={list} failure={failure} />
      {(list.data !== undefined || failure === null) && (
        <Card title={titleOf(list)} flush>
          <div ref={part} tabIndex={-1} role="group" aria-label="Differences and decisions">
            <ActionBar
              choice={choice}
              actions={actions}
              currency={list.currency}
              busy={busy}
              status={status}
            />
            {list.isLoading && <LoadingRows label="Loading differences..." rows={5} />}
            {list.isNone && <NoneListed filters={filters} />}
            <DiscrepancyList
              items={list.items}
              choice={choice}
              currency={list.currency}
              onReopen={onReopen}
            />
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
  const { busy: isDeciding, lastReasons, send, undo } = useDecisions(choice, list.items, setStatus)
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
    undo: (decided) => void undo(decided).catch(reportError),
  }

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
        <FilterBar
          filters={filters}
          places={own}
          keys={keyWords}
          hasCosts={list.currency !== null}
          onChange={show}
        />
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
          lastReasons={lastReasons}
          currency={list.currency}
          busy={busy}
          onClose={() => setAccepting([])}
          onAccept={(decision) => send({ decision: 'accept', ...decision })}
        />
      )}
      {several !== null && (
        <SeveralDialog
          decision={several.decision}
          items={several.items}
          currency={list.currency}
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
      {showingKeys && <KeysDialog onClose={() => setShowingKeys(false)} />}
    </Page>
  )
}
