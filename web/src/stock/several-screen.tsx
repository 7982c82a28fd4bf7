import { howMany } from '@inventory-manager/contract/numbers'
import { useEffect, useMemo, useRef, useState, type RefObject } from 'react'
import { Link } from 'wouter'
import { messageOf } from '../api/api-error.ts'
import { formatNumber } from '../lib/numbers.ts'
import { paths } from '../lib/paths.ts'
import { useScannersOfCompany } from '../scanning/company-scanners.ts'
import { useCompanyCurrency } from '../session/company-settings.ts'
import { CostsCurrency } from '../session/costs-currency.tsx'
import { placeName } from '../session/place-names.ts'
import { useLocatedSession } from '../session/session.ts'
import { Banner } from '../ui/banner.tsx'
import { Button, buttonClasses } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { DataTable, type Column } from '../ui/data-table.tsx'
import { SelectField, TextArea } from '../ui/field.tsx'
import { Page } from '../ui/page.tsx'
import { ProgressBar } from '../ui/progress-bar.tsx'
import { retire, workOf, type Change } from './several-changes.ts'
import { decimalSignOf, findBareLines, readLines } from './several-lines.ts'
import { useKeptList } from './several-kept.ts'
import { changesAt } from './several-sending.ts'
import type { Booking } from './several-keys.ts'
import { findPackLines } from './several-packs.ts'
import {
  bareWords,
  packWords,
  questionAbout,
  readAsWords,
  resendWords,
  unansweredWords,
} from './several-words.ts'
import { useSeveral, type Outcome, type Progress, type RefusedLine } from './several-work.ts'

const columns: readonly Column<RefusedLine>[] = [
  { head: 'Line', cell: ({ text }) => <span className="font-mono wrap-anywhere">{text}</span> },
  { head: 'Reason', cell: ({ reason }) => <span className="text-bad-text">{reason}</span> },
]

/** What came of a list, and how what could be read in two ways was read. */
type Came = Outcome & { readAs: string | null }

/** What was done, and what is left of the list. */
function Told({ change, outcome, place }: { change: Change; outcome: Came; place: string }) {
  const { done, refused, left, failure, readAs } = outcome
  const remaining = refused.length + left.length
  const words = [
    ...(failure === null ? [] : [failure]),
    change.told(howMany(done, change.unit), place),
    ...(readAs === null ? [] : [readAs]),
    ...(remaining === 0 ? [] : [`${formatNumber(remaining)} left in the list.`]),
    ...(change.bookings !== undefined && left.length > 0 ? [resendWords(failure)] : []),
  ]
  const short = failure === null ? 'warn' : 'bad'
  return <Banner tone={remaining === 0 ? 'good' : short}>{words.join(' ')}</Banner>
}

type BegunProps = {
  left: (place: string) => string
  begunAt: string | null
  here: string
  unanswered: readonly Booking[]
}

/** Where a list was begun before, and what is not known of it where it is a delivery. */
function Begun({ left, begunAt, here, unanswered }: BegunProps) {
  const isElsewhere = begunAt !== null && begunAt !== here
  if (!isElsewhere && unanswered.length === 0) return null
  return (
    <Banner tone="warn">
      {isElsewhere && (
        <p>
          This list was begun at {placeName(begunAt)}. {left(placeName(here))}
        </p>
      )}
      {unanswered.map((booking) => (
        <p key={JSON.stringify(booking)}>{unansweredWords(booking)}</p>
      ))}
    </Banner>
  )
}

type LinesProps = {
  changes: readonly Change[]
  change: Change
  isBusy: boolean
  text: string
  place: string
  currency: string | null
  fault: string | undefined
  area: RefObject<HTMLTextAreaElement | null>
  onChange: (value: string) => void
  onText: (text: string) => void
}

/** What to do, and with which. */
function Lines({ changes, change, isBusy, text, place, currency, fault, area, ...props }: LinesProps) {
  return (
    <>
      <SelectField
        label="What to do"
        options={changes}
        value={change.value}
        disabled={isBusy}
        onChange={(event) => props.onChange(event.target.value)}
      />
      <TextArea
        ref={area}
        label={change.field}
        hint={change.hint(place, currency)}
        rows={10}
        spellCheck={false}
        autoCapitalize="off"
        value={text}
        disabled={isBusy}
        error={fault}
        onChange={(event) => props.onText(event.target.value)}
      />
    </>
  )
}

function Working({ progress: { done, total } }: { progress: Progress }) {
  return (
    <div className="flex flex-col gap-1.5">
      <ProgressBar label="Lines done" value={done} max={total} />
      <p className="text-sm text-muted">
        {formatNumber(done)} of {formatNumber(total)}
      </p>
    </div>
  )
}

/** Moves the focus to Stop while a list is worked through, and then back: a button that is disabled loses it. */
function useWorkingFocus(isBusy: boolean, outcome: Outcome | null) {
  const stop = useRef<HTMLButtonElement>(null)
  const submit = useRef<HTMLButtonElement>(null)
  const area = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    if (isBusy) stop.current?.focus()
  }, [isBusy])
  useEffect(() => {
    if (outcome === null || document.activeElement !== document.body) return
    if (submit.current?.disabled === true) area.current?.focus()
    else submit.current?.focus()
  }, [outcome])
  return { stop, submit, area }
}

/** A list that was asked about, and with what words, if any. */
type Asked = { text: string; words: string }

const nothingDone = { done: 0, refused: [], readAs: null }

/** The list, what is to be asked about it, and the work on it. */
function useSeveralList() {
  const { user, location } = useLocatedSession()
  const kept = useKeptList()
  const { chosen, text } = kept
  const changes = changesAt({ plan: user.plan, location }, chosen)
  const change = changes.find(({ value }) => value === chosen) ?? retire
  const { form } = change
  const company = useScannersOfCompany()
  const [outcome, setOutcome] = useState<Came | null>(null)
  const { progress, run, stop } = useSeveral()
  const lines = useMemo(() => readLines(text, form), [text, form])
  const question = useMemo(() => questionAbout(lines, { form }), [lines, form])
  const fault = useMemo(() => bareWords(findBareLines(lines, form), { form }), [lines, form])
  const [asked, setAsked] = useState<Asked | null>(null)
  const isStarting = useRef(false)

  /** Asks what is to be asked of the list; answers whether that is nothing, or was asked before. */
  async function askFirst(): Promise<boolean> {
    if (asked?.text === text) return true
    try {
      const packs = form === 'amount' ? packWords(await findPackLines(lines, company)) : null
      const words = [question, packs].filter((part) => part !== null).join(' ')
      setAsked({ text, words })
      return words === ''
    } catch (error) {
      setOutcome({ ...nothingDone, left: lines.map((line) => line.text), failure: messageOf(error) })
      return false
    }
  }

  async function start(): Promise<void> {
    if (isStarting.current) return
    isStarting.current = true
    setOutcome(null)
    try {
      if (await askFirst()) await work()
    } finally {
      isStarting.current = false
    }
  }

  async function work(): Promise<void> {
    if (change.left !== undefined) kept.begin(location)
    if (change.bookings !== undefined) {
      const { where, ofLine } = change.bookings
      kept.beginBookings(
        where(location),
        lines.flatMap((line) => ofLine(line, { company, location })),
      )
    }
    const decimals = decimalSignOf(lines)
    const came = await run(lines, {
      ...workOf(change, { company, location, decimals, once: kept.once }),
      keep: kept.keepLeft,
    })
    const remaining = [...came.refused.map((line) => line.text), ...came.left]
    kept.setText(remaining.join('\n'))
    const isLeft = new Set(remaining)
    const done = change.form === 'cost' ? lines.filter((line) => !isLeft.has(line.text)) : []
    setOutcome({ ...came, readAs: readAsWords(done, decimals) })
  }

  return {
    changes,
    change,
    kept,
    location,
    lines,
    fault,
    outcome,
    progress,
    start,
    stop,
    /** What is asked now; it is answered by pressing once more. */
    question: asked?.text === text && asked.words !== '' ? asked.words : null,
    choose: (value: string) => {
      kept.choose(value)
      setOutcome(null)
    },
  }
}

type SeveralList = ReturnType<typeof useSeveralList>

/** What is said above the list: what came of it, or what is to be known and answered before it is worked through. */
function Notices({ change, kept, location, outcome, progress, question }: SeveralList) {
  const { bookings, left } = change
  if (outcome !== null) {
    return <Told change={change} outcome={outcome} place={placeName(location)} />
  }
  if (progress !== null) return null
  return (
    <>
      {left !== undefined && (
        <Begun
          left={left}
          begunAt={kept.place}
          here={location}
          unanswered={bookings === undefined ? [] : kept.unanswered()}
        />
      )}
      {question !== null && <Banner tone="warn">{question}</Banner>}
    </>
  )
}

function NotDone({ outcome }: Pick<SeveralList, 'outcome'>) {
  if (outcome === null || outcome.refused.length === 0) return null
  return (
    <Card title="Not done" flush>
      <DataTable label="Not done" columns={columns} rows={outcome.refused} keyOf={({ at }) => String(at)} />
    </Card>
  )
}

/** Components that are changed by a list of barcodes, each for itself; what is refused stays in the list, with the reason. */
export function SeveralScreen() {
  const list = useSeveralList()
  const { changes, change, kept, location, lines, fault, outcome, progress } = list
  const { text } = kept
  const place = placeName(location)
  const currency = useCompanyCurrency()
  const isBusy = progress !== null
  const { stop: stopButton, submit, area } = useWorkingFocus(isBusy, outcome)

  return (
    <Page
      title="Change Several Components"
      subtitle="By a list of barcodes. Each is changed separately; those that cannot be changed are named and stay in the list."
      actions={
        <Link href={paths.components} className={buttonClasses('secondary')}>
          All components
        </Link>
      }
    >
      <Notices {...list} />
      <Card>
        <form
          className="flex flex-col gap-4"
          onSubmit={(event) => {
            event.preventDefault()
            list.start().catch(reportError)
          }}
        >
          <Lines
            {...{ changes, change, isBusy, text, place, currency, fault, area }}
            onChange={list.choose}
            onText={kept.setText}
          />
          {change.form === 'cost' && <CostsCurrency />}
          {progress !== null && <Working progress={progress} />}
          <div className="flex flex-wrap gap-2">
            <Button
              ref={submit}
              look="primary"
              submits
              disabled={isBusy || lines.length === 0 || fault !== undefined}
            >
              {lines.length === 0 ? change.label : `${change.label}: ${howMany(lines.length, change.unit)}`}
            </Button>
            {isBusy && (
              <Button ref={stopButton} onClick={list.stop}>
                Stop
              </Button>
            )}
          </div>
        </form>
      </Card>
      <NotDone outcome={outcome} />
    </Page>
  )
}
