import { highVolumeForDay, type WeeklyComponent } from '@inventory-manager/contract/counting/endpoints'
import { countMessages } from '@inventory-manager/contract/counting/messages'
import { getLocation, type LocationCode } from '@inventory-manager/contract/locations'
import { bulkHighVolume } from '@inventory-manager/contract/stock/endpoints'
import { weekDays, type WeekDay } from '@inventory-manager/contract/stock/rules'
import { control, maxBarcodeLength } from '@inventory-manager/contract/values'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { messageOf } from '../api/api-error.ts'
import { call } from '../api/client.ts'
import { formatNumber } from '../lib/numbers.ts'
import { useScannersOfCompany } from '../scanning/company-scanners.ts'
import { codesMeant } from '../scanning/meant.ts'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { SelectField, TextArea } from '../ui/field.tsx'
import { useListFocus } from '../ui/list-focus.ts'
import { LoadFailure } from '../ui/load-failure.tsx'
import { Loading } from '../ui/loading.tsx'
import { dayListQuery } from './count-list-query.ts'
import { weeklyDays } from './weekly-days.ts'

function Totals({ components }: { components: readonly WeeklyComponent[] }) {
  const counted = components.filter((item) => item.counted).length
  const figures = [
    { label: 'Total High Volume', value: components.length },
    { label: 'Counted Today', value: counted },
    { label: 'Pending', value: components.length - counted },
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

type SkusOfDayProps = {
  day: WeekDay
  components: readonly WeeklyComponent[]
  busy: boolean
  onRemove: (barcode: string) => void
}

function SkusOfDay({ day, components, busy, onRemove }: SkusOfDayProps) {
  const list = useListFocus<HTMLDivElement>(busy ? null : components.length)
  return (
    <div ref={list} tabIndex={-1} role="group" aria-label={`SKUs of ${day}`}>
      {components.length === 0 && <EmptyState title={`No high-volume SKUs on ${day}`} />}
      <ul className="divide-y divide-line">
        {components.map((item) => (
          <li key={item.id} className="flex items-center gap-3 py-2">
            <span className="min-w-0 flex-1">
              <span className="block truncate font-mono text-sm">{item.barcode}</span>
              <span className="block text-xs text-muted">{weeklyDays(item.high_volume_config)}</span>
            </span>
            <Button
              aria-label={`Remove ${item.barcode}`}
              disabled={busy}
              onClick={() => onRemove(item.barcode)}
            >
              Remove
            </Button>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** The lines of a text that were not sent: somebody may have scanned on meanwhile, the same code too. */
function linesSince(text: string, sent: readonly string[]): string[] {
  const left = [...sent]
  return text.split(/\r?\n/).filter((line) => {
    const at = left.indexOf(line.trim())
    if (at !== -1) left.splice(at, 1)
    return at === -1
  })
}

/** A line of barcodes, and the codes that it may mean, in the order to ask for them. */
type Line = { text: string; codes: readonly string[] }

const isBarcode = (code: string) => code !== '' && code.length <= maxBarcodeLength && !control.test(code)

/** The lines whose code was not found. */
const without = (lines: readonly Line[], found: ReadonlySet<string>) =>
  lines.filter(({ codes: [code] }) => code === undefined || !found.has(code))

/** Puts SKUs on a day of a location, or takes them off; says which are not there. */
function useHighVolume(day: WeekDay, location: LocationCode) {
  const client = useQueryClient()
  const company = useScannersOfCompany()
  const [codes, setCodes] = useState('')
  const [notice, setNotice] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)

  async function change(barcodes: string[], action: 'add' | 'remove'): Promise<ReadonlySet<string>> {
    const reply = await call(bulkHighVolume, { body: { barcodes, day, location, action } })
    const missing = new Set(reply.not_found)
    return new Set(barcodes.filter((code) => !missing.has(code)))
  }

  /** The lines of which no code is known. A code is asked for as it stands, and then without what a scanner adds. */
  async function addLines(lines: readonly Line[]): Promise<readonly Line[]> {
    const asked = lines.flatMap(({ codes: [code] }) => (code === undefined ? [] : [code]))
    if (asked.length === 0) return lines
    const left = without(lines, await change(asked, 'add'))
    return await addLines(left.map(({ text, codes: [, ...others] }) => ({ text, codes: others })))
  }

  async function attempt(work: () => Promise<string | null>): Promise<void> {
    setBusy(true)
    try {
      setNotice(await work())
      await client.invalidateQueries({ queryKey: [highVolumeForDay.path] })
    } catch (failure) {
      setNotice(messageOf(failure))
    }
    setBusy(false)
  }

  const wanted = codes
    .split(/\r?\n/)
    .map((code) => code.trim())
    .filter((code) => code !== '')

  return {
    codes,
    setCodes,
    notice,
    busy,
    wanted,
    add: () =>
      attempt(async () => {
        const lines = wanted.map((text) => ({ text, codes: codesMeant(text, company).filter(isBarcode) }))
        const left = (await addLines(lines)).map(({ text }) => text)
        setCodes((now) => {
          const since = linesSince(now, wanted)
          // What is scanned next is a line of its own.
          return [...left, ...(left.length > 0 && since.length === 0 ? [''] : since)].join('\n')
        })
        return left.length === 0 ? null : `Not found: ${left.join(', ')}`
      }),
    remove: (barcode: string) =>
      attempt(async () => {
        const done = await change([barcode], 'remove')
        return done.size === 1 ? null : `Not found: ${barcode}`
      }),
  }
}

/** Where administrators say which SKUs are counted on which day. */
export function HighVolumeDialog(props: { day: WeekDay; location: LocationCode; onClose: () => void }) {
  const { location } = props
  const [day, setDay] = useState(props.day)
  const { codes, setCodes, notice, busy, wanted, add, remove } = useHighVolume(day, location)
  const { data, error, refetch } = useQuery(dayListQuery(location, day))
  const area = useRef<HTMLTextAreaElement>(null)

  /** A button that cannot be pressed for a moment loses the focus, and a scan would go nowhere. */
  async function addAndGoOn(): Promise<void> {
    await add()
    if (document.activeElement === document.body) area.current?.focus()
  }

  return (
    <Dialog title={`High volume at ${getLocation(location).name}`} onClose={props.onClose}>
      <div className="flex flex-col gap-4">
        <SelectField
          label="Counted on"
          options={weekDays.map((name) => ({ value: name, label: name }))}
          value={day}
          onChange={(event) => setDay(weekDays.find((name) => name === event.target.value) ?? day)}
        />
        {error !== null && (
          <LoadFailure text={countMessages.loadingHighVolume(messageOf(error))} onRetry={refetch} />
        )}
        {data !== undefined && <Totals components={data.components} />}
        {notice !== null && <Banner tone="warn">{notice}</Banner>}
        <TextArea
          ref={area}
          label="Add SKUs"
          hint="One barcode a line."
          rows={3}
          value={codes}
          onChange={(event) => setCodes(event.target.value)}
        />
        <Button look="primary" disabled={busy || wanted.length === 0} onClick={() => void addAndGoOn()}>
          Add to {day}
        </Button>
        {data === undefined && error === null && <Loading label="Loading components..." />}
        {data !== undefined && (
          <SkusOfDay
            day={day}
            components={data.components}
            busy={busy}
            onRemove={(barcode) => void remove(barcode)}
          />
        )}
      </div>
    </Dialog>
  )
}
