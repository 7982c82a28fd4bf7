import { getTeam, type TeamMember } from '@inventory-manager/contract/accounts/team-endpoints'
import { countSheet } from '@inventory-manager/contract/counting/sheet-endpoints'
import {
  askSpotCount,
  listSpotCounts,
  listSpotSkus,
  suggestSpotCount,
  takeBackSpotCount,
  type SpotCount,
} from '@inventory-manager/contract/counting/spot-count-endpoints'
import {
  dayAfter,
  isDueSoon,
  mostSpotSkus,
  notDueSoon,
  spotDaysAhead,
  tooManySpotSkus,
} from '@inventory-manager/contract/counting/spot-count-rules'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { messageOf } from '../api/api-error.ts'
import { call } from '../api/client.ts'
import { DownloadStatus, useDownload } from '../api/download.tsx'
import { useOnce } from '../api/once.ts'
import { readAnew, readAnewAfter } from '../api/read-anew.ts'
import { formatDay } from '../lib/dates.ts'
import { formatNumber, skus } from '../lib/numbers.ts'
import { usualPaper } from '../lib/papers.ts'
import { placeName } from '../session/place-names.ts'
import { Badge } from '../ui/badge.tsx'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Fault } from '../ui/fault.tsx'
import { SelectField, TextArea, TextField } from '../ui/field.tsx'
import { LoadFailure } from '../ui/load-failure.tsx'
import { Loading } from '../ui/loading.tsx'
import { useFaults } from '../ui/use-faults.ts'
import { useListFocus } from '../ui/use-list-focus.ts'
import { usePresent } from './present-period.ts'
import { spotCountsQuery } from './spot-counts-query.ts'
import { faultsOfTime, Suggested, TimeFields, usePlan, type PlanTime } from './spot-plan.tsx'

type Doing = (work: () => Promise<string>) => void

type Download = ReturnType<typeof useDownload>

/** The first SKUs of a spot count, and how many more there are. */
function firstOf({ first_skus: first, total }: SpotCount): string {
  const more = total - first.length
  return more > 0 ? `${first.join(', ')} and ${formatNumber(more)} more` : first.join(', ')
}

type RowProps = { spot: SpotCount; busy: boolean; download: Download; onDo: Doing }

function AskedRow({ spot, busy, download, onDo }: RowProps) {
  const { id, location, user_name: name, due_on: due, counted, total, overdue } = spot
  const whose = `${name ?? 'whoever counts here'}, by ${formatDay(due)}`

  async function takeBack(): Promise<string> {
    await call(takeBackSpotCount, { params: { id } })
    return `The spot count (${whose}) is taken back. What was counted stays counted.`
  }

  function print(): void {
    const query = { location, spot_count: id, components: 'pending', paper: usualPaper() } as const
    download.start('The count sheet', countSheet, { query }).catch(reportError)
  }

  return (
    <li className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 py-2">
      <span className="flex min-w-0 flex-1 basis-60 flex-wrap items-center gap-x-3">
        <span className="max-w-full font-medium wrap-anywhere tabular-nums">
          {formatNumber(counted)} of {skus(total)}
        </span>
        <span className="text-sm wrap-anywhere text-muted tabular-nums">{whose}</span>
        {overdue && <Badge tone="warn">Overdue</Badge>}
        {total > 0 && counted >= total && <Badge tone="good">Done</Badge>}
        <span className="w-full truncate font-mono text-sm text-muted">{firstOf(spot)}</span>
      </span>
      <span className="flex gap-2">
        {counted < total && (
          <Button
            disabled={download.busy}
            aria-label={`Count sheet of ${skus(total)}, ${whose}`}
            onClick={print}
          >
            Count sheet
          </Button>
        )}
        <Button
          disabled={busy}
          aria-label={`Take back ${skus(total)}, ${whose}`}
          onClick={({ detail }) => {
            // The second press of a double click is none for what stands there by then.
            if (detail < 2) onDo(takeBack)
          }}
        >
          Take back
        </Button>
      </span>
    </li>
  )
}

/** Codes as people type them, one a line, each once. */
function readCodes(typed: string): string[] {
  return [...new Set(typed.split('\n').map((line) => line.trim()))].filter((code) => code !== '')
}

function faultOfCodes(codes: readonly string[], way: Form['way']): string | null {
  if (codes.length === 0) return way === 'name' ? 'Name at least one SKU.' : 'Choose at least one SKU.'
  return codes.length > mostSpotSkus ? tooManySpotSkus : null
}

const mostTold = 10

function doneText({ asked, not_found: left }: { asked: number; not_found: string[] }, by: string): string {
  const text = `Asked for ${skus(asked)} by ${formatDay(by)}.`
  if (left.length === 0) return text
  const more = left.length - mostTold
  const told = `${left.slice(0, mostTold).join(', ')}${more > 0 ? ` and ${formatNumber(more)} more` : ''}`
  return `${text} Left out, as nothing that the location counts: ${told}.`
}

type Form = {
  way: 'suggest' | 'name'
  time: PlanTime
  typed: string
  leftOut: ReadonlySet<string>
  person: string
  day: string | null
}

const emptyForm: Form = {
  way: 'suggest',
  time: { minutes: '30', people: '1' },
  typed: '',
  leftOut: new Set(),
  person: '',
  day: null,
}

type Faults = ReturnType<typeof useFaults<'minutes' | 'people' | 'skus' | 'due'>>

type WhatProps = {
  form: Form
  plan: ReturnType<typeof usePlan>
  faults: Faults['faults']
  onChange: (part: Partial<Form>) => void
  onTime: (part: Partial<PlanTime>) => void
}

/** What is to be counted: suggested for a time, or named. */
function What({ form, plan, faults, onChange, onTime }: WhatProps) {
  return (
    <>
      <SelectField
        label="What to count"
        value={form.way}
        options={[
          { value: 'suggest', label: 'What is most likely wrong' },
          { value: 'name', label: 'SKUs that I name' },
        ]}
        onChange={({ target }) => onChange({ way: target.value === 'name' ? 'name' : 'suggest' })}
      />
      {form.way === 'name' ? (
        <TextArea
          label="SKUs, one a line"
          name="skus"
          rows={5}
          spellCheck={false}
          autoCapitalize="off"
          value={form.typed}
          error={faults.skus}
          onChange={({ target }) => onChange({ typed: target.value })}
        />
      ) : (
        <>
          <TimeFields time={form.time} faults={faults} onTime={onTime} />
          <Suggested plan={plan} leftOut={form.leftOut} onLeaveOut={(leftOut) => onChange({ leftOut })} />
          {faults.skus !== undefined && <Fault text={faults.skus} />}
        </>
      )}
    </>
  )
}

type FormProps = { location: string; people: readonly TeamMember[]; busy: boolean; onDo: Doing }

/** Asks what to count, who and by when. */
function PlanForm({ location, people, busy, onDo }: FormProps) {
  const { present } = usePresent('day')
  const today = present.name
  const [form, setForm] = useState(emptyForm)
  const once = useOnce()
  const { way, time, person } = form
  const due = form.day ?? today
  const plan = usePlan(location, time, way === 'suggest')
  const { faults, accept, forget } = useFaults<'minutes' | 'people' | 'skus' | 'due'>()
  const suggested = plan.data?.suggestions.map(({ barcode }) => barcode) ?? []
  const barcodes =
    way === 'name' ? readCodes(form.typed) : suggested.filter((barcode) => !form.leftOut.has(barcode))

  function change(part: Partial<Form>): void {
    setForm((before) => ({ ...before, ...part }))
    forget({
      ...('day' in part ? { due } : {}),
      ...('person' in part || 'day' in part ? {} : { skus: true }),
    })
  }

  function changeTime(part: Partial<PlanTime>): void {
    setForm((before) => ({ ...before, time: { ...before.time, ...part } }))
    forget({ ...part, skus: true })
  }

  async function ask(): Promise<string> {
    const body = { location, barcodes, user_id: person === '' ? null : person, due_on: due }
    const reply = await once(body, (idempotencyKey) => call(askSpotCount, { body }, { idempotencyKey }))
    // What was left out may be a slip to be mended.
    const typed = way === 'name' ? reply.not_found.join('\n') : form.typed
    setForm((before) => ({ ...before, typed, leftOut: new Set() }))
    return doneText(reply, due)
  }

  function send(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const wrongCodes = faultOfCodes(barcodes, way)
    const found = {
      ...(way === 'suggest' ? faultsOfTime(time) : {}),
      ...(wrongCodes === null ? {} : { skus: wrongCodes }),
      ...(isDueSoon(due, today) ? {} : { due: notDueSoon }),
    }
    if (accept(found, event.currentTarget)) onDo(ask)
  }

  return (
    <form noValidate onSubmit={send} className="flex flex-col gap-4">
      <What form={form} plan={plan} faults={faults} onChange={change} onTime={changeTime} />
      <div className="grid items-start gap-3 sm:grid-cols-2">
        <SelectField
          label="Person"
          value={person}
          options={[
            { value: '', label: 'Whoever counts here' },
            ...people.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          onChange={({ target }) => change({ person: target.value })}
        />
        <TextField
          label="Count by"
          name="due"
          type="date"
          min={today}
          max={dayAfter(today, spotDaysAhead)}
          value={due}
          error={faults.due}
          onChange={({ target }) => change({ day: target.value })}
        />
      </div>
      <Button look="primary" submits disabled={busy || (way === 'suggest' && plan.isBehind)}>
        {barcodes.length === 0 ? 'Ask for a spot count' : `Ask for ${skus(barcodes.length)}`}
      </Button>
    </form>
  )
}

const shownIn = [listSpotCounts, listSpotSkus, suggestSpotCount].map(({ path }) => path)

/** Plans spot counts of a location, and takes them back; each takes effect at once. */
export function SpotDialog({ location, onClose }: { location: string; onClose: () => void }) {
  const team = useQuery({
    queryKey: [getTeam.path],
    queryFn: ({ signal }) => call(getTeam, {}, { signal }),
  })
  const { data } = useQuery(spotCountsQuery)
  const spots = data?.spot_counts.filter((each) => each.location === location) ?? []
  const act = useMutation({
    mutationFn: (work: () => Promise<string>) => readAnewAfter(work, () => readAnew(...shownIn)),
  })
  const download = useDownload()
  const list = useListFocus<HTMLUListElement>(act.isPending ? null : spots.length)
  return (
    <Dialog title={`Spot counts of ${placeName(location)}`} onClose={onClose}>
      <div className="flex flex-col gap-4">
        {act.error !== null && <Fault text={messageOf(act.error)} />}
        {act.data !== undefined && <Banner tone="good">{act.data}</Banner>}
        {spots.length > 0 && (
          <ul
            ref={list}
            tabIndex={-1}
            aria-label="Asked for already"
            className="divide-y divide-line border-b border-line"
          >
            {spots.map((spot) => (
              <AskedRow
                key={spot.id}
                spot={spot}
                busy={act.isPending}
                download={download}
                onDo={act.mutate}
              />
            ))}
          </ul>
        )}
        <DownloadStatus download={download} />
        {team.error !== null && <LoadFailure text={messageOf(team.error)} onRetry={team.refetch} />}
        {team.isPending && <Loading label="Loading the team..." />}
        {team.data !== undefined && (
          <PlanForm
            location={location}
            people={team.data.users.filter(({ active }) => active)}
            busy={act.isPending}
            onDo={act.mutate}
          />
        )}
      </div>
    </Dialog>
  )
}
