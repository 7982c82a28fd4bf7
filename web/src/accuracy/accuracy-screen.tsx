import { getAccuracy } from '@inventory-manager/contract/accuracy/endpoints'
import { accuracyMessages } from '@inventory-manager/contract/accuracy/messages'
import { monthChoices, mostMonths } from '@inventory-manager/contract/accuracy/rules'
import { monthAfter } from '@inventory-manager/contract/calendar'
import { locations } from '@inventory-manager/contract/locations'
import { useQuery } from '@tanstack/react-query'
import FileCheck from 'lucide-react/icons/file-check'
import { useState } from 'react'
import { messageOf } from '../api/api-error.ts'
import { call } from '../api/client.ts'
import { readOwner } from '../api/token.ts'
import { formatMonth } from '../lib/dates.ts'
import { placeName } from '../session/place-names.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { SelectField } from '../ui/field.tsx'
import { LoadFailure } from '../ui/load-failure.tsx'
import { Loading } from '../ui/loading.tsx'
import { Page } from '../ui/page.tsx'
import { readAddress, useKeptInAddress } from '../ui/use-address.ts'
import { addressOf, certificateIn, filtersIn, type Filters } from './accuracy-address.ts'
import { About, Figures, type Shown } from './accuracy-figures.tsx'
import type { Accuracy } from './accuracy-tables.tsx'
import { CertificateDialog } from './certificate-dialog.tsx'

const places = () => [
  { value: '', label: 'All locations' },
  ...locations.map(({ code }) => ({ value: code, label: placeName(code) })),
]

const spans = monthChoices.map((months) => ({
  value: String(months),
  label: months === 1 ? 'One month' : `${months} months`,
}))

/** The figures that pass the filters; what is shown stays while others load. */
function useAccuracy({ location, until, months, skusBy }: Filters) {
  return useQuery({
    queryKey: [getAccuracy.path, location, until, months, skusBy],
    queryFn: async ({ signal }): Promise<Shown> => {
      const query = {
        months,
        ...(location === '' ? {} : { location }),
        ...(until === '' ? {} : { until }),
        skus_by: skusBy,
      }
      return { ...(await call(getAccuracy, { query }, { signal })), isOfAll: location === '', skusBy }
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
          options={places()}
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
      {data !== undefined && (
        <Figures
          data={data}
          skusBy={filters.skusBy}
          onSkusBy={(skusBy) => setFilters({ ...filters, skusBy })}
        />
      )}
      <About data={data} />
      {certifying && data !== undefined && (
        <CertificateDialog
          months={monthOptions(data)}
          places={places()}
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
