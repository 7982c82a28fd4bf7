import { highVolumeForDay, type WeeklyComponent } from '@inventory-manager/contract/counting/endpoints'
import { countMessages } from '@inventory-manager/contract/counting/messages'
import type { LocationCode } from '@inventory-manager/contract/locations'
import { bulkHighVolume } from '@inventory-manager/contract/stock/endpoints'
import { weekDays, type WeekDay } from '@inventory-manager/contract/stock/rules'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { messageOf } from '../../api/api-error.ts'
import { call } from '../../api/client.ts'
import { readAnew, readAnewAfter } from '../../api/read-anew.ts'
import { formatNumber, skus } from '../../lib/numbers.ts'
import { useScannersOfCompany } from '../../scanning/company-scanners.ts'
import { codesMeant } from '../../scanning/meant.ts'
import { placeName } from '../../session/place-names.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { SelectField, TextArea } from '../../ui/field.tsx'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { Loading } from '../../ui/loading.tsx'
import { useListFocus } from '../../ui/use-list-focus.ts'
import { VirtualList } from '../../ui/virtual-list.tsx'
import { dayListQuery } from '../count-list-query.ts'
import type { Status } from '../counting-session.ts'
import { HighVolumeSuggestions } from './high-volume-suggestions.tsx'
import { weeklyDays } from '../weekly-days.ts'

function Totals({ components }: { components: readonly WeeklyComponent[] }) {
  const counted = components.filter((item) => item.counted).length
  const figures = [
    { label: 'Total High Volume', value: components.length },
    { label: 'Counted Today', value: counted },
    { label: 'Pending', value: components.length - counted },
  ]
  return (
    <dl className="grid gap-2 sm:grid-cols-3 sm:text-center">
      {figures.map(({ label, value }) => (
        <div
          key={label}
          className="flex items-baseline justify-between gap-3 rounded-card bg-sunken px-3 py-1 sm:flex-col-reverse sm:items-stretch sm:gap-0 sm:py-3"
        >
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

function SkuOfDay({
  item,
  busy,
  onRemove,
}: Pick<SkusOfDayProps, 'busy' | 'onRemove'> & { item: WeeklyComponent }) {
  const days = weeklyDays(item.high_volume_config)
  return (
    <div className="flex h-full items-center gap-3">
      <span className="min-w-0 flex-1">
        <span className="block truncate font-mono text-sm">{item.barcode}</span>
        <span className="line-clamp-2 text-xs text-muted" title={days}>
          {days}
        </span>
      </span>
      <Button aria-label={`Remove ${item.barcode}`} disabled={busy} onClick={() => onRemove(item.barcode)}>
        Remove
      </Button>
    </div>
  )
}

function SkusOfDay({ day, components, busy, onRemove }: SkusOfDayProps) {
  const list = useListFocus<HTMLDivElement>(busy ? null : components.length)
  return (
    <div ref={list} tabIndex={-1} role="group" aria-label={`SKUs of ${day}`}>
      {components.length === 0 && <EmptyState title={`No high-volume SKUs on ${day}`} />}
      {components.length > 0 && (
        <VirtualList
          label="High-volume SKUs"
          items={components}
          keyOf={({ id }) => id}
          soughtBy={day}
          rowHeight={72}
          className="max-h-80"
        >
          {(item) => <SkuOfDay item={item} busy={busy} onRemove={onRemove} />}
        </VirtualList>
      )}
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

/** The lines whose code was not found. */
const without = (lines: readonly Line[], found: ReadonlySet<string>) =>
  lines.filter(({ codes: [code] }) => code === undefined || !found.has(code))

/** Which barcodes were found, and how many lists were changed. */
type Change = { found: ReadonlySet<string>; changed: number }

/** The codes that were found, the lines of which none was, and how many were put on the list now. */
type Added = { found: readonly string[]; left: readonly Line[]; changed: number }

function addedSentence({ found, left, changed }: Added, day: WeekDay): Status {
  const [only = ''] = found
  const what = found.length === 1 ? only : skus(changed)
  const added = changed === 0 ? '' : `Added to ${day}: ${what}.`
  if (left.length === 0) return { tone: 'good', text: added || `On ${day} already.` }
  const notFound = `Not found: ${left.map(({ text }) => text).join(', ')}`
  return { tone: 'warn', text: `${added} ${notFound}`.trim() }
}

/** Puts SKUs on a day of a location, or takes them off; says what was changed, and which are not there. */
function useHighVolume(day: WeekDay, location: LocationCode) {
  const company = useScannersOfCompany()
  const [codes, setCodes] = useState('')
  const [notice, setNotice] = useState<Status | null>(null)
  const [busy, setBusy] = useState(false)

  async function change(barcodes: string[], action: 'add' | 'remove'): Promise<Change> {
    const reply = await call(bulkHighVolume, { body: { barcodes, day, location, action } })
    const missing = new Set(reply.not_found)
    return { found: new Set(barcodes.filter((code) => !missing.has(code))), changed: reply.changed }
  }

  /** A code is asked for as it stands, and then without what a scanner adds. */
  async function addLines(lines: readonly Line[], before: Omit<Added, 'left'>): Promise<Added> {
    const asked = lines.flatMap(({ codes: [code] }) => (code === undefined ? [] : [code]))
    if (asked.length === 0) return { ...before, left: lines }
    const { found, changed } = await change(asked, 'add')
    const others = without(lines, found).map(({ text, codes: [, ...rest] }) => ({ text, codes: rest }))
    return await addLines(others, { found: [...before.found, ...found], changed: before.changed + changed })
  }

  /** Does some work and says what came of it. */
  async function told(work: () => Promise<Status>): Promise<Status> {
    setBusy(true)
    try {
      // Where it failed, some may have been changed before.
      return await readAnewAfter(work, () => readAnew(highVolumeForDay.path))
    } catch (failure) {
      return { tone: 'bad', text: messageOf(failure) }
    } finally {
      setBusy(false)
    }
  }

  async function attempt(work: () => Promise<Status>): Promise<void> {
    setNotice(await told(work))
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
        const lines = wanted.map((text) => ({ text, codes: codesMeant(text, company) }))
        const added = await addLines(lines, { found: [], changed: 0 })
        const left = added.left.map(({ text }) => text)
        setCodes((now) => {
          const since = linesSince(now, wanted)
          // What is scanned next is a line of its own.
          return [...left, ...(left.length > 0 && since.length === 0 ? [''] : since)].join('\n')
        })
        return addedSentence(added, day)
      }),
    addSuggested: async (barcodes: string[]) => {
      setNotice(null)
      return await told(async () => {
        const { found, changed } = await change(barcodes, 'add')
        const left = barcodes.filter((code) => !found.has(code)).map((text) => ({ text, codes: [] }))
        return addedSentence({ found: [...found], left, changed }, day)
      })
    },
    remove: (barcode: string) =>
      attempt(async () => {
        const { found, changed } = await change([barcode], 'remove')
        if (found.size === 0) return { tone: 'warn', text: `Not found: ${barcode}` }
        if (changed === 0) return { tone: 'warn', text: `Not on ${day} any more: ${barcode}.` }
        return { tone: 'good', text: `Removed from ${day}: ${barcode}.` }
      }),
  }
}

/** Where administrators say which SKUs are counted on which day. */
export function HighVolumeDialog(props: { day: WeekDay; location: LocationCode; onClose: () => void }) {
  const { location } = props
  const [day, setDay] = useState(props.day)
  const { codes, setCodes, notice, busy, wanted, add, addSuggested, remove } = useHighVolume(day, location)
  const { data, error, refetch } = useQuery(dayListQuery(location, day))
  const area = useRef<HTMLTextAreaElement>(null)

  /** A button that cannot be pressed for a moment loses the focus, and a scan would go nowhere. */
  async function addAndGoOn(): Promise<void> {
    await add()
    if (document.activeElement === document.body) area.current?.focus()
  }

  return (
    <Dialog title={`High volume at ${placeName(location)}`} onClose={props.onClose}>
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
        {notice !== null && <Banner tone={notice.tone}>{notice.text}</Banner>}
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
        <HighVolumeSuggestions location={location} day={day} busy={busy} onAdd={addSuggested} />
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
