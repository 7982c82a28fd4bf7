import { labelMessages } from '@inventory-manager/contract/labels/messages'
import { getLocation } from '@inventory-manager/contract/locations'
import { importComponents, listComponents } from '@inventory-manager/contract/stock/endpoints'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useRef, useState } from 'react'
import { messageOf } from '../api/api-error.ts'
import { call } from '../api/client.ts'
import { callForList } from '../api/list-client.ts'
import { readText } from '../lib/encoding.ts'
import { newId } from '../lib/ids.ts'
import { formatNumber } from '../lib/numbers.ts'
import { isAuthenticated, isLocationChosen, useLocatedSession } from '../session/session.ts'
import { Banner, type Tone } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Checkbox, TextArea } from '../ui/field.tsx'
import { Page } from '../ui/page.tsx'
import { RefusalList, useRefusals } from './job-card.tsx'
import { JobPanel } from './job-panel.tsx'
import { jobOf, usePrinting } from './print-choice.ts'
import { useLabelJob } from './use-label-job.ts'
import {
  faultMessage,
  readProducts,
  type LineFault,
  type Product,
  type ReadProducts,
} from './product-lines.ts'

const formId = 'new-products'

type Status = { tone: Tone; text: string } | null
type CsvFile = { name: string; text: string }

function problemOf(input: { typed: string; file: CsvFile | null }, read: ReadProducts): string | null {
  if (!isAuthenticated()) return labelMessages.notAuthenticated
  if (!isLocationChosen()) return labelMessages.noLocation
  const [fault] = read.faults
  if (fault !== undefined) return faultMessage(fault)
  if (read.products.length > 0) return null
  if (input.typed.trim() === '' && input.file === null) return labelMessages.noInput
  return input.file === null ? labelMessages.noManualRows : labelMessages.noCsvRows
}

function FaultList({ faults }: { faults: LineFault[] }) {
  if (faults.length === 0) return null
  return (
    <div className="text-sm text-bad-text">
      <p className="font-medium">
        {faults.length === 1
          ? '1 line cannot be taken:'
          : `${formatNumber(faults.length)} lines cannot be taken:`}
      </p>
      <ul className="mt-1 max-h-40 list-disc overflow-auto pl-5">
        {faults.map((fault) => (
          <li key={`${fault.source} ${fault.line} ${fault.reason}`}>
            {fault.source === 'csv' ? 'File' : 'Typed'}, line {fault.line}: {fault.reason}.
          </li>
        ))}
      </ul>
    </div>
  )
}

/** What will happen, said before anything is written (decisions, 'Typed and uploaded products'). */
function Preview({ read, known }: { read: ReadProducts; known: ReadonlySet<string> | null }) {
  if (read.products.length === 0 && read.faults.length === 0) return null
  const existing = read.products.filter((product) => known?.has(product.barcode) === true).length
  return (
    <div className="flex flex-col gap-2" aria-live="polite">
      {read.products.length > 0 && (
        <p className="text-sm">
          {formatNumber(read.products.length)} {read.products.length === 1 ? 'product' : 'products'}
          {known !== null &&
            `: ${formatNumber(read.products.length - existing)} new, ${formatNumber(existing)} known already`}
          .
        </p>
      )}
      <FaultList faults={read.faults} />
    </div>
  )
}

function FormatExamples() {
  return (
    <Card title="Formats">
      <div className="flex flex-col gap-3 text-sm">
        <p>One product a line: ID, description and quantity, or ID and quantity.</p>
        <pre className="overflow-auto rounded-control bg-sunken p-3 font-mono text-xs leading-relaxed">
          {'SKU-1001,Hex bolt M8,250\n0012345,12\n"SKU-7","Nut, brass",40\n(SKU-1002,Washer 8 mm,900)'}
        </pre>
        <p className="text-muted">
          Quantity is the stock at this location. Each product gets a label of 4 by 1.5 inches. Commas,
          semicolons and tabs are understood; quotes protect a comma.
        </p>
        <p className="text-muted">
          Audit information: every import and every label file is recorded in the audit trail with your name.
        </p>
      </div>
    </Card>
  )
}

function useKnownBarcodes() {
  const { data } = useQuery({
    queryKey: ['components'],
    queryFn: async ({ signal }) => (await callForList(listComponents, { query: {} }, { signal })).list,
  })
  return useMemo(
    () => (data === undefined ? null : new Set(data.components.map((known) => known.barcode))),
    [data],
  )
}

type CsvInputProps = { disabled: boolean; onFile: (file: CsvFile | null) => void }

function CsvInput({ disabled, onFile }: CsvInputProps) {
  async function take(chosen: File | undefined): Promise<void> {
    onFile(chosen === undefined ? null : { name: chosen.name, text: await readText(chosen) })
  }
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor="csv-file" className="text-sm font-medium">
        CSV file
      </label>
      <input
        id="csv-file"
        type="file"
        accept=".csv,text/csv"
        disabled={disabled}
        onChange={(event) => {
          take(event.target.files?.[0]).catch(reportError)
        }}
        className="min-h-12 w-full rounded-control border border-line-strong/70 bg-surface text-base file:mr-3 file:h-12 file:border-0 file:bg-sunken file:px-4 file:font-medium file:text-text lg:min-h-9 lg:text-sm lg:file:h-9"
      />
    </div>
  )
}

/** Stores products: the same ones sent again (after a cut network) keep their key, so that nothing is done twice. */
function useImport() {
  const { location } = useLocatedSession()
  const { quantityField } = getLocation(location)
  const keyed = useRef({ input: '', key: '' })
  return async (products: Product[], setExisting: boolean): Promise<void> => {
    const input = JSON.stringify([products, setExisting, location])
    if (keyed.current.input !== input) keyed.current = { input, key: newId() }
    const rows = products.map(({ barcode, description, quantity }) => ({
      barcode,
      description,
      [quantityField]: quantity,
    }))
    const query = { existing: setExisting ? 'set' : 'keep' } as const
    await call(importComponents, { query, body: rows }, { idempotencyKey: keyed.current.key })
  }
}

const nothing = { typed: '', file: null as CsvFile | null }

export function GenerateLabelsScreen() {
  const { location } = useLocatedSession()
  const place = getLocation(location)
  const client = useQueryClient()
  const known = useKnownBarcodes()
  const printing = usePrinting('4x1.5')
  const job = useLabelJob()
  const store = useImport()
  const [input, setInput] = useState(nothing)
  const [setExisting, setSetExisting] = useState(false)
  const [status, setStatus] = useState<Status>(null)
  const [busy, setBusy] = useState(false)
  // A file field is emptied by making it anew.
  const [printed, setPrinted] = useState(0)
  const { typed, file } = input
  const read = useMemo(() => readProducts({ typed, csv: file?.text ?? '' }), [typed, file])
  const { products } = read
  const refusals = useRefusals(products, printing.choice)

  async function storeAndPrint(): Promise<void> {
    await store(products, setExisting)
    const components = products.map((product) => ({ id: product.barcode, ...product }))
    const labels = components.length * printing.choice.copies
    const done = await job.start({ ...jobOf(printing), components, includeId: true, location }, labels)
    client.invalidateQueries().catch(reportError)
    if (!done) {
      setStatus({ tone: 'info', text: labelMessages.cancelledAfterStoring })
      return
    }
    setStatus({ tone: 'good', text: labelMessages.synced(labels, place.name) })
    setInput(nothing)
    setPrinted(printed + 1)
  }

  async function submit(): Promise<void> {
    const problem = problemOf(input, read)
    if (problem !== null) {
      setStatus({ tone: 'bad', text: problem })
      return
    }
    setBusy(true)
    setStatus({ tone: 'info', text: `Generating ${formatNumber(products.length)} labels...` })
    try {
      await storeAndPrint()
    } catch (error) {
      setStatus({ tone: 'bad', text: labelMessages.error(messageOf(error)) })
    } finally {
      setBusy(false)
    }
  }

  const isEmpty = typed === '' && file === null
  return (
    <Page title="Generate Barcode Labels for New Products" subtitle={`Stock is set at ${place.name}.`}>
      {status !== null && <Banner tone={status.tone}>{status.text}</Banner>}
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[minmax(0,1fr)_27rem] lg:gap-6">
        <div className="flex min-w-0 flex-col gap-4">
          <Card>
            <form
              id={formId}
              className="flex flex-col gap-5"
              onSubmit={(event) => {
                event.preventDefault()
                submit().catch(reportError)
              }}
            >
              <TextArea
                label="Manual entry"
                rows={8}
                spellCheck={false}
                placeholder={'ID,Description,Quantity\nSKU-1001,Hex bolt M8,250'}
                value={typed}
                disabled={busy}
                onChange={(event) => setInput({ ...input, typed: event.target.value })}
              />
              <CsvInput
                key={printed}
                disabled={busy}
                onFile={(chosen) => setInput((before) => ({ ...before, file: chosen }))}
              />
              <Preview read={read} known={known} />
              <Checkbox
                label="Also set the stock of existing components"
                checked={setExisting}
                disabled={busy}
                onChange={(event) => setSetExisting(event.target.checked)}
              />
            </form>
          </Card>
          <FormatExamples />
        </div>
        <JobPanel
          printing={printing}
          sizeIsFixed
          example={products[0] ?? null}
          components={products.length}
          job={job}
        >
          <RefusalList refusals={refusals} />
          <Button look="primary" submits form={formId} disabled={busy || isEmpty || refusals.length > 0}>
            {busy ? 'Generating...' : 'Generate Labels & Sync'}
          </Button>
        </JobPanel>
      </div>
    </Page>
  )
}
