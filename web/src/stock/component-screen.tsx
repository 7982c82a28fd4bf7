import Archive from 'lucide-react/icons/archive'
import ArchiveRestore from 'lucide-react/icons/archive-restore'
import ArrowRightLeft from 'lucide-react/icons/arrow-right-left'
import ChevronLeft from 'lucide-react/icons/chevron-left'
import Diff from 'lucide-react/icons/diff'
import Pencil from 'lucide-react/icons/pencil'
import PencilRuler from 'lucide-react/icons/pencil-ruler'
import Printer from 'lucide-react/icons/printer'
import ScrollText from 'lucide-react/icons/scroll-text'
import { Suspense, useState, type ReactNode } from 'react'
import { Link } from 'wouter'
import { usePathname } from 'wouter/use-browser-location'
import { isUnreached, messageOf } from '../api/api-error.ts'
import { formatDate, formatDateTime } from '../lib/dates.ts'
import { pathFor, paths } from '../lib/paths.ts'
import { useLocatedSession } from '../session/session.ts'
import { Banner } from '../ui/banner.tsx'
import { Button, buttonClasses } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { LoadFailure } from '../ui/load-failure.tsx'
import { Loading } from '../ui/loading.tsx'
import { NotLoadedPart } from '../ui/not-loaded-part.tsx'
import { Page } from '../ui/page.tsx'
import { part } from '../ui/part.tsx'
import { AdjustDialog } from './adjust-dialog.tsx'
import { Transfers } from './arrivals.tsx'
import { CostDialog, type SavedCost } from './cost-dialog.tsx'
import { CorrectDialog, DescribeDialog, MoveDialog } from './edit-dialogs.tsx'
import { KeptDialog } from './kept-dialog.tsx'
import { CountList, LabelList, MovementList } from './ledger-lists.tsx'
import { OtherBarcodes } from './other-barcodes.tsx'
import { PlaceDialog } from './place-dialog.tsx'
import { useComponent, useLedger } from './queries.ts'
import { ReinstateDialog, RetireDialog } from './retire-dialogs.tsx'
import { StockCard } from './stock-card.tsx'
import { UndoRemoval } from './undo-removal.tsx'

const ledgerChart = part(async () => (await import('./ledger-chart.tsx')).LedgerChart, NotLoadedPart)

/**
 * The barcode in the address; null where that cannot be read. Read from it as it is, because a barcode may hold signs that a
 * router takes apart.
 */
function useBarcode(): string | null {
  const given = usePathname().slice(paths.components.length + 1)
  try {
    return decodeURIComponent(given)
  } catch (error) {
    if (error instanceof URIError) return null
    throw error
  }
}

/** Stock over time, over a box of its final size, so that nothing jumps. */
function LedgerCard({ barcode }: { barcode: string }) {
  const { data, error, refetch } = useLedger(barcode)
  const first = data?.steps[0]
  return (
    <Card
      title={first === undefined ? 'Stock over time' : `Stock over time since ${formatDate(first.timestamp)}`}
    >
      <div className="grid min-h-65 items-center">
        {error !== null && <LoadFailure text={messageOf(error)} onRetry={refetch} />}
        {data === undefined && error === null && <Loading label="Loading the ledger..." />}
        {data?.steps.length === 0 && <EmptyState title="No movements yet" />}
        {data !== undefined && data.steps.length > 0 && (
          <Suspense fallback={<Loading label="Loading the chart..." />}>
            <ledgerChart.Content steps={data.steps} />
          </Suspense>
        )}
      </div>
    </Card>
  )
}

function NotShown({ title, sentence }: { title: string; sentence: string }) {
  return (
    <Page title={title}>
      <Banner tone="bad">{sentence}</Banner>
      <div>
        <Link href={paths.components} className={buttonClasses('secondary')}>
          All components
        </Link>
      </div>
    </Page>
  )
}

type Doing =
  | 'nothing'
  | 'describing'
  | 'placing'
  | 'keeping'
  | 'costing'
  | 'correcting'
  | 'adjusting'
  | 'moving'
  | 'retiring'
  | 'reinstating'

/** What administrators do with a component; with a retired one nothing but bring it back. */
function AdminActions({ isRetired, onDo }: { isRetired: boolean; onDo: (doing: Doing) => void }) {
  if (isRetired) {
    return (
      <Button look="primary" onClick={() => onDo('reinstating')}>
        <ArchiveRestore aria-hidden className="size-4" />
        Bring back
      </Button>
    )
  }
  return (
    <>
      <Button onClick={() => onDo('retiring')}>
        <Archive aria-hidden className="size-4" />
        Retire
      </Button>
      <Button onClick={() => onDo('describing')}>
        <Pencil aria-hidden className="size-4" />
        Edit description
      </Button>
      <Button onClick={() => onDo('correcting')}>
        <PencilRuler aria-hidden className="size-4" />
        Correct stock
      </Button>
      <Button onClick={() => onDo('adjusting')}>
        <Diff aria-hidden className="size-4" />
        Receive or issue
      </Button>
      <Button look="primary" onClick={() => onDo('moving')}>
        <ArrowRightLeft aria-hidden className="size-4" />
        Move stock
      </Button>
    </>
  )
}

type ActionsProps = { barcode: string; isRetired: boolean; onDo: (doing: Doing) => void }

function Actions({ barcode, isRetired, onDo }: ActionsProps) {
  const { user } = useLocatedSession()
  return (
    <div className="grid grid-cols-2 gap-2 sm:flex sm:flex-wrap">
      <Link href={paths.components} className={buttonClasses('quiet')}>
        <ChevronLeft aria-hidden className="size-4" />
        All components
      </Link>
      <Link href={pathFor(paths.auditTrail, barcode)} className={buttonClasses('secondary')}>
        <ScrollText aria-hidden className="size-4" />
        Audit trail
      </Link>
      {!isRetired && (
        <Link href={pathFor(paths.printSettings, barcode)} className={buttonClasses('secondary')}>
          <Printer aria-hidden className="size-4" />
          Print label
        </Link>
      )}
      {user.role === 'admin' && <AdminActions isRetired={isRetired} onDo={onDo} />}
    </div>
  )
}

type Detail = NonNullable<ReturnType<typeof useComponent>['data']>

/** Whether what its newest label says still holds. */
function labelSentence(label: NonNullable<Detail['label']>): string {
  const printed = `Its label was printed last on ${formatDateTime(label.printed_at)}`
  return label.current ? `${printed} and is up to date.` : `${printed}. The description has changed since.`
}

function RetiredNotice({ retired }: Pick<Detail, 'retired'>) {
  if (retired === null) return null
  return (
    <Banner tone="warn">
      Retired by {retired.by} on {formatDateTime(retired.at)}: it is in no list and is not counted.
    </Banner>
  )
}

type DialogsProps = {
  doing: Doing
  detail: Detail
  onClose: () => void
  onSaved: (words: string) => void
  onCost: (saved: SavedCost) => void
}

/** Says what one piece costs, where that is told. */
function Cost({ detail, onClose, onCost }: Omit<DialogsProps, 'doing' | 'onSaved'>) {
  const { barcode, stock, administration } = detail
  if (administration === undefined) return null
  const total = stock.reduce((sum, { quantity }) => sum + quantity, 0)
  const { unit_cost: unitCost, currency } = administration
  return <CostDialog {...{ barcode, unitCost, currency, total, onClose }} onSaved={onCost} />
}

/** The dialog of what is being done. */
function Dialogs({ doing, detail, onClose, onSaved, onCost }: DialogsProps) {
  const { barcode, description, aliases, stock } = detail
  const { location } = useLocatedSession()
  const held = new Map(stock.map((line) => [line.location, line.quantity]))
  const dialog = { barcode, onClose, onSaved }
  return (
    <>
      {doing === 'describing' && <DescribeDialog {...dialog} description={description} />}
      {doing === 'placing' && <PlaceDialog {...dialog} aliases={aliases} here={location} stock={stock} />}
      {doing === 'keeping' && <KeptDialog {...dialog} stock={stock} />}
      {doing === 'costing' && <Cost detail={detail} onClose={onClose} onCost={onCost} />}
      {doing === 'correcting' && <CorrectDialog {...dialog} here={location} stock={held} />}
      {doing === 'adjusting' && <AdjustDialog {...dialog} here={location} stock={held} />}
      {doing === 'moving' && <MoveDialog {...dialog} from={location} stock={held} />}
      {doing === 'retiring' && <RetireDialog {...dialog} />}
      {doing === 'reinstating' && <ReinstateDialog {...dialog} />}
    </>
  )
}

function Shown({ detail, failure }: { detail: Detail; failure: ReactNode }) {
  const {
    barcode,
    description,
    aliases,
    packs = [],
    label,
    retired,
    stock,
    transfers,
    administration,
  } = detail
  const [doing, setDoing] = useState<Doing>('nothing')
  const [done, setDone] = useState<SavedCost | null>(null)
  const say = (words: string | null) => setDone(words === null ? null : { words, removed: null })
  return (
    <Page
      title={barcode}
      subtitle={description || 'No Description'}
      actions={<Actions barcode={barcode} isRetired={retired !== null} onDo={setDoing} />}
    >
      {failure}
      {done !== null && (
        <Banner tone="good">
          {done.words}
          {done.removed !== null && administration?.unit_cost === null && (
            <UndoRemoval barcode={barcode} cost={done.removed} onSaid={say} />
          )}
        </Banner>
      )}
      <RetiredNotice retired={retired} />
      <StockCard
        stock={stock}
        isRetired={retired !== null}
        cost={administration}
        onPlace={() => setDoing('placing')}
        onKeep={() => setDoing('keeping')}
        onCost={() => setDoing('costing')}
      />
      {label !== null && <p className="text-sm text-muted">{labelSentence(label)}</p>}
      <Transfers title="On its way" transfers={transfers} named={false} onSaid={say} />
      <OtherBarcodes
        barcode={barcode}
        aliases={aliases}
        packs={packs}
        isRetired={retired !== null}
        onSaved={say}
      />
      <LedgerCard barcode={barcode} />
      <MovementList barcode={barcode} />
      <CountList barcode={barcode} />
      <LabelList barcode={barcode} everPrinted={label !== null} />
      <Dialogs
        doing={doing}
        detail={detail}
        onClose={() => setDoing('nothing')}
        onSaved={say}
        onCost={setDone}
      />
    </Page>
  )
}

function Component({ barcode }: { barcode: string }) {
  const { data, error, refetch } = useComponent(barcode)
  if (data !== undefined) {
    const failure = error !== null && isUnreached(error) && (
      <LoadFailure text={`The component could not be loaded again: ${messageOf(error)}`} onRetry={refetch} />
    )
    return <Shown detail={data} failure={failure} />
  }
  if (error === null) return <Loading label="Loading the component..." />
  if (!isUnreached(error)) return <NotShown title={barcode} sentence={messageOf(error)} />
  return (
    <Page title={barcode}>
      <LoadFailure text={messageOf(error)} onRetry={refetch} />
    </Page>
  )
}

/** One component: where it lies, how its stock went, what was counted and printed; its stock is corrected, and administrators edit and move it. */
export function ComponentScreen() {
  const barcode = useBarcode()
  if (barcode === null) return <NotShown title="Component" sentence="There is nothing at this address." />
  return <Component key={barcode} barcode={barcode} />
}
