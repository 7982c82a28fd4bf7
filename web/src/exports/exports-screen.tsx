import {
  exportArchive,
  exportAudit,
  exportCounts,
  exportDiscrepancies,
  exportMovements,
  exportStockAt,
} from '@inventory-manager/contract/exports/endpoints'
import { maxSoughtLength } from '@inventory-manager/contract/sought-text'
import { places } from '@inventory-manager/contract/stock/places'
import { useState } from 'react'
import { DownloadStatus, useDownload, type Download } from '../api/download.tsx'
import { dayAt, dayBoundsIn, sentInstant } from '../lib/dates.ts'
import { CompanyDays } from '../session/company-days.tsx'
import { useCompanyZone } from '../session/company-settings.ts'
import { placeName } from '../session/place-names.ts'
import { useLocatedSession } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { DateFields, isBackwards } from '../ui/date-fields.tsx'
import { SelectField, TextField } from '../ui/field.tsx'
import { Page } from '../ui/page.tsx'
import { ComponentsList } from './components-list.tsx'
import { ListRow } from './list-row.tsx'

type Filters = { sku: string; location: string; from: string; to: string }

const noFilters: Filters = { sku: '', location: '', from: '', to: '' }

const locationOptions = () => [
  { value: '', label: 'All locations' },
  ...places.map((place) => ({ value: place, label: placeName(place) })),
]

/** What a list is asked for; empty fields ask for all of it. */
function queryOf({ sku, location, from, to }: Filters, zone: string | null) {
  return {
    sku: sku.trim() === '' ? undefined : sku.trim(),
    location: location === '' ? undefined : location,
    from: sentInstant(dayBoundsIn(from, zone)?.start),
    to: sentInstant(dayBoundsIn(to, zone)?.end),
  }
}

function FilterBar({ filters, onChange }: { filters: Filters; onChange: (filters: Filters) => void }) {
  const change = (part: Partial<Filters>) => onChange({ ...filters, ...part })
  return (
    <div className="grid gap-3 p-4 sm:grid-cols-2 lg:grid-cols-4">
      <TextField
        label="SKU"
        type="search"
        placeholder="A part of it"
        maxLength={maxSoughtLength}
        value={filters.sku}
        onChange={(event) => change({ sku: event.target.value })}
      />
      <SelectField
        label="Location"
        options={locationOptions()}
        value={filters.location}
        onChange={(event) => change({ location: event.target.value })}
      />
      <DateFields
        labels={['From', 'To']}
        from={filters.from}
        to={filters.to}
        onFrom={(from) => change({ from })}
        onTo={(to) => change({ to })}
      />
    </div>
  )
}

function AdministratorsLists({ download }: { download: Download }) {
  const [filters, setFilters] = useState(noFilters)
  const zone = useCompanyZone()
  const query = queryOf(filters, zone)
  const lists = [
    {
      title: 'Counts',
      about: 'Every count with its time, quantity and person.',
      endpoint: exportCounts,
      isOfCounting: true,
    },
    {
      title: 'Movements',
      about: 'The ledger: every change of stock and its cause.',
      endpoint: exportMovements,
      isOfCounting: false,
    },
    {
      title: 'Discrepancies',
      about: 'Differences between counts and stock, what was decided, and what they are worth.',
      endpoint: exportDiscrepancies,
      isOfCounting: true,
    },
    {
      title: 'Audit trail',
      about: 'Everything that happened, and who did it.',
      endpoint: exportAudit,
      isOfCounting: false,
    },
  ]
  return (
    <Card title="History" flush>
      <FilterBar filters={filters} onChange={setFilters} />
      <div className="px-4 pb-4 empty:hidden">
        <CompanyDays hasFiles hasTimes={false} />
      </div>
      <ul className="border-t border-line">
        {lists.map(({ title, about, endpoint, isOfCounting }) => {
          const isEmpty = isOfCounting && filters.location === 'QUARANTINE'
          const isNone = isEmpty || isBackwards(filters.from, filters.to)
          return (
            <ListRow
              key={title}
              title={title}
              about={isEmpty ? 'Nothing is counted in quarantine.' : about}
              download={download}
              start={
                isNone
                  ? null
                  : (format) => void download.start(title, endpoint, { query: { ...query, format } })
              }
            />
          )
        })}
      </ul>
    </Card>
  )
}

function Archive({ download }: { download: Download }) {
  return (
    <Card title="Whole company">
      <div className="flex flex-col items-start gap-3">
        <p>
          Everything of this moment in one zip file: components, stock, movements, counts, people, audit
          trail. Passwords, sessions and API keys stay behind. The command{' '}
          <code className="font-mono">restore-company</code> puts it back, in another installation or where it
          was removed.
        </p>
        <Button
          disabled={download.busy}
          onClick={() => void download.start('Whole company', exportArchive, {})}
        >
          Download archive
        </Button>
      </div>
    </Card>
  )
}

/** What there was at the end of a day, for who closes the books. */
function StockOnDay({ download }: { download: Download }) {
  const [day, setDay] = useState('')
  const [opened] = useState(() => Date.now())
  const zone = useCompanyZone()
  const bounds = dayBoundsIn(day, zone)
  const query = { at: sentInstant(bounds?.end) }
  const today = dayAt(opened, zone)
  const isAhead = day > today
  return (
    <Card title="Stock on a day" flush>
      <div className="grid gap-3 border-b border-line p-4 sm:grid-cols-2">
        <TextField
          label="At the end of"
          type="date"
          hint={
            zone === null
              ? 'Now, where no day is chosen.'
              : `Now, where no day is chosen. Days are the company’s (${zone}).`
          }
          value={day}
          max={today}
          error={isAhead ? 'That day has not come yet.' : undefined}
          onChange={(event) => setDay(event.target.value)}
        />
      </div>
      <ul>
        <ListRow
          title="Stock and its value"
          about="How much there was of each component, retired ones too, and what it was worth at the unit cost of that day, or where none was known yet, at the first one after it. Without what was on its way between locations."
          download={download}
          start={
            isAhead
              ? null
              : (format) =>
                  void download.start('Stock and its value', exportStockAt, { query: { ...query, format } })
          }
        />
      </ul>
    </Card>
  )
}

/** Every list as a file, and the company as an archive. */
export function ExportsScreen() {
  const { user } = useLocatedSession()
  const download = useDownload()
  return (
    <Page
      title="Exports"
      subtitle="XLSX keeps codes as text in a spreadsheet. CSV is for other programs, and opens in spreadsheets too."
    >
      <DownloadStatus download={download} />
      <ComponentsList download={download} />
      {user.role === 'admin' && <StockOnDay download={download} />}
      {user.role === 'admin' && <AdministratorsLists download={download} />}
      {user.role === 'admin' && <Archive download={download} />}
    </Page>
  )
}
