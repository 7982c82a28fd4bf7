import type { Role } from '@inventory-manager/contract/roles'
import { maxBarcodeLength } from '@inventory-manager/contract/values'
import { getLocation, type LocationCode } from '@inventory-manager/contract/locations'
import {
  componentDetail,
  type ComponentState,
  type ListedComponent,
} from '@inventory-manager/contract/stock/component-endpoints'
import { useDeferredValue, useEffect, useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { ApiError, messageOf } from '../api/api-error.ts'
import { call } from '../api/client.ts'
import { standingOf } from '../api/list-standing.ts'
import { readOwner } from '../api/token.ts'
import { formatNumber } from '../lib/numbers.ts'
import { componentPath, exportPath, paths } from '../lib/paths.ts'
import { useScannersOfCompany } from '../scanning/company-scanners.ts'
import { codesMeant } from '../scanning/meant.ts'
import { useLocatedSession } from '../session/session.ts'
import { buttonClasses } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { SelectField } from '../ui/field.tsx'
import { LoadFailure } from '../ui/load-failure.tsx'
import { Loading } from '../ui/loading.tsx'
import { Page } from '../ui/page.tsx'
import { ListFailure } from '../ui/paged-list.tsx'
import { SearchField } from '../ui/search-field.tsx'
import { readAddress, useKeptInAddress } from '../ui/use-address.ts'
import { VirtualList } from '../ui/virtual-list.tsx'
import { Arrivals } from './arrivals.tsx'
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

type RowsProps = { list: ReturnType<typeof useComponents>; sought: Sought }

/** What was found; the next page comes as the end of the list is reached, and after a failure only when asked for. */
function Rows({ list, sought }: RowsProps) {
  const { text, state } = sought
  const { location, user } = useLocatedSession()
  const items = list.data?.pages.flatMap(({ components }) => components) ?? []
  if (standingOf(list, items.length).isLoading) return <Loading label="Loading components..." />
  if (items.length === 0) {
    return (
      <EmptyState title={text === '' ? nothingYet[state].title : `Nothing found for "${text}"`}>
        {text === '' ? hintFor(state, user.role) : 'Try a part of the barcode.'}
      </EmptyState>
    )
  }
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

function Found({ list, sought }: RowsProps) {
  const { data, error } = list
  const failure = error === null ? null : `The components could not be loaded: ${messageOf(error)}`
  return (
    <>
      <div className="p-4 empty:hidden">
        <ListFailure list={list} failure={failure} />
      </div>
      {data === undefined && failure === null && <Loading label="Loading components..." />}
      {data !== undefined && <Rows list={list} sought={sought} />}
      {failure !== null && list.isFetchNextPageError && (
        <div className="border-t border-line p-3">
          <LoadFailure text={failure} onRetry={list.fetchNextPage} />
        </div>
      )}
    </>
  )
}

/** The own barcode of the component that has exactly this one, also where it is retired; null where none has it. */
async function findExactly(barcode: string, signal: AbortSignal): Promise<string | null> {
  if (barcode === '' || barcode.length > maxBarcodeLength) return null
  try {
    const component = await call(componentDetail, { query: { barcode } }, { signal })
    return component.barcode
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return null
    throw error
  }
}

/** As findExactly, of the first of some codes that any has. */
async function findFirst(codes: readonly string[], signal: AbortSignal): Promise<string | null> {
  for (const code of codes) {
    const found = await findExactly(code, signal)
    if (found !== null) return found
  }
  return null
}

type SearchProps = {
  search: string
  state: ComponentState
  onSearch: (text: string) => void
  onState: (state: ComponentState) => void
}

const states = [
  { value: 'active', label: 'In use' },
  { value: 'retired', label: 'Retired' },
] as const satisfies readonly { value: ComponentState; label: string }[]

function stateOf(text: string): ComponentState {
  return states.find(({ value }) => value === text)?.value ?? 'active'
}

const longestSearch = 100

function soughtIn(address: URLSearchParams): Pick<SearchProps, 'search' | 'state'> {
  return {
    search: (address.get('text') ?? '').slice(0, longestSearch),
    state: stateOf(address.get('state') ?? ''),
  }
}

/** Whether nothing outside of a form was gone to, such as a dialog or a link. */
function isFocusLeftTo(form: HTMLFormElement): boolean {
  const focused = document.activeElement
  return focused === null || focused === document.body || form.contains(focused)
}

/** The search; Enter on a whole barcode, as a scanner types it, opens its component. */
function SearchForm({ search, state, onSearch, onState }: SearchProps) {
  const [, navigate] = useLocation()
  const [fault, setFault] = useState<string | undefined>(undefined)
  const company = useScannersOfCompany()

  const lookup = useRef<AbortController>(null)
  // Whoever goes on to something else is not led away from it by a late answer.
  useEffect(() => () => lookup.current?.abort(), [search, state])

  async function open(form: HTMLFormElement): Promise<void> {
    lookup.current?.abort()
    lookup.current = new AbortController()
    const { signal } = lookup.current
    try {
      const barcode = await findFirst(codesMeant(search.trim(), company), signal)
      if (barcode !== null && !signal.aborted && isFocusLeftTo(form)) navigate(componentPath(barcode))
    } catch (error) {
      if (!signal.aborted) setFault(messageOf(error))
    }
  }

  return (
    <form
      role="search"
      className="grid items-start print:hidden gap-3 border-b border-line p-4 sm:grid-cols-[1fr_8rem]"
      onSubmit={(event) => {
        event.preventDefault()
        // What is scanned next, where no component is opened, takes its place.
        event.currentTarget.querySelector('input')?.select()
        open(event.currentTarget).catch(reportError)
      }}
    >
      <SearchField
        label="Search"
        keys={[['Enter', 'open the component with exactly this barcode']]}
        placeholder="Barcode or description"
        maxLength={longestSearch}
        value={search}
        error={fault}
        onChange={(event) => {
          setFault(undefined)
          onSearch(event.target.value)
        }}
      />
      <SelectField
        label="Show"
        options={states}
        value={state}
        onChange={(event) => onState(stateOf(event.target.value))}
      />
    </form>
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
  return (
    <Page
      title="Components"
      subtitle={`Stock, movements and counts of every SKU. "Here" is ${getLocation(location).name}.`}
      actions={
        <>
          {user.role === 'admin' && (
            <>
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
          <Found list={list} sought={sought} />
        </Card>
      </Arrivals>
    </Page>
  )
}
