import type { Role } from '@inventory-manager/contract/roles'
import { getLocation, type LocationCode } from '@inventory-manager/contract/locations'
import type { ComponentState, ListedComponent } from '@inventory-manager/contract/stock/component-endpoints'
import { useDeferredValue, useEffect, useState } from 'react'
import { Link } from 'wouter'
import { messageOf } from '../api/api-error.ts'
import { standingOf } from '../api/list-standing.ts'
import { readOwner } from '../api/token.ts'
import { formatNumber } from '../lib/numbers.ts'
import { componentPath, exportPath, paths } from '../lib/paths.ts'
import { useLocatedSession } from '../session/session.ts'
import { Button, buttonClasses } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { LoadFailure } from '../ui/load-failure.tsx'
import { Loading } from '../ui/loading.tsx'
import { Page } from '../ui/page.tsx'
import { ListFailure } from '../ui/paged-list.tsx'
import { readAddress, useKeptInAddress } from '../ui/use-address.ts'
import { VirtualList } from '../ui/virtual-list.tsx'
import { Arrivals } from './arrivals.tsx'
import { SearchForm, soughtIn } from './component-search.tsx'
import { begunWith, type Begun } from './begun-component.ts'
import { NewComponentDialog } from './new-component-dialog.tsx'
import { useComponents } from './queries.ts'

const rowHeight = 64

type RowProps = { item: ListedComponent; location: LocationCode; onShown: (() => void) | null }

/** One component; the last one of what is loaded says when it is drawn, so that more is. */
function Row({ item, location, onShown }: RowProps) {
  useEffect(() => onShown?.(), [onShown])
  return (
    <Link
      href={componentPath(item.barcode)}
      className="flex h-full items-center gap-4 px-4 hover:bg-sunken focus-visible:-outline-offset-2"
    >
      <span className="min-w-0 flex-1">
        <span className="block truncate font-mono">
          {item.barcode}
          {item.aliases.length > 0 && <span className="text-sm text-muted"> {item.aliases.join(', ')}</span>}
        </span>
        <span className="block truncate text-sm text-muted">{item.description || 'No Description'}</span>
      </span>
      <span className="text-right text-sm tabular-nums">
        <span className="block font-medium">{formatNumber(item.stock[location] ?? 0)} here</span>
        <span className="block text-muted">{formatNumber(item.total_quantity)} in all</span>
      </span>
    </Link>
  )
}

type Sought = { text: string; state: ComponentState }

const nothingYet: Record<ComponentState, { title: string; hint: string }> = {
  active: { title: 'No components yet', hint: 'Generate labels for new products to add them.' },
  low: {
    title: 'Nothing is low',
    hint: 'A component is low where its stock is below the minimum that its own page has for the location.',
  },
  retired: {
    title: 'No retired components',
    hint: 'A component that is no longer kept is retired on its own page and leaves all lists.',
  },
}

/** Files are imported by administrators only. */
function hintFor(state: ComponentState, role: Role): string {
  if (state === 'active' && role === 'admin') return 'Import a file, or generate labels for new products.'
  return nothingYet[state].hint
}

type RowsProps = {
  list: ReturnType<typeof useComponents>
  sought: Sought
  /** Makes a component of what was searched; null for who may not. */
  onNew: (() => void) | null
}

/** That nothing was found, and what to do about it. */
function NoneFound({ sought: { text, state }, onNew }: Omit<RowsProps, 'list'>) {
  const { user } = useLocatedSession()
  if (text === '') {
    return <EmptyState title={nothingYet[state].title}>{hintFor(state, user.role)}</EmptyState>
  }
  return (
    <EmptyState title={`Nothing found for "${text}"`}>
      <p>Try a part of the barcode.</p>
      {onNew !== null && (
        <Button className="mt-3" onClick={onNew}>
          Make it a component
        </Button>
      )}
    </EmptyState>
  )
}

/** What was found; the next page comes as the end of the list is reached, and after a failure only when asked for. */
function Rows({ list, sought, onNew }: RowsProps) {
  const { text, state } = sought
  const { location } = useLocatedSession()
  const items = list.data?.pages.flatMap(({ components }) => components) ?? []
  if (standingOf(list, items.length).isLoading) return <Loading label="Loading components..." />
  if (items.length === 0) return <NoneFound sought={sought} onNew={onNew} />
  const last = items.at(-1)
  const more = list.hasNextPage && !list.isFetchingNextPage && !list.isFetchNextPageError
  const loadMore = () => void list.fetchNextPage()
  return (
    <VirtualList
      soughtBy={`${state} ${text}`}
      label="Components"
      items={items}
      keyOf={({ barcode }) => barcode}
      rowHeight={rowHeight}
      className="h-[60dvh]"
      keepsPlace
    >
      {(item) => <Row item={item} location={location} onShown={more && item === last ? loadMore : null} />}
    </VirtualList>
  )
}

function Found({ list, sought, onNew }: RowsProps) {
  const { data, error } = list
  const failure = error === null ? null : `The components could not be loaded: ${messageOf(error)}`
  return (
    <>
      <div className="p-4 empty:hidden">
        <ListFailure list={list} failure={failure} />
      </div>
      {data === undefined && failure === null && <Loading label="Loading components..." />}
      {data !== undefined && <Rows list={list} sought={sought} onNew={onNew} />}
      {failure !== null && list.isFetchNextPageError && (
        <div className="border-t border-line p-3">
          <LoadFailure text={failure} onRetry={list.fetchNextPage} />
        </div>
      )}
    </>
  )
}

/** Every component of the company, found by a part of any of its barcodes or of its description. */
export function ComponentsScreen() {
  const { user, location } = useLocatedSession()
  const [owner] = useState(readOwner)
  const [{ search, state }, setSought] = useState(() => soughtIn(readAddress(owner)))
  useKeptInAddress(
    { text: search.trim(), state: state === 'active' ? '' : state },
    { owner, onAsked: (address) => setSought(soughtIn(address)) },
  )
  const text = useDeferredValue(search.trim())
  const sought = { text, state }
  // Asked for beside what is on its way, not after it.
  const list = useComponents(sought)
  const [begun, setBegun] = useState<Begun | null>(null)
  const isAdmin = user.role === 'admin'
  return (
    <Page
      title="Components"
      subtitle={`Stock, movements and counts of every SKU. "Here" is ${getLocation(location).name}.`}
      actions={
        <>
          {isAdmin && (
            <>
              <Button onClick={() => setBegun(begunWith(''))}>New component</Button>
              <Link href={paths.importComponents} className={buttonClasses('secondary')}>
                Import
              </Link>
              <Link href={paths.changeComponents} className={buttonClasses('secondary')}>
                Change several
              </Link>
            </>
          )}
          <Link href={paths.pastTransfers} className={buttonClasses('secondary')}>
            Past transfers
          </Link>
          {/* Files are of components in use. */}
          {state === 'active' && (
            <Link href={exportPath(search.trim())} className={buttonClasses('secondary')}>
              Export
            </Link>
          )}
        </>
      }
    >
      <Arrivals>
        <Card flush>
          <SearchForm
            search={search}
            state={state}
            onSearch={(typed) => setSought({ search: typed, state })}
            onState={(chosen) => setSought({ search, state: chosen })}
          />
          <Found list={list} sought={sought} onNew={isAdmin ? () => setBegun(begunWith(text)) : null} />
        </Card>
      </Arrivals>
      {begun !== null && <NewComponentDialog begun={begun} onClose={() => setBegun(null)} />}
    </Page>
  )
}
