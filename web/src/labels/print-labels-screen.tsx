import { listLabelled } from '@inventory-manager/contract/labels/endpoints'
import { labelMessages } from '@inventory-manager/contract/labels/messages'
import { getLocation, type Location } from '@inventory-manager/contract/locations'
import { howMany } from '@inventory-manager/contract/numbers'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useId, useState } from 'react'
import { useSearch } from 'wouter/use-browser-location'
import { messageOf } from '../api/api-error.ts'
import { formatNumber } from '../lib/numbers.ts'
import { placeName } from '../session/place-names.ts'
import { isAuthenticated, useLocatedSession } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import { LoadFailure } from '../ui/load-failure.tsx'
import { Loading } from '../ui/loading.tsx'
import { Page } from '../ui/page.tsx'
import { PassingStatus } from '../ui/passing-status.tsx'
import { BinLabels } from './bin-labels.tsx'
import { firstView, useNeeding, useSearchReport, useShown, ViewBar } from './component-view.tsx'
import { JobPanel, type JobStatus } from './job-panel.tsx'
import { RefusalList, useRefusals } from './job-card.tsx'
import { countOwnLabels, ownCopiesFault, ownCopiesOf } from './own-copies.ts'
import { jobOf, usePrinting } from './print-choice.ts'
import { usePrintable } from './printable-components.ts'
import { PrintTips } from './print-tips.tsx'
import { refusalOf } from './refusal.ts'
import { useLabelSearch } from './search-for-labels.ts'
import { SelectionCard } from './selection-card.tsx'
import { useLabelJob } from './use-label-job.ts'
import { useSelection } from './use-selection.ts'

const title = 'Print Component Labels'

const clearAfter = { loaded: 3_000, printed: 5_000 }

type Status = (NonNullable<JobStatus> & { clearAfter?: number }) | null

/** A message, which goes by itself where it is good news. */
function useStatus(): [Status, (status: Status) => void] {
  const [status, setStatus] = useState<Status>(null)
  useEffect(() => {
    if (status?.clearAfter === undefined) return undefined
    const timer = setTimeout(() => setStatus((now) => (now === status ? null : now)), status.clearAfter)
    return () => clearTimeout(timer)
  }, [status])
  return [status, setStatus]
}

/** That so many components are there: said when they come first, and when it is told again. */
function useLoaded(components: number | undefined): [Status, (components: number) => void] {
  const [status, setStatus] = useStatus()
  const [isTold, setTold] = useState(false)
  const tell = (loaded: number) =>
    setStatus({ tone: 'good', text: labelMessages.loaded(loaded), clearAfter: clearAfter.loaded })
  if (components !== undefined && !isTold) {
    setTold(true)
    tell(components)
  }
  return [status, tell]
}

function subtitleOf({ code, quantityField }: Location, components: number): string {
  const counted = howMany(components, 'component')
  return `${placeName(code)}, ${counted}. Quantities are those of this location (${quantityField}).`
}

type ComponentList = ReturnType<typeof usePrintable>

/** What could not be loaded, or not anew. */
function Failures({ list: { error, refetch, ofLabels, ofCode } }: { list: ComponentList }) {
  return (
    <>
      {error !== null && <LoadFailure text={labelMessages.loadError(messageOf(error))} onRetry={refetch} />}
      {ofLabels.error !== null && (
        <LoadFailure
          text={labelMessages.labelledError(messageOf(ofLabels.error))}
          onRetry={ofLabels.refetch}
        />
      )}
      {ofCode.error !== null && (
        <LoadFailure text={labelMessages.loadError(messageOf(ofCode.error))} onRetry={ofCode.refetch} />
      )}
    </>
  )
}

/** Without the list nothing is known of what there is, or of what can be printed. */
export function PrintLabelsScreen() {
  const { location } = useLocatedSession()
  // Of the address as it is: a router takes percent signs of a barcode apart.
  const asked = new URLSearchParams(useSearch()).get('sku')
  const list = usePrintable(asked)
  if (list.isPending) return <Loading label="Loading components..." />
  if (list.data !== undefined) return <PrintDesk list={list} asked={asked} />
  return (
    <Page title={title} subtitle={placeName(location)}>
      <Failures list={list} />
    </Page>
  )
}

function PrintDesk({ list, asked }: { list: ComponentList; asked: string | null }) {
  const { location } = useLocatedSession()
  const place = getLocation(location)
  const field = place.quantityField
  const { components, printable, labelled, isLoaded, isFetching, refetch } = list
  const client = useQueryClient()
  const printing = usePrinting()
  const job = useLabelJob()
  const [view, setView] = useState({ ...firstView, search: asked ?? '' })
  const [loaded, tellLoaded] = useLoaded(isLoaded ? components.length : undefined)
  const [status, setStatus] = useStatus()
  const selection = useSelection(printable, asked)
  const { chosen } = selection
  const search = useLabelSearch({
    search: view.search,
    components,
    onComponent: (item) => selection.add([item]),
  })
  const shown = useShown(printable, { view, field, labelled, found: search.barcodes })
  const needing = useNeeding(components, labelled)
  const refusals = useRefusals(chosen, printing.choice)
  const own = selection.ownCopies
  const labels = countOwnLabels(chosen, { own, each: printing.choice.copies })
  useSearchReport(view.search, location)

  async function refresh(): Promise<void> {
    client.invalidateQueries({ queryKey: [listLabelled.path] }).catch(reportError)
    const { data: fresh, isSuccess } = await refetch()
    if (isSuccess) tellLoaded(fresh.components.length)
  }

  async function print(): Promise<void> {
    if (!isAuthenticated()) {
      setStatus({ tone: 'bad', text: labelMessages.printNotAuthenticated })
      return
    }
    setStatus(null)
    // Without the stock, which changes meanwhile: the same labels asked for again are the same file.
    const items = chosen.map(({ id, barcode, description }) => ({
      id,
      barcode,
      description,
      copies: ownCopiesOf(barcode, own),
    }))
    const body = { ...jobOf(printing), components: items, includeId: false, location, selected: true }
    try {
      if (await job.start(body, labels)) {
        // Others may have been chosen meanwhile.
        selection.leaveOut(items)
        printing.goOnBehind(labels)
        setStatus({ tone: 'good', text: labelMessages.generated(labels), clearAfter: clearAfter.printed })
      } else setStatus({ tone: 'info', text: labelMessages.cancelled[printing.choice.format] })
    } catch (failure) {
      setStatus({ tone: 'bad', text: labelMessages.generateError(refusalOf(failure)) })
    }
  }

  return (
    <Page title={title} subtitle={subtitleOf(place, components.length)}>
      <Failures list={list} />
      <PassingStatus status={loaded} />
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[minmax(0,1fr)_27rem] lg:gap-6">
        <div className="flex min-w-0 flex-col gap-4">
          <ViewBar view={view} knowsLabelled={labelled !== null} search={search} onView={setView} />
          <SelectionCard
            shown={shown}
            needing={needing}
            view={view}
            isSearching={search.isSearching}
            field={field}
            selection={selection}
            copies={printing.choice.copies}
            isEmpty={components.length === 0}
            onRefresh={isFetching ? null : () => void refresh().catch(reportError)}
          />
          <PrintTips printing={printing} busy={job.progress !== null} />
          <BinLabels printing={printing} busy={job.progress !== null} />
        </div>
        <JobPanel
          printing={printing}
          example={chosen[0] ?? shown[0] ?? null}
          items={chosen}
          labels={labels}
          job={job}
          busy={job.progress !== null}
          status={status}
        >
          <PrintActions
            chosen={chosen.length}
            labels={labels}
            asks={chosen.length === 0 && status?.tone !== 'good'}
            refusals={refusals}
            fault={ownCopiesFault(chosen, own)}
            copies={printing.choice.copies}
            busy={job.progress !== null}
            onLeaveOut={() => selection.leaveOut(refusals)}
            onPrint={() => void print()}
          />
        </JobPanel>
      </div>
    </Page>
  )
}

type PrintActionsProps = {
  chosen: number
  /** How many labels they are, with their copies. */
  labels: number
  /** Whether it is said that something has to be chosen: not to who has just printed it. */
  asks: boolean
  refusals: ReturnType<typeof useRefusals>
  /** What is wrong with the copies of one. */
  fault: string | null
  copies: number
  busy: boolean
  onLeaveOut: () => void
  onPrint: () => void
}

/** The button that prints, and why it cannot be pressed. */
function PrintActions({
  chosen,
  labels,
  asks,
  refusals,
  fault,
  copies,
  busy,
  onLeaveOut,
  onPrint,
}: PrintActionsProps) {
  const missingId = useId()
  const cannot = chosen === 0 || refusals.length > 0 || fault !== null || copies === 0
  return (
    <>
      <div id={missingId} className="flex flex-col gap-4 empty:hidden">
        <RefusalList
          refusals={refusals}
          action={
            <Button onClick={onLeaveOut}>
              {refusals.length === 1 ? 'Leave It Out' : `Leave Out ${formatNumber(refusals.length)}`}
            </Button>
          }
        />
        {fault !== null && (
          <p role="alert" className="text-sm break-words text-bad-text">
            {fault}
          </p>
        )}
        {asks && <p className="text-sm text-muted">{labelMessages.selectOne}</p>}
      </div>
      <Button look="primary" aria-describedby={missingId} disabled={busy || cannot} onClick={onPrint}>
        {busy ? 'Generating...' : `Print ${howMany(labels, 'Label')}`}
      </Button>
    </>
  )
}
