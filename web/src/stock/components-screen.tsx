import type { Role } from '@inventory-manager/contract/roles'
import type { LocationCode } from '@inventory-manager/contract/locations'
import { planLocations, type PlanKey } from '@inventory-manager/contract/plans'
import type { ComponentSort, ListedComponent } from '@inventory-manager/contract/stock/component-endpoints'
import { useDeferredValue, useState } from 'react'
import { Link } from 'wouter'
import { messageOf } from '../api/api-error.ts'
import { standingOf } from '../api/list-standing.ts'
import { readOwner } from '../api/token.ts'
import { exportPath, paths, type ExportOf } from '../lib/paths.ts'
import { placeName } from '../session/place-names.ts'
import { useLocatedSession } from '../session/session.ts'
import { Button, buttonClasses } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Fold } from '../ui/fold.tsx'
import { FoundStatus } from '../ui/found-status.tsx'
import { LoadFailure } from '../ui/load-failure.tsx'
import { LoadingRows } from '../ui/loading.tsx'
import { Page } from '../ui/page.tsx'
import { ListFailure } from '../ui/paged-list.tsx'
import { readAddress, useKeptInAddress } from '../ui/use-address.ts'
import { useIsNarrow, useIsPhone } from '../ui/use-narrow.ts'
import { VirtualList } from '../ui/virtual-list.tsx'
import { Arrivals } from './arrivals.tsx'
import { ComponentRow } from './component-row.tsx'
import { addressOf, SearchForm, soughtIn, type Choice } from './component-search.tsx'
import { begunWith, type Begun } from './begun-component.ts'
import { KeptHereDialog } from './kept-here-dialog.tsx'
import { NewComponentDialog } from './new-component-dialog.tsx'
import { linesOf, lowWords } from './placements.ts'
import { useComponents } from './queries.ts'

/** Pixels: of two lines, and of a phone's three. */
const rowHeight = 64
const phoneRowHeight = 84

/** Of each line that says where something is low. */
const lineHeight = 20

type Sought = { text: string; choice: Choice; sort: ComponentSort }

const whatIsLow = 'A component is low where it has less stock than its minimum, which is set on its own page.'

const nothingYet: Record<Choice, { title: string; hint: string }> = {
  active: { title: 'No components yet', hint: 'Generate labels for new products to add them.' },
  low: { title: 'Nothing is low', hint: whatIsLow },
  low_here: { title: 'Nothing is low here', hint: whatIsLow },
  not_kept: {
    title: 'Everything is kept here',
    hint: "What a location leaves out is not counted there. Set this on a component's page, with Change several, or for all at once under More.",
  },
  uncosted: {
    title: 'No component in stock is without a unit cost',
    hint: 'What one piece costs is set on the page of the component, by Change several, or by an import.',
  },
  retired: {
    title: 'No retired components',
    hint: 'A component that is no longer kept is retired on its own page and leaves all lists.',
  },
}

/** Files are imported by administrators only. */
function hintFor(choice: Choice, role: Role): string {
  if (choice === 'active' && role === 'admin') return 'Import a file, or generate labels for new products.'
  return nothingYet[choice].hint
}

/** What a file has of a list. */
function exportOf(choice: Choice, here: LocationCode): Omit<ExportOf, 'text'> {
  if (choice === 'low_here') return { state: 'low', location: here }
  if (choice === 'not_kept') return { state: choice, location: here }
  return choice === 'low' || choice === 'uncosted' ? { state: choice } : {}
}

type RowsProps = {
  list: ReturnType<typeof useComponents>
  sought: Sought
  /** Makes a component of what was searched; null for who may not. */
  onNew: (() => void) | null
}

/** That nothing was found, and what to do about it. */
function NoneFound({ sought: { text, choice }, onNew }: Omit<RowsProps, 'list'>) {
  const { user } = useLocatedSession()
  if (text === '') {
    return <EmptyState title={nothingYet[choice].title}>{hintFor(choice, user.role)}</EmptyState>
  }
  return (
    <EmptyState title={`Nothing found for "${text}"`}>
      <p>Try a part of the barcode, the bin or the description.</p>
      {onNew !== null && (
        <Button className="mt-3" onClick={onNew}>
          Make it a component
        </Button>
      )}
    </EmptyState>
  )
}

/** Where it is said what is low, first where somebody works; nowhere in the other lists. */
function lookedAtFor(choice: Choice, { plan, here }: { plan: PlanKey; here: LocationCode }): LocationCode[] {
  if (choice === 'low_here') return [here]
  if (choice !== 'low') return []
  const others = planLocations(plan).filter(({ code }) => code !== here)
  return [here, ...others.map(({ code }) => code)]
}

/** What all pages list, each once: what moved on meanwhile may be on two. */
function itemsOf({ data }: RowsProps['list']): ListedComponent[] {
  const listed = data?.pages.flatMap(({ components }) => components) ?? []
  return [...new Map(listed.map((item) => [item.barcode, item])).values()]
}

/** As high as the list that comes. */
function RowsToCome() {
  return (
    <div className="h-[60dvh] overflow-hidden">
      <LoadingRows label="Loading components..." rows={20} />
    </div>
  )
}

/** What was found; the next page comes as the end of the list is reached, and after a failure only when asked for. */
function Rows({ list, sought, onNew }: RowsProps) {
  const { text, choice, sort } = sought
  const { user, location } = useLocatedSession()
  const isNarrow = useIsNarrow()
  const plainHeight = useIsPhone() ? phoneRowHeight : rowHeight
  const lookedAt = lookedAtFor(choice, { plan: user.plan, here: location })
  const heightOf = (item: ListedComponent) =>
    plainHeight + lineHeight * linesOf(lowWords(item, lookedAt), isNarrow)
  const items = itemsOf(list)
  if (standingOf(list, items.length).isLoading) return <RowsToCome />
  if (items.length === 0) return <NoneFound sought={sought} onNew={onNew} />
  const last = items.at(-1)
  const more = list.hasNextPage && !list.isFetchingNextPage && !list.isFetchNextPageError
  const loadMore = () => void list.fetchNextPage()
  return (
    <VirtualList
      soughtBy={`${choice} ${sort} ${text}`}
      label="Components"
      items={items}
      keyOf={({ barcode }) => barcode}
      rowHeight={lookedAt.length === 0 ? plainHeight : heightOf}
      className="h-[60dvh]"
      keepsPlace
    >
      {(item) => (
        <ComponentRow
          item={item}
          here={location}
          isRetired={choice === 'retired'}
          low={lowWords(item, lookedAt)}
          onShown={more && item === last ? loadMore : null}
        />
      )}
    </VirtualList>
  )
}

/** How many are found by now, where something is sought. */
function foundBy({ text, choice }: Sought, list: RowsProps['list']): number | null {
  const isSought = text !== '' || choice !== 'active'
  return isSought && list.data !== undefined && !list.isPlaceholderData ? itemsOf(list).length : null
}

function Found({ list, sought, onNew }: RowsProps) {
  const { data, error } = list
  const failure = error === null ? null : `The components could not be loaded: ${messageOf(error)}`
  return (
    <>
      <FoundStatus found={foundBy(sought, list)} hasMore={list.hasNextPage} />
      <div className="p-4 empty:hidden">
        <ListFailure list={list} failure={failure} />
      </div>
      {data === undefined && failure === null && <RowsToCome />}
      {data !== undefined && <Rows list={list} sought={sought} onNew={onNew} />}
      {failure !== null && list.isFetchNextPageError && (
        <div className="border-t border-line p-3">
          <LoadFailure text={failure} onRetry={list.fetchNextPage} />
        </div>
      )}
    </>
  )
}

/** The ways to what else there is of what is listed. */
function Lists({ sought: { search, choice } }: { sought: ReturnType<typeof soughtIn> }) {
  const { location } = useLocatedSession()
  return (
    <>
      <Link href={paths.transfers} className={buttonClasses('secondary')}>
        Transfers
      </Link>
      {/* Files are of components in use. */}
      {choice !== 'retired' && (
        <Link
          href={exportPath({ text: search.trim(), ...exportOf(choice, location) })}
          className={buttonClasses('secondary')}
        >
          Export
        </Link>
      )}
    </>
  )
}

/** What administrators do besides: new ones, many at once, and what else there is of the list. */
function AdminActions({ asked, onNew }: { asked: ReturnType<typeof soughtIn>; onNew: () => void }) {
  const { user, location } = useLocatedSession()
  const [isKeeping, setKeeping] = useState(false)
  return (
    <>
      <Button onClick={onNew}>New component</Button>
      <Fold label="More">
        <Link href={paths.importComponents} className={buttonClasses('secondary')}>
          Import
        </Link>
        <Link href={paths.changeComponents} className={buttonClasses('secondary')}>
          Change several
        </Link>
        {planLocations(user.plan).length > 1 && (
          <Button onClick={() => setKeeping(true)}>What is kept here</Button>
        )}
        <Lists sought={asked} />
      </Fold>
      {isKeeping && <KeptHereDialog location={location} onClose={() => setKeeping(false)} />}
    </>
  )
}

/** The state that the list asks for, and where it is looked for. */
function stateOf(choice: Choice, here: LocationCode) {
  if (choice === 'low_here') return { state: 'low', at: here } as const
  return choice === 'not_kept' ? { state: choice, at: here } : { state: choice }
}

/** Every component of the company, found by a part of any of its barcodes, of its description or of a bin it lies in. */
export function ComponentsScreen() {
  const { user, location } = useLocatedSession()
  const [owner] = useState(readOwner)
  const [asked, setAsked] = useState(() => soughtIn(readAddress(owner), user))
  const { search, choice, sort } = asked
  useKeptInAddress(addressOf(asked), { owner, onAsked: (address) => setAsked(soughtIn(address, user)) })
  const text = useDeferredValue(search.trim())
  const sought = { text, choice, sort }
  const order = { sort, here: location }
  // Asked for beside what is on its way, not after it.
  const list = useComponents({ text, ...stateOf(choice, location), ...order })
  const [begun, setBegun] = useState<Begun | null>(null)
  const isAdmin = user.role === 'admin'
  // What is not low, or has a cost, may well be there.
  const mayAdd = isAdmin && (choice === 'active' || choice === 'retired')
  return (
    <Page
      title="Components"
      subtitle={`Stock, movements and counts of every SKU. "Here" is ${placeName(location)}.`}
      actions={
        isAdmin ? (
          <AdminActions asked={asked} onNew={() => setBegun(begunWith(''))} />
        ) : (
          <Lists sought={asked} />
        )
      }
    >
      <Arrivals>
        <Card flush>
          <SearchForm
            {...asked}
            onSearch={(typed) => setAsked({ ...asked, search: typed })}
            onChoice={(chosen) => setAsked({ ...asked, choice: chosen })}
            onSort={(by) => setAsked({ ...asked, sort: by })}
          />
          <Found list={list} sought={sought} onNew={mayAdd ? () => setBegun(begunWith(text)) : null} />
        </Card>
      </Arrivals>
      {begun !== null && <NewComponentDialog begun={begun} onClose={() => setBegun(null)} />}
    </Page>
  )
}
