import { useEffect, useMemo, useRef, useState, type RefObject } from 'react'
import { Link } from 'wouter'
import { formatNumber } from '../lib/numbers.ts'
import { paths } from '../lib/paths.ts'
import { useScannersOfCompany } from '../scanning/company-scanners.ts'
import { Banner } from '../ui/banner.tsx'
import { Button, buttonClasses } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { DataTable, type Column } from '../ui/data-table.tsx'
import { SelectField, TextArea } from '../ui/field.tsx'
import { Page } from '../ui/page.tsx'
import { ProgressBar } from '../ui/progress-bar.tsx'
import { changes, retire, type Change } from './several-changes.ts'
import { readBarcodeLines, type BarcodeLine } from './several-lines.ts'
import { useKeptList } from './several-kept.ts'
import { useSeveral, type Outcome, type Progress, type RefusedLine } from './several-work.ts'

const columns: readonly Column<RefusedLine>[] = [
  { head: 'Line', cell: ({ text }) => <span className="font-mono break-all">{text}</span> },
  { head: 'Reason', cell: ({ reason }) => <span className="text-bad-text">{reason}</span> },
]

const components = (count: number) => `${formatNumber(count)} ${count === 1 ? 'component' : 'components'}`

/** How many lines have no other barcode where each is to have one. */
function countBare(change: Change, lines: readonly BarcodeLine[]): number {
  return change.several ? lines.filter(({ barcodes }) => barcodes.length < 2).length : 0
}

function bareLines(count: number): string {
  return count === 1
    ? 'One line has no other barcode.'
    : `${formatNumber(count)} lines have no other barcode.`
}

/** What was done, and what is left of the list. */
function Told({ change, outcome }: { change: Change; outcome: Outcome }) {
  const { done, refused, left, failure } = outcome
  const remaining = refused.length + left.length
  const words = [
    ...(failure === null ? [] : [failure]),
    change.told(components(done)),
    ...(remaining === 0 ? [] : [`${formatNumber(remaining)} left in the list.`]),
  ]
  const short = failure === null ? 'warn' : 'bad'
  return <Banner tone={remaining === 0 ? 'good' : short}>{words.join(' ')}</Banner>
}

type LinesProps = {
  change: Change
  isBusy: boolean
  text: string
  bare: number
  area: RefObject<HTMLTextAreaElement | null>
  onChange: (change: Change) => void
  onText: (text: string) => void
}

/** What to do, and with which. */
function Lines({ change, isBusy, text, bare, area, onChange, onText }: LinesProps) {
  return (
    <>
      <SelectField
        label="What to do"
        options={changes}
        value={change.value}
        disabled={isBusy}
        onChange={(event) => onChange(changes.find(({ value }) => value === event.target.value) ?? retire)}
      />
      <TextArea
        ref={area}
        label="Barcodes"
        hint={change.hint}
        rows={10}
        spellCheck={false}
        autoCapitalize="off"
        value={text}
        disabled={isBusy}
        error={bare === 0 ? undefined : bareLines(bare)}
        onChange={(event) => onText(event.target.value)}
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

/** Components that are changed by a list of barcodes, each for itself; what is refused stays in the list, with the reason. */
export function SeveralScreen() {
  const { change, setChange, text, setText } = useKeptList()
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const company = useScannersOfCompany()
  const { progress, run, stop } = useSeveral()
  const lines = useMemo(() => readBarcodeLines(text, change), [text, change])
  const bare = countBare(change, lines)
  const isBusy = progress !== null
  const { stop: stopButton, submit, area } = useWorkingFocus(isBusy, outcome)

  function choose(chosen: Change): void {
    setChange(chosen)
    setOutcome(null)
  }

  async function start(): Promise<void> {
    setOutcome(null)
    const came = await run(lines, (line, signal) => change.work(line, { company, signal }))
    setText([...came.refused.map((line) => line.text), ...came.left].join('\n'))
    setOutcome(came)
  }

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
      {outcome !== null && <Told change={change} outcome={outcome} />}
      <Card>
        <form
          className="flex flex-col gap-4"
          onSubmit={(event) => {
            event.preventDefault()
            start().catch(reportError)
          }}
        >
          <Lines {...{ change, isBusy, text, bare, area }} onChange={choose} onText={setText} />
          {progress !== null && <Working progress={progress} />}
          <div className="flex flex-wrap gap-2">
            <Button ref={submit} look="primary" submits disabled={isBusy || lines.length === 0 || bare > 0}>
              {lines.length === 0 ? change.label : `${change.label}: ${components(lines.length)}`}
            </Button>
            {isBusy && (
              <Button ref={stopButton} onClick={stop}>
                Stop
              </Button>
            )}
          </div>
        </form>
      </Card>
      {outcome !== null && outcome.refused.length > 0 && (
        <Card title="Not done" flush>
          <DataTable label="Not done" columns={columns} rows={outcome.refused} keyOf={(line) => line.text} />
        </Card>
      )}
    </Page>
  )
}
