import { cancelImport, type ImportRecord } from '@inventory-manager/contract/imports/endpoints'
import { useRef, useState } from 'react'
import { isAbort, messageOf } from '../api/api-error.ts'
import { call } from '../api/client.ts'
import { useOnce } from '../api/once.ts'
import { queryClient } from '../api/query-client.ts'
import { formatNumber } from '../lib/numbers.ts'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { FileField } from '../ui/field.tsx'
import { Page } from '../ui/page.tsx'
import { ProgressBar } from '../ui/progress-bar.tsx'
import { openImportFile, type ImportFile } from './import-file.ts'
import { ImportHistory, outcomeOf } from './import-history.tsx'
import { Mapping } from './mapping.tsx'
import { Preview } from './preview.tsx'
import { refreshImports } from './queries.ts'
import { upload, type Choices, type Plan } from './upload.ts'

type Step =
  | { at: 'choosing' }
  | { at: 'mapping'; file: ImportFile; chosen: Choices | null }
  | { at: 'uploading'; rows: number; share: number }
  // With what was chosen, where that was in this page.
  | { at: 'preview'; id: string; plan: Plan | null }
  | { at: 'done'; record: ImportRecord }

/** Drops what is staged of an import that is not wanted any more. */
async function drop(id: string): Promise<void> {
  await call(cancelImport, { params: { id } }).catch(reportError)
}

/** The steps of an import, and how to get from one to the next. */
function useImport() {
  const [step, setStep] = useState<Step>({ at: 'choosing' })
  const [fault, setFault] = useState<string | null>(null)
  const running = useRef<AbortController | null>(null)
  const once = useOnce()

  async function choose(file: File): Promise<void> {
    setFault(null)
    try {
      setStep({ at: 'mapping', file: await openImportFile(file), chosen: null })
    } catch (error) {
      setFault(messageOf(error))
    }
  }

  async function send(plan: Plan): Promise<void> {
    const stopper = new AbortController()
    running.current = stopper
    const begun = new Set<string>()
    setFault(null)
    setStep({ at: 'uploading', rows: 0, share: 0 })
    try {
      const id = await upload(plan, {
        once,
        signal: stopper.signal,
        onBegun: (id) => void begun.add(id),
        onProgress: (progress) => {
          if (!stopper.signal.aborted) setStep({ at: 'uploading', ...progress })
        },
      })
      setStep({ at: 'preview', id, plan })
    } catch (error) {
      for (const id of begun) await drop(id)
      setFault(isAbort(error) ? null : messageOf(error))
      setStep({ at: 'mapping', file: plan.file, chosen: plan })
    }
    await refreshImports()
  }

  function show(next: Step): void {
    setFault(null)
    setStep(next)
    queryClient.invalidateQueries().catch(reportError)
  }

  return { step, fault, choose, send, show, stop: () => running.current?.abort() }
}

function Choose({ onChoose }: { onChoose: (file: File) => void }) {
  const [chosen, setChosen] = useState<string | null>(null)
  return (
    <Card title="1. Choose a file">
      <FileField
        label="CSV or XLSX file"
        accept=".csv,.tsv,.txt,.xlsx,text/csv"
        hint="One component a line. Codes stay text: leading zeros survive. CSV may be of any size, up to 500,000 rows."
        chosen={chosen}
        onFile={(file) => {
          setChosen(file.name)
          onChoose(file)
        }}
      />
    </Card>
  )
}

function Uploading({ rows, share, onStop }: { rows: number; share: number; onStop: () => void }) {
  return (
    <Card title="Reading the file">
      <div className="flex flex-col gap-3">
        <ProgressBar label="Rows read" value={Math.round(share * 100)} max={100} />
        <p role="status" className="tabular-nums">
          {formatNumber(rows)} rows read. Nothing is changed yet.
        </p>
        <div>
          <Button onClick={onStop}>Stop</Button>
        </div>
      </div>
    </Card>
  )
}

/** The step before a preview; null where its file is not here. */
function columnsOf(plan: Plan | null): Step | null {
  return plan === null ? null : { at: 'mapping', file: plan.file, chosen: plan }
}

/** Imports components from a file: what the columns mean, what would change, then all rows or none. */
export function ImportScreen() {
  const { step, fault, choose, send, show, stop } = useImport()
  const columns = step.at === 'preview' ? columnsOf(step.plan) : null
  return (
    <Page
      title="Import components"
      subtitle="From a CSV file or a workbook. You see what changes before it does."
    >
      {fault !== null && <Banner tone="bad">{fault}</Banner>}
      {step.at === 'done' && (
        <Banner tone="good">
          {step.record.name} is imported: {outcomeOf(step.record)}.
        </Banner>
      )}
      {(step.at === 'choosing' || step.at === 'done') && <Choose onChoose={(file) => void choose(file)} />}
      {step.at === 'mapping' && (
        <Mapping
          file={step.file}
          chosen={step.chosen}
          onBack={() => show({ at: 'choosing' })}
          onPlan={(plan) => void send(plan)}
        />
      )}
      {step.at === 'uploading' && <Uploading rows={step.rows} share={step.share} onStop={stop} />}
      {step.at === 'preview' && (
        <Preview
          id={step.id}
          onDone={(record) => show({ at: 'done', record })}
          onCancelled={() => show({ at: 'choosing' })}
          onBack={columns === null ? null : () => show(columns)}
        />
      )}
      <ImportHistory onOpen={(id) => show({ at: 'preview', id, plan: null })} />
    </Page>
  )
}
