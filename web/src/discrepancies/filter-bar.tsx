import { countTypeWords, statusWords } from '@inventory-manager/contract/discrepancies/messages'
import type { Location } from '@inventory-manager/contract/locations'
import { countTypes } from '@inventory-manager/contract/values'
import { maxSoughtLength } from '@inventory-manager/contract/sought-text'
import { placeName } from '../session/place-names.ts'
import { SelectField } from '../ui/field.tsx'
import type { KeyWords } from '../ui/keys.tsx'
import { MoreFilters } from '../ui/more-filters.tsx'
import { SearchField } from '../ui/search-field.tsx'
import type { Filters } from './queries.ts'

const statuses = [
  { value: 'open', label: statusWords.open },
  { value: 'recount', label: statusWords.recount },
  { value: 'attempted', label: statusWords.attempted },
  { value: 'matched', label: statusWords.matched },
  { value: 'accepted', label: statusWords.accepted },
  { value: 'dismissed', label: statusWords.dismissed },
  { value: '', label: 'All' },
] as const

const countKinds = [
  { value: '' as const, label: 'All counts' },
  ...countTypes.map((value) => ({ value, label: countTypeWords[value] })),
]

const orders = [
  { value: 'newest', label: 'Newest first' },
  { value: 'oldest', label: 'Oldest first' },
  { value: 'largest', label: 'Largest difference first' },
  { value: 'value', label: 'Largest value first' },
  { value: 'sku', label: 'By SKU' },
] as const

/** The filters as an address names them: only what is not as usual. */
export function addressOf({ status, sort, ...others }: Filters): Record<string, string> {
  const named = status === '' ? 'all' : status
  return { ...others, status: named === 'open' ? '' : named, sort: sort === 'newest' ? '' : sort }
}

/** The filters that an address names. */
export function filtersFrom(asked: URLSearchParams, places: readonly Location[]): Filters {
  const of = (name: keyof Filters) => asked.get(name) ?? ''
  return {
    status: of('status') === 'all' ? '' : picked(statuses, of('status') || 'open', 'open'),
    location: places.find(({ code }) => code === of('location'))?.code ?? '',
    countType: picked(countKinds, of('countType'), ''),
    search: of('search').slice(0, maxSoughtLength),
    sort: picked(orders, of('sort'), 'newest'),
  }
}

/** How many are not as usual, beside the search. */
function countSet(filters: Filters): number {
  return Object.values(addressOf({ ...filters, search: '' })).filter((value) => value !== '').length
}

/** The option a select stands on, as one of those it was given. */
function picked<V extends string>(options: readonly { value: V }[], value: string, fallback: V): V {
  return options.find((option) => option.value === value)?.value ?? fallback
}

/** Values are no order where nothing has one. */
function ordersWith({ sort }: Filters, hasCosts: boolean) {
  return hasCosts || sort === 'value' ? orders : orders.filter(({ value }) => value !== 'value')
}

type FilterBarProps = {
  filters: Filters
  places: readonly Location[]
  keys: KeyWords
  hasCosts: boolean
  onChange: (filters: Filters) => void
}

export function FilterBar({ filters, places, keys, hasCosts, onChange }: FilterBarProps) {
  const change = (part: Partial<Filters>) => onChange({ ...filters, ...part })
  return (
    <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-[repeat(4,auto)] xl:grid-cols-[minmax(14rem,1fr)_repeat(4,auto)] print:hidden">
      <div className="sm:max-xl:col-span-full">
        <SearchField
          keys={keys}
          label="Search"
          placeholder="SKU, description or person"
          value={filters.search}
          maxLength={maxSoughtLength}
          onChange={(event) => change({ search: event.target.value })}
        />
      </div>
      <MoreFilters set={countSet(filters)}>
        <SelectField
          label="Status"
          options={statuses}
          value={filters.status}
          onChange={(event) => change({ status: picked(statuses, event.target.value, 'open') })}
        />
        <SelectField
          label="Location"
          options={[
            { value: '', label: 'All locations' },
            ...places.map(({ code }) => ({ value: code, label: placeName(code) })),
          ]}
          value={filters.location}
          onChange={(event) => change({ location: event.target.value })}
        />
        <SelectField
          label="Count"
          options={countKinds}
          value={filters.countType}
          onChange={(event) => change({ countType: picked(countKinds, event.target.value, '') })}
        />
        <SelectField
          label="Order"
          options={ordersWith(filters, hasCosts)}
          value={filters.sort}
          onChange={(event) => change({ sort: picked(orders, event.target.value, 'newest') })}
        />
      </MoreFilters>
    </div>
  )
}
