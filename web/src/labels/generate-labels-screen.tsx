import { maxLabelsPerJob } from '@inventory-manager/contract/labels/limits'
import { labelMessages } from '@inventory-manager/contract/labels/messages'
import { howMany } from '@inventory-manager/contract/numbers'
import { useQueryClient } from '@tanstack/react-query'
import { useId, useMemo, useState } from 'react'
import { formatNumber } from '../lib/numbers.ts'
import { placeName } from '../session/place-names.ts'
import { isAuthenticated, isLocationChosen, useLocatedSession } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Checkbox, TextArea } from '../ui/field.tsx'
import { Page } from '../ui/page.tsx'
import { usePastLimit } from './allowance.ts'
import { CsvInput } from './csv-input.tsx'
import { RefusalList, useRefusals } from './job-card.tsx'
import { JobPanel, type JobStatus } from './job-panel.tsx'
import { useKnownComponents, type KnownComponents } from './known-components.ts'
import { jobOf, usePrinting, type Printing } from './print-choice.ts'
import { useProductInput, type ProductInput } from './product-input.ts'
import { refusalOf } from './refusal.ts'
import { useLabelJob } from './use-label-job.ts'
import {
  allProducts,
  faultMessage,
  readSource,
  type LineFault,
  type Product,
  type ReadProducts,
} from './product-lines.ts'
import { useProductStoring } from './use-product-storing.ts'

const formId = 'new-products'

function problemOf(input: ProductInput, read: ReadProducts): string | null {
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
      <p className="font-medium">{howMany(faults.length, 'line')} cannot be taken:</p>
      <ul className="mt-1 max-h-40 list-disc overflow-auto pl-5">
        {faults.map((fault) => (
          // A file of another kind has a fault in each of its thousands of lines: only those in view are laid out.
          <li
            key={`${fault.source} ${fault.line} ${fault.reason}`}
            className="[contain-intrinsic-height:auto_1.25rem] [content-visibility:auto]"
          >
            {fault.source === 'csv' ? 'File' : 'Typed'}, line {fault.line}: {fault.reason}.
          </li>
        ))}
      </ul>
    </div>
  )
}

/** How many there are, and what of it is there already, where that is known. */
function previewOf({ products }: ReadProducts, known: KnownComponents | null): string {
  const all = howMany(products.length, 'product')
  if (known === null) return `${all}.`
  const existing = products.filter(({ barcode }) => known.has(barcode))
  const renamed = existing.filter(
    ({ barcode, description }) => description !== '' && description !== known.get(barcode),
  )
  const counts = `${formatNumber(products.length - existing.length)} new, ${formatNumber(existing.length)} known already`
  if (renamed.length === 0) return `${all}: ${counts}.`
  return `${all}: ${counts}. Of the known ones, ${howMany(renamed.length, 'gets', 'get')} another description.`
}

/** What will happen, said before anything is written. */
function Preview({ read, known }: { read: ReadProducts; known: KnownComponents | null }) {
  if (read.products.length === 0 && read.faults.length === 0) return null
  return (
    <div className="flex flex-col gap-2" aria-live="polite">
      {read.products.length > 0 && <p className="text-sm">{previewOf(read, known)}</p>}
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

/** The known description stands for one that is not typed. */
function described(products: Product[], known: KnownComponents | null): Product[] {
  return products.map((product) =>
    product.description === '' ? { ...product, description: known?.get(product.barcode) ?? '' } : product,
  )
}

/** Why no file of so many labels can be made; null where one can. */
function jobProblem({ sheet }: Printing, labels: number): string | null {
  if (labels > maxLabelsPerJob) return labelMessages.tooMany(labels)
  return sheet.cells.length === 0 ? labelMessages.noRoom : null
}

type SubmitProps = {
  refusals: ReturnType<typeof useRefusals>
  copies: number
  isEmpty: boolean
  busy: boolean
  status: JobStatus
}

/** The button, and why it cannot be pressed. */
function Submit({ refusals, copies, isEmpty, busy, status }: SubmitProps) {
  const missingId = useId()
  // Nobody is asked for what they have just given.
  const asks = isEmpty && !busy && status?.tone !== 'good'
  return (
    <>
      <div id={missingId} className="empty:hidden">
        <RefusalList refusals={refusals} />
        {asks && <p className="text-sm text-muted">{labelMessages.noInput}</p>}
      </div>
      <Button
        look="primary"
        submits
        form={formId}
        aria-describedby={missingId}
        disabled={busy || isEmpty || refusals.length > 0 || copies === 0}
      >
        {busy ? 'Generating...' : 'Generate Labels & Sync'}
      </Button>
    </>
  )
}

/** What is given, taken together; the file apart, so that with each key only the typed lines are read. */
function useProducts({ typed, file }: ProductInput): ReadProducts {
  const ofFile = useMemo(() => readSource(file?.text ?? '', 'csv'), [file])
  return useMemo(() => allProducts({ typed: readSource(typed, 'manual'), file: ofFile }), [typed, ofFile])
}

const nothing: ProductInput = { typed: '', file: null }

const generating = (labels: number) => `Generating ${howMany(labels, 'label')}...`

export function GenerateLabelsScreen() {
  const { location } = useLocatedSession()
  const client = useQueryClient()
  const { known, load, loadAnew } = useKnownComponents()
  const printing = usePrinting('4x1.5')
  const job = useLabelJob()
  const findPastLimit = usePastLimit()
  const storing = useProductStoring()
  const [input, setInput] = useProductInput(location)
  const [setExisting, setSetExisting] = useState(false)
  const [status, setStatus] = useState<JobStatus>(null)
  const [busy, setBusy] = useState(false)
  const { typed, file } = input
  const read = useProducts(input)
  const { products } = read
  const items = useMemo(() => described(products, known), [products, known])
  const refusals = useRefusals(products, printing.choice)
  const { copies } = printing.choice
  const labels = products.length * copies

  async function makeLabels(): Promise<JobStatus> {
    try {
      // One that was retired is there again, with the description it had.
      const components = described(products, await loadAnew())
      const items = components.map((product) => ({ id: product.barcode, ...product }))
      const body = { ...jobOf(printing), components: items, includeId: true, location }
      if (!(await job.start(body, labels))) {
        return { tone: 'info', text: labelMessages.cancelledAfterStoring[printing.choice.format] }
      }
    } catch (error) {
      return { tone: 'bad', text: labelMessages.errorAfterStoring(refusalOf(error)) }
    }
    printing.goOnBehind(labels)
    storing.clear()
    setInput(nothing)
    setSetExisting(false)
    return { tone: 'good', text: labelMessages.synced(labels, placeName(location)) }
  }

  async function storeAndPrint(): Promise<JobStatus> {
    const asked = { products, setExisting, location }
    // What is stored already may be charged already, too: that is for the server to say.
    const problem =
      jobProblem(printing, labels) ?? (storing.isStored(asked) ? null : await findPastLimit(labels))
    if (problem !== null) return { tone: 'bad', text: labelMessages.error(problem) }
    await storing.store(asked, await load())
    return await makeLabels()
  }

  async function submit(): Promise<void> {
    const problem = problemOf(input, read)
    if (problem !== null) {
      setStatus({ tone: 'bad', text: problem })
      return
    }
    setBusy(true)
    setStatus({ tone: 'info', text: generating(labels) })
    try {
      setStatus(await storeAndPrint())
    } catch (error) {
      setStatus({ tone: 'bad', text: labelMessages.error(refusalOf(error)) })
    } finally {
      setBusy(false)
      client.invalidateQueries().catch(reportError)
    }
  }

  /** What was said of the input before does not hold of what it is now. */
  function change(part: Partial<ProductInput>): void {
    setInput((before) => ({ ...before, ...part }))
    if (status?.tone !== 'info') setStatus(null)
  }

  const isEmpty = typed === '' && file === null
  return (
    <Page
      title="Generate Barcode Labels for New Products"
      subtitle={`Stock is set at ${placeName(location)}.`}
    >
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
                onChange={(event) => change({ typed: event.target.value })}
              />
              <CsvInput file={file} disabled={busy} onFile={(chosen) => change({ file: chosen })} />
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
          example={items[0] ?? null}
          items={items}
          labels={labels}
          job={job}
          busy={busy || job.progress !== null}
          status={status}
        >
          <Submit refusals={refusals} copies={copies} isEmpty={isEmpty} busy={busy} status={status} />
        </JobPanel>
      </div>
    </Page>
  )
}
