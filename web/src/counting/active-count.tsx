import { countMessages } from '@inventory-manager/contract/counting/messages'
import type { LocationCode } from '@inventory-manager/contract/locations'
import { useEffect, useEffectEvent, useState, type ReactNode } from 'react'
import { createCollector } from '../lib/collector.ts'
import { signal, speak } from '../scanning/feedback.ts'
import { ScanPanel } from '../scanning/scan-panel.tsx'
import { isAuthenticated, isLocationChosen } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { classNames } from '../ui/class-names.ts'
import { discardEntry, sendEntryAgain, type HeldEntry } from './count-decisions.ts'
import { useCountEntries, useOutboxState, type CountScope } from './count-entries.ts'
import { findIn, type CountList, type ListedComponent, type TakenResult } from './count-list.ts'
import { CountProgress, QueueNotices } from './count-queue.tsx'
import type { CountResult } from './count-results.ts'
import { EntriesToDecide } from './entries-to-decide.tsx'
import { LeaveDialog, useLocationCode } from './location-change.tsx'
import { preloadCount } from './preload.ts'
import { RecentScans } from './recent-scans.tsx'
import { RecountDialog } from './recount-dialog.tsx'
import { ResultPanel, spokenResult } from './result-panel.tsx'
import { ScanChoices } from './scan-choices.tsx'
import { ToCountAgain } from './to-count-again.tsx'

type ActiveCountProps = {
  scope: CountScope
  list: CountList
  words: { submit: string; reset: string; progress: string }
  /** What keeps a code from being counted here, or null. */
  refuse: (code: string, item: ListedComponent | undefined) => string | null
  onResults: (results: readonly TakenResult[]) => void
  /** An entry was taken back: what is shown may be counted no more. */
  onUndone: () => void
  say: (status: { tone: 'good' | 'bad'; text: string }) => void
  onReset: () => void
  /** The list of components, beside the scanning. */
  children: ReactNode
}

const gatherMs = 100

const problems = {
  barcode_missing: countMessages.barcodeRequired,
  quantity_missing: countMessages.quantityRequired,
  quantity_invalid: countMessages.quantityRequired,
} as const

function isRight({ verdict }: CountResult): boolean {
  return verdict === 'matched' || verdict === 'review'
}

function locationProblem(): string | null {
  return isLocationChosen() ? null : countMessages.noLocation
}

/** Asks for each entry of a SKU that was counted today already whether it counts. */
function Repeated({ session, onDiscarded }: { session: string; onDiscarded: () => void }) {
  const { refused } = useOutboxState()
  // The outbox is drawn a moment later; the question goes with the answer, since the next scan may come at once.
  const [answered, setAnswered] = useState<string | null>(null)
  const repeat = refused.find(
    ({ id, group, refusal }) => id !== answered && group === session && refusal?.code === 'already_counted',
  )
  if (repeat === undefined) return null

  function decide(entry: HeldEntry, again: boolean): void {
    setAnswered(entry.id)
    const work = again ? sendEntryAgain(entry) : discardEntry(entry)
    work.catch((error: unknown) => {
      setAnswered(null)
      reportError(error)
    })
    if (!again) onDiscarded()
  }

  return (
    <RecountDialog
      key={repeat.id}
      barcode={repeat.value.barcode}
      onYes={() => decide(repeat, true)}
      onNo={() => decide(repeat, false)}
    />
  )
}

/** What is below the fields: painted by itself, and only while it is in view. */
const later = 'isolate [content-visibility:auto] [contain-intrinsic-height:auto_40rem]'

/** A running count: progress, last result, scanning, recent scans. */
export function ActiveCount(props: ActiveCountProps) {
  const { scope, list, words, say } = props
  const [keepFocus, setKeepFocus] = useState(true)
  const [leavingTo, setLeavingTo] = useState<LocationCode | null>(null)
  const locationCode = useLocationCode()
  // The list is long: the result on the screen does not wait for its marks.
  const [marks] = useState(() => createCollector<TakenResult>(gatherMs))
  const markList = useEffectEvent(props.onResults)
  useEffect(() => marks.connect((results) => markList(results)), [marks])
  const find = (code: string) => findIn(list.components, code)
  useEffect(() => void preloadCount().catch(() => false), [])

  function tellProblem(text: string): void {
    say({ tone: 'bad', text })
    speak(text)
  }

  const entries = useCountEntries({
    scope,
    describe: (code) => find(code)?.description || code,
    onResults(results) {
      const own = results.filter(({ isOwn }) => isOwn).map(({ result }) => result)
      // One sound for what comes together, and what is wrong is heard.
      const heard = own.findLast((result) => !isRight(result)) ?? own.at(-1)
      if (heard !== undefined) signal(isRight(heard) ? 'right' : 'wrong')
      if (heard !== undefined) speak(spokenResult(heard))
      marks.add(results)
    },
    onUndone(barcode) {
      say({ tone: 'good', text: countMessages.undone(barcode) })
      speak(countMessages.undone(barcode))
      marks.flush()
      props.onUndone()
    },
    onProblem: tellProblem,
  })

  function takeEntry({ barcode, quantity }: { barcode: string; quantity: number }): void {
    const item = find(barcode)
    const refusal = props.refuse(barcode, item)
    const entry = { barcode, quantity, recount: false }
    if (refusal !== null) {
      signal('wrong')
      tellProblem(refusal)
      entries.tell(entry)
    } else if (scope.source === 'weekly' && item?.counted === true) {
      entries.ask(entry, { code: 'already_counted', message: countMessages.alreadyCounted })
    } else entries.add(entry)
  }

  /** Entries belong to a session and a location; another tab may have ended either. */
  function mayTake(): boolean {
    const problem = isAuthenticated() ? locationProblem() : countMessages.notAuthenticated
    if (problem !== null) tellProblem(problem)
    return problem === null
  }

  function followLocationCode(code: string): void {
    const read = locationCode.read(code)
    if (read === null) return
    if ('problem' in read) tellProblem(read.problem)
    else if (entries.waiting() > 0) setLeavingTo(read.to)
    else locationCode.go(read.to)
  }

  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[minmax(22rem,2fr)_3fr]">
      <div className="flex flex-col gap-4">
        <CountProgress label={words.progress} counted={list.counted} total={list.total} scope={scope} />
        <QueueNotices session={scope.session} />
        {/* Parts that change by themselves are painted by themselves. */}
        <div className="isolate">
          <ResultPanel session={scope.session} />
        </div>
        <ScanPanel
          keepFocus={keepFocus}
          submitLabel={words.submit}
          savedAs={`scan_form_${scope.session}`}
          isKnownCode={(code) => find(code) !== undefined}
          mayTake={mayTake}
          onEntry={takeEntry}
          onProblem={(problem) => tellProblem(problems[problem])}
          onUndo={entries.undo}
          onLocation={followLocationCode}
          onDoubled={() => speak(countMessages.doubled)}
        >
          <Button onClick={entries.undo}>Undo last</Button>
        </ScanPanel>
        <ScanChoices keepFocus={keepFocus} onKeepFocus={setKeepFocus}>
          <Button onClick={props.onReset}>{words.reset}</Button>
        </ScanChoices>
        <EntriesToDecide />
        <ToCountAgain session={scope.session} />
        <div className={later}>
          <Card title="Recent Scans" flush>
            <RecentScans session={scope.session} />
          </Card>
        </div>
      </div>
      <div className={classNames(later, 'min-w-0')}>{props.children}</div>
      <Repeated session={scope.session} onDiscarded={() => tellProblem(countMessages.notUpdated)} />
      {leavingTo !== null && (
        <LeaveDialog
          to={leavingTo}
          session={scope.session}
          onGo={() => locationCode.go(leavingTo)}
          onStay={() => setLeavingTo(null)}
        />
      )}
    </div>
  )
}
