import { auditActionFilters } from '@inventory-manager/contract/audit/rules'
import { dayBounds } from '../lib/dates.ts'
import { Button } from '../ui/button.tsx'
import { DateFields } from '../ui/date-fields.tsx'
import { SelectField } from '../ui/field.tsx'
import { SearchField } from '../ui/search-field.tsx'
import { reportTrail } from './audit-reports.ts'

export type Filters = { action: string; sku: string; start: string; end: string }

const noFilters: Filters = { action: '', sku: '', start: '', end: '' }

const actionOptions = [
  { value: '', label: 'All Actions' },
  ...auditActionFilters.map((action) => ({ value: action, label: action })),
]

export function isFiltering({ action, sku, start, end }: Filters): boolean {
  return action !== '' || sku.trim() !== '' || start !== '' || end !== ''
}

/** The longest that the server looks for. */
const longestSku = 100

/** The filters as the server takes them: for what the screen does not hold, and for exports. */
export function serverQuery(filters: Filters) {
  return {
    action: filters.action === '' ? undefined : filters.action,
    sku: filters.sku.trim() === '' ? undefined : filters.sku.trim(),
    from: dayBounds(filters.start)?.start.toISOString(),
    to: dayBounds(filters.end)?.end.toISOString(),
  }
}

/** The filters that an address names. */
export function filtersFrom(asked: URLSearchParams): Filters {
  const of = (name: keyof Filters) => asked.get(name) ?? ''
  const dayOf = (name: 'start' | 'end') =>
    Number.isNaN(dayBounds(of(name))?.start.getTime() ?? Number.NaN) ? '' : of(name)
  return {
    action: auditActionFilters.find((action) => action === of('action')) ?? '',
    sku: of('sku').slice(0, longestSku),
    start: dayOf('start'),
    end: dayOf('end'),
  }
}

export function FilterBar({ filters, onChange }: { filters: Filters; onChange: (filters: Filters) => void }) {
  const change = (part: Partial<Filters>) => onChange({ ...filters, ...part })
  return (
    <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-[1fr_1fr_1fr_1fr_auto] lg:items-start">
      <SelectField
        label="Action Type"
        options={actionOptions}
        value={filters.action}
        onChange={(event) => change({ action: event.target.value })}
      />
      <SearchField
        label="SKU"
        placeholder="Filter by SKU"
        maxLength={longestSku}
        value={filters.sku}
        onChange={(event) => change({ sku: event.target.value })}
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
        className="lg:mt-6.5"
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
