import { auditActionFilters } from '@inventory-manager/contract/audit/rules'
import { maxSoughtLength } from '@inventory-manager/contract/sought-text'
import { places } from '@inventory-manager/contract/stock/places'
import { entryNumber } from '@inventory-manager/contract/values'
import { dayBounds, dayBoundsIn, sentInstant } from '../lib/dates.ts'
import { placeName } from '../session/place-names.ts'
import { useLocatedSession } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import { DateFields } from '../ui/date-fields.tsx'
import { SelectField, TextField } from '../ui/field.tsx'
import { MoreFilters } from '../ui/more-filters.tsx'
import { SearchField } from '../ui/search-field.tsx'
import { reportTrail } from './audit-reports.ts'

export type Filters = {
  action: string
  sku: string
  location: string
  user: string
  start: string
  end: string
}

const noFilters: Filters = { action: '', sku: '', location: '', user: '', start: '', end: '' }

const actionOptions = [
  { value: '', label: 'All Actions' },
  ...auditActionFilters.map((action) => ({ value: action, label: action })),
]

const locationOptions = () => [
  { value: '', label: 'All locations' },
  ...places.map((place) => ({ value: place, label: placeName(place) })),
]

const countSet = (filters: Partial<Filters>) =>
  Object.values(filters).filter((value) => value.trim() !== '').length

export function isFiltering(filters: Filters): boolean {
  return countSet(filters) > 0
}

const wanted = (text: string) => (text.trim() === '' ? undefined : text.trim())

/** The number of an entry, as a certificate or a check of the trail names it, where that is looked for. */
export function numberOf({ sku }: Filters): string | undefined {
  return entryNumber.safeParse(sku.trim().toLowerCase()).data
}

/** The filters as the server takes them, in days of a time zone: for what the screen does not hold, and for exports. */
export function serverQuery(filters: Filters, zone: string | null) {
  const number = numberOf(filters)
  return {
    action: wanted(filters.action),
    ...(number === undefined ? { sku: wanted(filters.sku) } : { id: number }),
    location: wanted(filters.location),
    user: wanted(filters.user),
    from: sentInstant(dayBoundsIn(filters.start, zone)?.start),
    to: sentInstant(dayBoundsIn(filters.end, zone)?.end),
  }
}

/** The filters that an address names. */
export function filtersFrom(asked: URLSearchParams): Filters {
  const of = (name: keyof Filters) => asked.get(name) ?? ''
  const dayOf = (name: 'start' | 'end') =>
    Number.isNaN(dayBounds(of(name))?.start.getTime() ?? Number.NaN) ? '' : of(name)
  return {
    action: auditActionFilters.find((action) => action === of('action')) ?? '',
    sku: of('sku').slice(0, maxSoughtLength),
    location: places.find((place) => place === of('location')) ?? '',
    user: of('user').slice(0, maxSoughtLength),
    start: dayOf('start'),
    end: dayOf('end'),
  }
}

export function FilterBar({ filters, onChange }: { filters: Filters; onChange: (filters: Filters) => void }) {
  const { location, user, start, end } = filters
  const { user: self } = useLocatedSession()
  const seesAccounts = self.role === 'admin'
  const change = (part: Partial<Filters>) => onChange({ ...filters, ...part })
  return (
    <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-4 lg:items-start">
      <SelectField
        label="Action Type"
        options={actionOptions}
        value={filters.action}
        onChange={(event) => change({ action: event.target.value })}
      />
      <SearchField
        label="SKU or number"
        placeholder="Filter by SKU"
        maxLength={maxSoughtLength}
        value={filters.sku}
        onChange={(event) => change({ sku: event.target.value })}
      />
      <MoreFilters set={countSet({ location, user, start, end })}>
        <SelectField
          label="Location"
          options={locationOptions()}
          value={location}
          onChange={(event) => change({ location: event.target.value })}
        />
        <TextField
          label="Person"
          placeholder={seesAccounts ? 'Part of a name or e-mail' : 'Part of a name'}
          autoComplete="off"
          maxLength={maxSoughtLength}
          value={user}
          onChange={(event) => change({ user: event.target.value })}
        />
        <DateFields
          labels={['Start Date', 'End Date']}
          from={start}
          to={end}
          onFrom={(day) => change({ start: day })}
          onTo={(day) => change({ end: day })}
        />
      </MoreFilters>
      <Button
        // Beside the fields, below the line of their labels.
        className="justify-self-start lg:mt-6.5"
        onClick={() => {
          reportTrail('audit_trail_filters_cleared')
          onChange(noFilters)
        }}
      >
        Clear Filters
      </Button>
    </div>
  )
}
