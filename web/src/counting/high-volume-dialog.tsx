import { highVolumeForDay } from '@inventory-manager/contract/counting/endpoints'
import { countMessages } from '@inventory-manager/contract/counting/messages'
import { getLocation, type LocationCode } from '@inventory-manager/contract/locations'
import { bulkHighVolume } from '@inventory-manager/contract/stock/endpoints'
import { weekDays } from '@inventory-manager/contract/stock/rules'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '../api/api-error.ts'
import { call } from '../api/client.ts'
import { newId } from '../lib/ids.ts'
import { formatNumber } from '../lib/numbers.ts'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { SelectField, TextArea } from '../ui/field.tsx'

type Day = (typeof weekDays)[number]

function Totals({ total, counted }: { total: number; counted: number }) {
  const figures = [
    { label: 'Total High Volume', value: total },
    { label: 'Counted Today', value: counted },
    { label: 'Pending', value: total - counted },
  ]
  return (
    <dl className="grid grid-cols-3 gap-2 text-center">
      {figures.map(({ label, value }) => (
        <div key={label} className="flex flex-col-reverse rounded-card bg-sunken p-3">
          <dt className="text-xs text-muted">{label}</dt>
          <dd className="text-lg font-semibold tabular-nums">{formatNumber(value)}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Where administrators say which SKUs are counted on which day. */
export function HighVolumeDialog(props: { day: Day; location: LocationCode; onClose: () => void }) {
  const { location } = props
  const client = useQueryClient()
  const [day, setDay] = useState(props.day)
  const [codes, setCodes] = useState('')
  const [notice, setNotice] = useState<string | null>(null)
  const { data, error } = useQuery({
    queryKey: ['high-volume', location, day],
    queryFn: ({ signal }) => call(highVolumeForDay, { body: { day, location } }, { signal }),
  })
  const components = data?.components ?? []

  async function change(barcodes: string[], action: 'add' | 'remove'): Promise<void> {
    try {
      const body = { barcodes, day, location, action }
      const reply = await call(bulkHighVolume, { body }, { idempotencyKey: newId() })
      setNotice(reply.not_found.length === 0 ? null : `Not found: ${reply.not_found.join(', ')}`)
      if (action === 'add') setCodes(reply.not_found.join('\n'))
      await client.invalidateQueries({ queryKey: ['high-volume'] })
    } catch (failure) {
      setNotice(messageOf(failure))
    }
  }

  const wanted = codes
    .split(/\r?\n/)
    .map((code) => code.trim())
    .filter((code) => code !== '')
  return (
    <Dialog title={`High volume at ${getLocation(location).name}`} onClose={props.onClose}>
      <div className="flex flex-col gap-4">
        <SelectField
          label="Counted on"
          options={weekDays.map((name) => ({ value: name, label: name }))}
          value={day}
          onChange={(event) => setDay(weekDays.find((name) => name === event.target.value) ?? day)}
        />
        <Totals total={components.length} counted={components.filter((item) => item.counted_today).length} />
        {error !== null && <Banner tone="bad">{countMessages.loadingHighVolume(messageOf(error))}</Banner>}
        {notice !== null && <Banner tone="warn">{notice}</Banner>}
        <TextArea
          label="Add SKUs"
          hint="One barcode a line."
          rows={3}
          value={codes}
          onChange={(event) => setCodes(event.target.value)}
        />
        <Button look="primary" disabled={wanted.length === 0} onClick={() => void change(wanted, 'add')}>
          Add to {day}
        </Button>
        {components.length === 0 && <EmptyState title={`No high-volume SKUs on ${day}`} />}
        <ul className="divide-y divide-line">
          {components.map((item) => (
            <li key={item.id} className="flex items-center gap-3 py-2">
              <span className="min-w-0 flex-1">
                <span className="block truncate font-mono text-sm">{item.barcode}</span>
                <span className="block truncate font-mono text-xs text-muted">
                  {JSON.stringify(item.high_volume_config ?? {})}
                </span>
              </span>
              <Button onClick={() => void change([item.barcode], 'remove')}>Remove</Button>
            </li>
          ))}
        </ul>
      </div>
    </Dialog>
  )
}
