import { exportComponents } from '@inventory-manager/contract/exports/endpoints'
import { findLocation, type LocationCode } from '@inventory-manager/contract/locations'
import { planLocations } from '@inventory-manager/contract/plans'
import { maxSoughtLength } from '@inventory-manager/contract/sought-text'
import { useState } from 'react'
import { useSearch } from 'wouter/use-browser-location'
import type { Download } from '../api/download.tsx'
import { placeName } from '../session/place-names.ts'
import { useLocatedSession } from '../session/session.ts'
import { Card } from '../ui/card.tsx'
import { SelectField } from '../ui/field.tsx'
import { SearchField } from '../ui/search-field.tsx'
import { ListRow } from './list-row.tsx'

type OthersProps = { query: { text?: string }; at: LocationCode | undefined; download: Download }

/** What a location does not keep, where there are several, and what has no unit cost, for who is told costs. */
function Others({ query, at, download }: OthersProps) {
  const { user } = useLocatedSession()
  const hasSeveral = planLocations(user.plan).length > 1
  return (
    <>
      {hasSeveral && (
        <ListRow
          title="Not kept"
          about="What is left out of counts, and at which locations."
          download={download}
          start={(format) =>
            void download.start('Not kept', exportComponents, {
              query: { ...query, state: 'not_kept', location: at, format },
            })
          }
        />
      )}
      {user.role === 'admin' && (
        <ListRow
          title="No unit cost"
          about="Components in stock whose unit cost nobody has set."
          download={download}
          start={(format) =>
            void download.start('No unit cost', exportComponents, {
              query: { ...query, state: 'uncosted', format },
            })
          }
        />
      )}
    </>
  )
}

/** The components, all of them or those that a text finds, and what is low or not kept; where one comes from a list, what it showed. */
export function ComponentsList({ download }: { download: Download }) {
  const { user } = useLocatedSession()
  const open = planLocations(user.plan)
  // Of the address as it is: a router takes percent signs of a text apart.
  const asked = new URLSearchParams(useSearch())
  const [search, setSearch] = useState(asked.get('text') ?? '')
  const [at, setAt] = useState(open.find(({ code }) => code === asked.get('location'))?.code)
  const text = search.trim()
  const query = text === '' ? {} : { text }
  const isLowFirst = asked.get('state') === 'low'
  const worth = user.role === 'admin' ? ' With unit cost and value.' : ''
  const components = (
    <ListRow
      title="Components"
      about={`Barcode, description, stock, bin and minimum per location, last count, other barcodes.${worth}`}
      download={download}
      start={(format) => void download.start('Components', exportComponents, { query: { ...query, format } })}
    />
  )
  return (
    <Card title="Stock" flush>
      <div className="grid gap-3 border-b border-line p-4 sm:grid-cols-2">
        <SearchField
          label="Barcode or description"
          placeholder="A part of it"
          maxLength={maxSoughtLength}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
        {open.length > 1 && (
          <SelectField
            label="Low or not kept at"
            options={[
              { value: '', label: 'Any location' },
              ...open.map(({ code }) => ({ value: code, label: placeName(code) })),
            ]}
            value={at ?? ''}
            onChange={(event) => setAt(findLocation(event.target.value)?.code)}
          />
        )}
      </div>
      <ul>
        {!isLowFirst && components}
        <ListRow
          title="Low stock"
          about={`What has less than its minimum at a location, and how much is missing.${worth}`}
          download={download}
          start={(format) =>
            void download.start('Low stock', exportComponents, {
              query: { ...query, state: 'low', location: at, format },
            })
          }
        />
        {isLowFirst && components}
        <Others {...{ query, at, download }} />
      </ul>
    </Card>
  )
}
