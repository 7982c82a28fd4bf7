import { labelMessages } from '@inventory-manager/contract/labels/messages'
import type { QuantityField } from '@inventory-manager/contract/locations'
import { howMany } from '@inventory-manager/contract/numbers'
import type { Component } from '@inventory-manager/contract/stock/endpoints'
import RefreshCw from 'lucide-react/icons/refresh-cw'
import { Link } from 'wouter'
import { formatNumber } from '../lib/numbers.ts'
import { paths } from '../lib/paths.ts'
import { useLocatedSession } from '../session/session.ts'
import { Button, buttonClasses } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { FoundStatus } from '../ui/found-status.tsx'
import { ComponentPicker } from './component-picker.tsx'
import { filterLabels, type View } from './component-view.tsx'
import type { Selection } from './use-selection.ts'

type SelectionCardProps = {
  shown: Component[]
  needing: Component[]
  view: View
  /** Whether more may be found. */
  isSearching: boolean
  field: QuantityField
  selection: Selection
  /** Those of each label. */
  copies: number
  /** Whether the company has no component. */
  isEmpty: boolean
  onRefresh: (() => void) | null
}

/** The filters that are ticked, as they are called. */
function tickedOf({ onlyWithStock, onlyNeedingLabel }: View): string[] {
  return [
    ...(onlyWithStock ? [filterLabels.withStock] : []),
    ...(onlyNeedingLabel ? [filterLabels.needsLabel] : []),
  ]
}

const isSought = (view: View) => view.search.trim() !== '' || tickedOf(view).length > 0

function emptyText({
  view,
  isEmpty,
  isSearching,
}: Pick<SelectionCardProps, 'view' | 'isEmpty' | 'isSearching'>) {
  if (isSearching) return labelMessages.searching
  if (view.search.trim() !== '') return labelMessages.noMatch(view.search)
  const ticked = tickedOf(view)
  return isEmpty || ticked.length === 0 ? labelMessages.none : labelMessages.noneTicked(ticked)
}

/** That filters may have hidden what was searched for. */
function emptyHint(view: View): string | undefined {
  const ticked = tickedOf(view)
  return view.search.trim() === '' || ticked.length === 0 ? undefined : labelMessages.alsoTicked(ticked)
}

/** The list with what is chosen of it; `onRefresh` is null while the list is being loaded. */
export function SelectionCard({
  shown,
  needing,
  view,
  isSearching,
  field,
  selection,
  copies,
  isEmpty,
  onRefresh,
}: SelectionCardProps) {
  return (
    <Card
      title={`${formatNumber(selection.chosen.length)} selected`}
      aside={
        <div className="flex flex-wrap gap-2">
          <Button onClick={() => selection.add(shown)}>Select All ({formatNumber(shown.length)})</Button>
          <Button onClick={() => selection.replace([])}>Clear Selection</Button>
          <Button onClick={() => onRefresh?.()} rests={onRefresh === null}>
            <RefreshCw aria-hidden className="size-4" />
            Refresh
          </Button>
        </div>
      }
      flush
    >
      <FoundStatus found={isSearching || !isSought(view) ? null : shown.length} />
      <NeedsLabel count={needing.length} onSelect={() => selection.replace(needing)} />
      <ComponentPicker
        soughtBy={view.search}
        components={shown}
        field={field}
        selection={selection}
        copies={copies}
        emptyText={emptyText({ view, isEmpty, isSearching })}
        emptyHint={isEmpty ? <FirstComponents /> : emptyHint(view)}
      />
    </Card>
  )
}

/** How components come into a company without any. */
function FirstComponents() {
  const { user } = useLocatedSession()
  if (user.role !== 'admin') return 'Generate labels for your products to add them.'
  return (
    <>
      <p className="mb-4">Import a file with what you have, or generate labels for new products.</p>
      <Link href={paths.importComponents} className={buttonClasses('primary')}>
        Import a file
      </Link>
    </>
  )
}

/** How many components have no label that says what they are now, and a way to take them all. */
function NeedsLabel({ count, onSelect }: { count: number; onSelect: () => void }) {
  if (count === 0) return null
  return (
    <div className="flex flex-wrap items-center justify-between gap-2 border-b border-line px-4 py-2 text-sm">
      <p>{howMany(count, 'component needs', 'components need')} a label: never labelled, or changed since.</p>
      <Button look="quiet" onClick={onSelect}>
        {count === 1 ? 'Select It' : `Select These ${formatNumber(count)}`}
      </Button>
    </div>
  )
}
