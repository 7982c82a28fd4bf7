import type { ImportRecord } from '@inventory-manager/contract/imports/endpoints'
import { maxImportRows } from '@inventory-manager/contract/imports/rules'
import { useLayoutEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import { formatNumber } from '../lib/numbers.ts'
import { paths } from '../lib/paths.ts'
import { useCompanySettings } from '../session/company-settings.ts'
import { Banner } from '../ui/banner.tsx'
import { Button, buttonClasses } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { FileField } from '../ui/field.tsx'
import { Loading } from '../ui/loading.tsx'
import { focusHeading, Page } from '../ui/page.tsx'
import { ProgressBar } from '../ui/progress-bar.tsx'
import { ImportHistory, outcomeOf } from './import-history.tsx'
import { Mapping } from './mapping.tsx'
import { Preview } from './preview.tsx'
import type { Plan, Progress } from './upload.ts'
import { columnsOf, useImport, type Step } from './use-import.ts'

/** The steps at which a file may be chosen. */
const choosing: ReadonlySet<Step['at']> = new Set(['choosing', 'opening', 'done'])

type ChooseProps = {
  /** The name of the file that is being opened. */
  opening: string | null
  onChoose: (file: File) => void
}

function Choose({ opening, onChoose }: ChooseProps) {
  const [chosen, setChosen] = useState<string | null>(null)
  return (
    <Card title="1. Choose a file">
      <FileField
        label="CSV or XLSX file"
        accept=".csv,.tsv,.txt,.xlsx,text/csv"
        hint={`One component a line. Codes stay text: leading zeros survive. CSV may be of any size, up to ${formatNumber(maxImportRows)} rows.`}
        chosen={chosen}
        onFile={(file) => {
          setChosen(file.name)
          onChoose(file)
        }}
      />
      {opening !== null && <Loading label={`Opening ${opening}...`} />}
    </Card>
  )
}

function Uploading({ rows, share, waits, onStop }: Progress & { onStop: () => void }) {
  return (
    <Card title="Reading the file">
      <div className="flex flex-col gap-3">
        <ProgressBar label="Rows read" value={Math.round(share * 100)} max={100} />
        <p role="status" className="tabular-nums">
          {formatNumber(rows)} rows read. Nothing is changed yet.
          {waits && ' The server does not answer. Trying again...'}
        </p>
        <div>
          <Button onClick={onStop}>Stop</Button>
        </div>
      </div>
    </Card>
  )
}

const nextSteps = [
  { path: paths.components, name: 'See components' },
  { path: paths.printSettings, name: 'Print labels' },
  { path: paths.monthlyCount, name: 'Count' },
]

/** Who counts what has no stock would enter all of it twice, unless the company says otherwise. */
function FirstStocktake() {
  const { data } = useCompanySettings()
  if (data?.administration?.first_count_sets_stock !== false) return null
  return (
    <span className="basis-full font-normal">
      What is new has no stock yet. To have the first count of each set it, without a second one and a
      decision, choose “First count sets the stock” in{' '}
      <Link href={paths.settings} className="underline">
        Company Settings
      </Link>
      .
    </span>
  )
}

/** What an import came to, and what people do next. */
function Done({ record, withoutStock }: { record: ImportRecord; withoutStock: boolean }) {
  return (
    <Banner tone="good">
      <span className="flex flex-wrap items-center justify-between gap-3">
        <span>
          {record.name} is imported: {outcomeOf(record)}.
        </span>
        <span className="flex flex-wrap gap-3">
          {nextSteps.map(({ path, name }) => (
            <Link key={path} href={path} className={buttonClasses('secondary')}>
              {name}
            </Link>
          ))}
        </span>
        {withoutStock && <FirstStocktake />}
      </span>
    </Banner>
  )
}

/** Keeps the place of the keyboard at the screen where a step goes with the button that had the focus. */
function useStepFocus(at: Step['at']): void {
  const before = useRef(at)
  useLayoutEffect(() => {
    if (before.current !== at && document.activeElement === document.body) focusHeading()
    before.current = at
  }, [at])
}

/** What a preview is of; null where its file is not here, and for any other step. */
const planOf = (step: Step): Plan | null => (step.at === 'preview' ? step.plan : null)

/** Imports components from a file: what the columns mean, what would change, then all rows or none. */
export function ImportScreen() {
  const { step, fault, choose, readAs, send, show, stop } = useImport()
  const plan = planOf(step)
  const reading = step.at === 'uploading' ? step : null
  useStepFocus(step.at)
  return (
    <Page
      title="Import"
      subtitle="Components from a CSV file or a workbook. You see every change before it is made."
    >
      {fault !== null && <Banner tone="bad">{fault}</Banner>}
      {step.at === 'done' && <Done {...step} />}
      {choosing.has(step.at) && (
        <Choose opening={step.at === 'opening' ? step.name : null} onChoose={(file) => void choose(file)} />
      )}
      {step.at === 'mapping' && (
        <Mapping
          file={step.file}
          chosen={step.chosen}
          onBack={() => show({ at: 'choosing' })}
          asked={step.asked}
          onAsked={(asked) => void readAs(step, asked)}
          onPlan={(plan) => void send(plan)}
        />
      )}
      {reading !== null && <Uploading {...reading} onStop={stop} />}
      {step.at === 'preview' && (
        <Preview
          key={step.id}
          id={step.id}
          readAs={step.readAs}
          onDone={(record, withoutStock) => show({ at: 'done', record, withoutStock })}
          onCancelled={() => show({ at: 'choosing' })}
          onBack={plan === null ? null : () => show(columnsOf(plan))}
        />
      )}
      <ImportHistory step={step} onOpen={(id) => show({ at: 'preview', id, plan: null, readAs: null })} />
    </Page>
  )
}
