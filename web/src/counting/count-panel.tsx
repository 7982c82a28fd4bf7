import { Suspense, useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react'
import type { Value } from '../lib/value.ts'
import { speak } from '../scanning/feedback.ts'
import { LeftOut, NumberQuestion, TakenOnce, WaitingCodes } from '../scanning/scan-notices.tsx'
import type { PanelPart } from '../scanning/scan-panel.tsx'
import { useFormPart } from '../scanning/use-scan-engine.ts'
import { Banner } from '../ui/banner.tsx'
import {
  useKeptEntry,
  useOutboxState,
  useRecentResults,
  type KeptEntry,
  type OwnState,
} from './count-entries.ts'
import { useCountThis } from './count-this.ts'
import type { CountResult } from './count-verdicts.ts'
import type { Status } from './counting-session.ts'
import { isHeldEntry, type HeldEntry } from './held-entries.ts'
import { countAgain, countedBefore } from './parts.ts'
import {
  AwaitedFrame,
  EmptyFrame,
  keptWord,
  ResultFrame,
  ResultLine,
  shownEntered,
  shownKept,
  shownResult,
  shownTakingBack,
  type CodeProblem,
  type Entered,
  type Shown,
} from './result-panel.tsx'

/** The newest entry that was made here, and the newest result there was before it. */
export type LastEntry = Entered & { after: string | undefined }

type CountPanelProps = PanelPart & {
  session: string
  status: Status | null
  entered: Value<LastEntry | null>
  /** What a scanned code means here. */
  lookUp: (code: string) => {
    description: string
    problem: CodeProblem | null
    bin: string | undefined
    piecesPerScan: number
  }
  /** Whether the entry with a key was not taken back. */
  stands: (id: string) => boolean
  /** Whether two codes are of the same SKU. */
  isSame: (one: string, other: string) => boolean
  onDiscarded: (entry: HeldEntry) => void
  countsPieces: boolean
}

/** The newest result; where that was taken back, or is to be, what was taken back last. */
function lastOf(results: readonly CountResult[], takingBack: ReadonlySet<string>): CountResult | undefined {
  const gone = results.filter(({ id, verdict }) => verdict === 'undone' || takingBack.has(id))
  if (gone[0] !== results[0]) return results[0]
  const going = [...takingBack].findLast((key) => gone.some(({ id }) => id === key))
  const [undone] = gone.toSorted((one, other) => (other.undone ?? 0) - (one.undone ?? 0))
  return gone.find(({ id }) => id === going) ?? undone
}

/** The first entry of a count that waits for a decision because its SKU was counted today already; else null. */
function useRepeatedEntry(session: string): HeldEntry | null {
  const { refused } = useOutboxState()
  const isRepeat = ({ group, refusal }: HeldEntry) => group === session && refusal?.code === 'already_counted'
  return refused.find(isRepeat) ?? null
}

type Known = { own: OwnState; results: readonly CountResult[] }

/** The newest entry that waits; where that is being taken back, what is taken back last, answered before or not. */
function shownWaiting(kept: KeptEntry, { own: { jobs, takingBack }, results }: Known): Shown {
  const { id, group, value } = kept.entry
  if (!takingBack.has(id)) return shownKept(kept)
  const waiting = jobs.filter(isHeldEntry).filter((entry) => entry.group === group)
  const entries = [...waiting.map((entry) => ({ ...entry.value, id: entry.id })), ...results]
  const going = [...takingBack].findLast((key) => entries.some((entry) => entry.id === key))
  return shownTakingBack(entries.find((entry) => entry.id === going) ?? value)
}

/** What is to be said of the last entry; null where there is none. */
function useLastShown({ session, entered }: Pick<CountPanelProps, 'session' | 'entered'>): Shown | null {
  const results = useRecentResults(session)
  const kept = useKeptEntry(session)
  const own = useOutboxState()
  const { takingBack } = own
  const last = useSyncExternalStore(entered.subscribe, entered.get)
  const tellKept = useEffectEvent(() => {
    if (kept === null) return
    const { description, quantity } = kept.entry.value
    speak(`${keptWord}. ${description}, ${quantity}.`)
  })
  const keptId = kept?.entry.id
  useEffect(() => tellKept(), [keptId])
  if (kept !== null) return shownWaiting(kept, { own, results })
  if (last !== null && last.after === results[0]?.id) return shownEntered(last)
  const result = lastOf(results, takingBack)
  if (result === undefined) return null
  return takingBack.has(result.id) ? shownTakingBack(result) : shownResult(result)
}

/** Brings the panel into view when a result came, for whoever still waits for it. */
function useResultInView(session: string, bringIntoView: PanelPart['bringIntoView']): void {
  const [result] = useRecentResults(session)
  const show = useEffectEvent(() => {
    if (result !== undefined) bringIntoView(Date.parse(result.timestamp))
  })
  const seen = useRef(result?.id)
  useEffect(() => {
    if (seen.current === result?.id) return
    seen.current = result?.id
    show()
  }, [result?.id])
}

const holdMs = 150

/**
 * The code that is shown as scanned: also for a moment after its entry, since the result mostly comes before that is over, and
 * is drawn at once instead of after what only says that it was entered.
 */
function useNamedCode(code: string | null, resultId: string | undefined): string | null {
  const [named, setNamed] = useState({ code, resultId, isOver: code === null })
  if (code !== null && (named.code !== code || named.resultId !== resultId || named.isOver)) {
    setNamed({ code, resultId, isOver: false })
  }
  useEffect(() => {
    if (code !== null) return undefined
    const timer = setTimeout(() => setNamed((held) => ({ ...held, isOver: true })), holdMs)
    return () => clearTimeout(timer)
  }, [code])
  return code ?? (named.isOver || named.resultId !== resultId ? null : named.code)
}

type MainProps = Pick<CountPanelProps, 'lookUp' | 'engine'> & {
  code: string | null
  last: Shown | null
  /** A question has the room. */
  isBrief: boolean
}

/** The code whose quantity comes next, or else the last entry. */
function Main({ engine, code, last, lookUp, isBrief }: MainProps) {
  const pieces = useFormPart(engine, ({ isTally, quantity }) => (isTally ? quantity : null))
  if (code !== null) return <AwaitedFrame code={code} pieces={pieces} {...lookUp(code)} />
  if (isBrief) return last?.isResult === true ? <ResultLine shown={last} /> : null
  return last === null ? <EmptyFrame /> : <ResultFrame shown={last} bin={lookUp(last.barcode).bin} />
}

/** What was counted of the scanned code before. */
function Before({
  code,
  ...part
}: Pick<CountPanelProps, 'engine' | 'session' | 'stands' | 'isSame'> & { code: string | null }) {
  if (code === null) return null
  return (
    <Suspense fallback={null}>
      <countedBefore.Content {...part} code={code} />
    </Suspense>
  )
}

/** As high on a handheld as what it usually says needs, so that the fields below stay where they are. */
const space = 'flex min-h-56 flex-col gap-2'

/**
 * What was scanned and waits for its quantity, or what came of the last entry; what asks for an answer, and what waits.
 * Its space is there before it is, and so is what reads it out.
 */
export function CountPanel(props: CountPanelProps) {
  const { engine, bringIntoView, session, status, lookUp, onDiscarded } = props
  const [result] = useRecentResults(session)
  const scanned = useFormPart(engine, (form) => (form.taken ? form.barcode.trim() : null))
  const code = useNamedCode(scanned, result?.id)
  const isAnyAsked = useFormPart(engine, ({ asking, left }) => asking !== null || left !== null)
  const isWaiting = useFormPart(engine, ({ waiting }) => waiting.length > 0)
  const repeated = useRepeatedEntry(session)
  const last = useLastShown(props)
  useResultInView(session, bringIntoView)
  useCountThis(engine)
  const isAsking = isAnyAsked || repeated !== null
  const isFull = isAsking || (isWaiting && status !== null)
  const before = code === null || isFull ? null : last
  return (
    <div className={space}>
      <div role="status" className="flex flex-1 flex-col empty:flex-none">
        <Main engine={engine} code={code} last={last} lookUp={lookUp} isBrief={isAsking} />
      </div>
      <Before engine={engine} session={session} stands={props.stands} isSame={props.isSame} code={scanned} />
      <NumberQuestion engine={engine} />
      <LeftOut engine={engine} />
      {repeated !== null && (
        <Suspense fallback={null}>
          <countAgain.Content
            key={repeated.id}
            entry={repeated}
            onDiscarded={onDiscarded}
            onAnswered={engine.resume}
          />
        </Suspense>
      )}
      {status === null ? <TakenOnce engine={engine} /> : <Banner tone={status.tone}>{status.text}</Banner>}
      <WaitingCodes
        engine={engine}
        noteOn={(waiting) => lookUp(waiting).problem?.note ?? null}
        countsPieces={props.countsPieces}
      />
      {before !== null && <ResultLine shown={before} />}
    </div>
  )
}
