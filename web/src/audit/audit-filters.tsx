import { auditActionFilters } from '@inventory-manager/contract/audit/rules'
import { placeName, places } from '@inventory-manager/contract/stock/places'
import { dayBounds, sentInstant } from '../lib/dates.ts'
import { Button } from '../ui/button.tsx'
import { DateFields } from '../ui/date-fields.tsx'
import { SelectField, TextField } from '../ui/field.tsx'
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

const locationOptions = [
  { value: '', label: 'All locations' },
  ...places.map((place) => ({ value: place, label: placeName(place) })),
]

export function isFiltering(filters: Filters): boolean {
  return Object.values(filters).some((value) => value.trim() !== '')
}

/** The longest that the server looks for. */
const longestText = 100

const wanted = (text: string) => (text.trim() === '' ? undefined : text.trim())

/** The filters as the server takes them: for what the screen does not hold, and for exports. */
export function serverQuery(filters: Filters) {
  return {
    action: wanted(filters.action),
    sku: wanted(filters.sku),
    location: wanted(filters.location),
    user: wanted(filters.user),
    from: sentInstant(dayBounds(filters.start)?.start),
    to: sentInstant(dayBounds(filters.end)?.end),
  }
}

/** The filters that an address names. */
export function filtersFrom(asked: URLSearchParams): Filters {
  const of = (name: keyof Filters) => asked.get(name) ?? ''
  const dayOf = (name: 'start' | 'end') =>
    Number.isNaN(dayBounds(of(name))?.start.getTime() ?? Number.NaN) ? '' : of(name)
  return {
    action: auditActionFilters.find((action) => action === of('action')) ?? '',
    sku: of('sku').slice(0, longestText),
    location: places.find((place) => place === of('location')) ?? '',
    user: of('user').slice(0, longestText),
    start: dayOf('start'),
    end: dayOf('end'),
  }
}

export function FilterBar({ filters, onChange }: { filters: Filters; onChange: (filters: Filters) => void }) {
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
        label="SKU"
        placeholder="Filter by SKU"
        maxLength={longestText}
        value={filters.sku}
        onChange={(event) => change({ sku: event.target.value })}
      />
      <SelectField
        label="Location"
        options={locationOptions}
        value={filters.location}
        onChange={(event) => change({ location: event.target.value })}
      />
      <TextField
        label="Person"
        placeholder="Part of a name"
        autoComplete="off"
        maxLength={longestText}
        value={filters.user}
        onChange={(event) => change({ user: event.target.value })}
      />
      <DateFields
        labels={['Start Date', 'End Date']}
        from={filters.start}
        to={filters.end}
        onFrom={(start) => change({ start })}
        onTo={(end) => change({ end })}
      />
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
