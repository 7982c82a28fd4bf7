import { getAccuracy } from '@inventory-manager/contract/accuracy/endpoints'
import { accuracyMessages } from '@inventory-manager/contract/accuracy/messages'
import {
  accuracyWithinTolerance,
  monthAfter,
  monthChoices,
  mostMonths,
  mostNamed,
  recordAccuracy,
} from '@inventory-manager/contract/accuracy/rules'
import { locations } from '@inventory-manager/contract/locations'
import { useQuery } from '@tanstack/react-query'
import { FileCheck } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { messageOf } from '../api/api-error.ts'
import { call } from '../api/client.ts'
import { readOwner } from '../api/token.ts'
import { formatMonth } from '../lib/dates.ts'
import { formatNumber, formatPercent } from '../lib/numbers.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { SelectField } from '../ui/field.tsx'
import { LoadFailure } from '../ui/load-failure.tsx'
import { Loading } from '../ui/loading.tsx'
import { Page } from '../ui/page.tsx'
import { readAddress, useKeptInAddress } from '../ui/use-address.ts'
import { addressOf, certificateIn, filtersIn, type Filters } from './accuracy-address.ts'
import { AccuracyChart } from './accuracy-chart.tsx'
import { CauseTable, LocationTable, SkuTable, type Accuracy } from './accuracy-tables.tsx'
import { CertificateDialog } from './certificate-dialog.tsx'

const places = [
  { value: '', label: 'All locations' },
  ...locations.map(({ code, name }) => ({ value: code, label: name })),
]

const spans = monthChoices.map((months) => ({
  value: String(months),
  label: months === 1 ? 'One month' : `${months} months`,
}))

/** The figures that pass the filters; what is shown stays while others load. */
function useAccuracy({ location, until, months }: Filters) {
  return useQuery({
    queryKey: [getAccuracy.path, location, until, months],
    queryFn: async ({ signal }) => {
      const query = {
        months,
        ...(location === '' ? {} : { location }),
        ...(until === '' ? {} : { until }),
      }
      return { ...(await call(getAccuracy, { query }, { signal })), isOfAll: location === '' }
    },
    placeholderData: (previous) => previous,
  })
}

/** The months up to the present one of the company, newest first. */
function monthOptions(data: Accuracy | undefined) {
  if (data === undefined) return [{ value: '', label: 'This month' }]
  return Array.from({ length: 2 * mostMonths }, (_, back) => {
    const month = monthAfter(data.this_month, -back)
    return { value: month, label: formatMonth(month) }
  })
}

/** A month that an address names, if there are certificates of it. */
function offeredMonth(data: Accuracy, named: string | null | undefined): string | undefined {
  return monthOptions(data).find(({ value }) => value === named)?.value
}

function FilterBar({
  filters,
  data,
  onChange,
}: {
  filters: Filters
  data: Accuracy | undefined
  onChange: (filters: Filters) => void
}) {
  const change = (part: Partial<Filters>) => onChange({ ...filters, ...part })
  return (
    <div className="grid grid-cols-2 gap-3 lg:grid-cols-3">
      <div className="max-lg:col-span-2">
        <SelectField
          label="Location"
          options={places}
          value={filters.location}
          onChange={(event) => change({ location: event.target.value })}
        />
      </div>
      <SelectField
        label="Up to"
        options={monthOptions(data)}
        value={filters.until === '' ? (data?.this_month ?? '') : filters.until}
        onChange={(event) => change({ until: event.target.value })}
      />
      <SelectField
        label="Span"
        options={spans}
        value={filters.months}
        onChange={(event) => change({ months: event.target.value })}
      />
    </div>
  )
}

function Tile({ label, value, strong = false }: { label: string; value: string; strong?: boolean }) {
  return (
    <div className="flex flex-col-reverse justify-end rounded-card border border-line bg-surface p-4">
      <dt className="text-sm text-muted">{label}</dt>
      <dd className={strong ? 'text-xl font-semibold tabular-nums' : 'text-lg font-semibold tabular-nums'}>
        {value}
      </dd>
    </div>
  )
}

function Tiles({ total }: { total: Accuracy['total'] }) {
  return (
    <dl className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      <Tile label="Inventory record accuracy" value={formatPercent(recordAccuracy(total))} strong />
      <Tile label="With those within tolerance" value={formatPercent(accuracyWithinTolerance(total))} />
      <Tile label="Lines counted" value={formatNumber(total.lines)} />
      <Tile label="Lines that did not match" value={formatNumber(total.lines - total.matched)} />
    </dl>
  )
}

function Part({ title, empty, children }: { title: string; empty: boolean; children: ReactNode }) {
  return (
    <Card title={title} flush>
      {empty ? <EmptyState title="No differences" /> : children}
    </Card>
  )
}

/** How many lines that did not match have none of the causes that are named. */
function OtherCauses({ data: { causes, total } }: { data: Accuracy }) {
  const named = causes.reduce((sum, { lines }) => sum + lines, 0)
  const others = total.lines - total.matched - named
  if (causes.length < mostNamed || others <= 0) return null
  return (
    <p className="border-t border-line px-4 py-3 text-sm text-muted">
      The {mostNamed} most frequent causes. {formatNumber(others)} {others === 1 ? 'line has' : 'lines have'}{' '}
      others.
    </p>
  )
}

type Shown = NonNullable<ReturnType<typeof useAccuracy>['data']>

/** What was counted, as a chart and as the same numbers in tables. */
function Figures({ data }: { data: Shown }) {
  if (data.total.lines === 0) {
    return (
      <Card>
        <EmptyState title="Nothing was counted in this time">
          Accuracy appears here with the first count. Choose other months or locations to look further.
        </EmptyState>
      </Card>
    )
  }
  const span =
    data.from === data.until
      ? formatMonth(data.until)
      : `${formatMonth(data.from)} to ${formatMonth(data.until)}`
  return (
    <>
      <Tiles total={data.total} />
      <Card title={`Accuracy by month, ${span}`}>
        <AccuracyChart months={data.months} />
      </Card>
      <div className="grid items-start gap-4 lg:grid-cols-2 lg:gap-6">
        <Part title="Differences by cause" empty={data.causes.length === 0}>
          <CauseTable rows={data.causes} />
          <OtherCauses data={data} />
        </Part>
        <Part title="SKUs that differ most often" empty={data.skus.length === 0}>
          <SkuTable rows={data.skus} />
        </Part>
      </div>
      <Card title="By month and location" flush>
        <LocationTable rows={data.locations} months={data.isOfAll ? data.months : []} />
      </Card>
    </>
  )
}

/** How far the stock figures agree with what is counted, for administrators. */
export function AccuracyScreen() {
  const [owner] = useState(readOwner)
  const [filters, setFilters] = useState(() => filtersIn(readAddress(owner)))
  const [asked, setAsked] = useState(() => certificateIn(readAddress(owner)))
  const [certifying, setCertifying] = useState(asked !== null)
  useKeptInAddress(addressOf(filters, asked), {
    owner,
    onAsked: (address) => {
      const certificate = certificateIn(address)
      setFilters(filtersIn(address))
      setAsked(certificate)
      setCertifying(certificate !== null)
    },
  })
  const { data, error, refetch } = useAccuracy(filters)
  return (
    <Page
      title="Accuracy"
      subtitle="How far the stock figures agree with what is counted."
      actions={
        <Button disabled={data === undefined} onClick={() => setCertifying(true)}>
          <FileCheck aria-hidden className="size-4" />
          Count certificate
        </Button>
      }
    >
      <Card>
        <FilterBar filters={filters} data={data} onChange={setFilters} />
      </Card>
      {error !== null && <LoadFailure text={accuracyMessages.loading(messageOf(error))} onRetry={refetch} />}
      {data === undefined && error === null && <Loading label="Loading accuracy..." />}
      {data !== undefined && <Figures data={data} />}
      <p className="max-w-prose text-sm text-muted">{accuracyMessages.about}</p>
      {certifying && data !== undefined && (
        <CertificateDialog
          months={monthOptions(data)}
          places={places}
          initial={{
            location: filters.location,
            session: null,
            ...asked,
            month: offeredMonth(data, asked?.month) ?? data.until,
          }}
          onClose={() => {
            setCertifying(false)
            setAsked(null)
          }}
        />
      )}
    </Page>
  )
}
