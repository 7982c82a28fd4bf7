import { getTeam, type TeamMember } from '@inventory-manager/contract/accounts/team-endpoints'
import { lastDayOfMonth } from '@inventory-manager/contract/calendar'
import {
  assignCounter,
  listAssignments,
  unassignCounter,
  type Assignment,
} from '@inventory-manager/contract/counting/assignments/assignment-endpoints'
import {
  isDueThisMonth,
  notDueThisMonth,
} from '@inventory-manager/contract/counting/assignments/assignment-rules'
import { binsInWords, faultOfBins, readBins, writeBins } from '@inventory-manager/contract/stock/bin-names'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useId, useState, type FormEvent } from 'react'
import { messageOf } from '../../api/api-error.ts'
import { call } from '../../api/client.ts'
import { readAnew, readAnewAfter } from '../../api/read-anew.ts'
import { formatDay, formatWholeDay } from '../../lib/dates.ts'
import { placeName } from '../../session/place-names.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Fault } from '../../ui/fault.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { firstClick } from '../../ui/first-click.ts'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Outcome } from '../../ui/outcome.tsx'
import { useFaults } from '../../ui/use-faults.ts'
import { useListFocus } from '../../ui/use-list-focus.ts'
import { AssignBins } from './assign-bins.tsx'
import { assignmentsQuery } from './assignments-query.ts'
import { usePresent } from '../present-period.ts'

type Doing = (work: () => Promise<string>) => void

function AskedRow({ asked, busy, onDo }: { asked: Assignment; busy: boolean; onDo: Doing }) {
  const { id, user_name: name, due_on: due, bins = [], overdue } = asked

  async function takeBack(): Promise<string> {
    await call(unassignCounter, { params: { id } })
    return `${name} is no longer asked to count here.`
  }

  return (
    <li className="flex items-center justify-between gap-3 py-1">
      <span className="flex min-w-0 flex-wrap items-center gap-x-3">
        <span className="max-w-full font-medium wrap-anywhere">{name}</span>
        <span className="text-sm wrap-anywhere text-muted tabular-nums">
          {bins.length > 0 && `${binsInWords(bins)}, `}by {formatDay(due)}
        </span>
        {overdue && <Badge tone="warn">Overdue</Badge>}
      </span>
      <Button
        className="shrink-0"
        disabled={busy}
        aria-label={`Withdraw the request to ${name}`}
        onClick={firstClick(() => onDo(takeBack))}
      >
        Withdraw
      </Button>
    </li>
  )
}

type AskedListProps = { asked: readonly Assignment[]; busy: boolean; onDo: Doing }

function AskedList({ asked, busy, onDo }: AskedListProps) {
  const list = useListFocus<HTMLUListElement>(busy ? null : asked.length)
  if (asked.length === 0) return null
  return (
    <ul
      ref={list}
      tabIndex={-1}
      aria-label="Asked already"
      className="divide-y divide-line border-b border-line"
    >
      {asked.map((each) => (
        <AskedRow key={each.id} asked={each} busy={busy} onDo={onDo} />
      ))}
    </ul>
  )
}

type FormProps = {
  /** By which its button is found to be the form's. */
  id: string
  location: string
  people: readonly TeamMember[]
  asked: readonly Assignment[]
  onDo: Doing
}

function alreadyOf(known: Assignment | undefined): string | undefined {
  if (known === undefined) return undefined
  const by = `by ${formatDay(known.due_on)}`
  const { bins = [] } = known
  return bins.length === 0
    ? `Already asked to count ${by}. Assign again to change the day.`
    : `Already asked to count ${binsInWords(bins)} ${by}. Assign again to change the day or the bins.`
}

type Form = { person: string; day: string | null; bins: string; isNoneToo: boolean }

/** Asks for a person, a day and, where it has bins, for these; who is asked already gets others. */
function AssignForm({ id: formId, location, people, asked, onDo }: FormProps) {
  const { present } = usePresent('day')
  const today = present.name
  const end = lastDayOfMonth(today)
  const [form, setForm] = useState<Form>({ person: '', day: null, bins: '', isNoneToo: false })
  const change = (part: Partial<Form>) => setForm((before) => ({ ...before, ...part }))
  const { person, isNoneToo } = form
  const due = form.day ?? end
  const bins = [...readBins(form.bins), ...(isNoneToo ? [''] : [])]
  const { faults, accept, forget } = useFaults<'person' | 'due' | 'bins'>()
  const askedOf = (id: string) => asked.find(({ user_id: user }) => user === id)

  function choose(id: string): void {
    const { bins: theirs = [] } = askedOf(id) ?? {}
    // What was typed for nobody yet is meant for whoever is chosen then.
    const isKept = askedOf(id) === undefined && askedOf(person) === undefined
    change({ person: id, ...(isKept ? {} : { bins: writeBins(theirs), isNoneToo: theirs.includes('') }) })
    forget({ person: id })
  }

  async function assign(): Promise<string> {
    await call(assignCounter, { body: { location, user_id: person, due_on: due, bins } })
    const name = people.find(({ id }) => id === person)?.name ?? ''
    const what = bins.length === 0 ? placeName(location) : `${binsInWords(bins)} at ${placeName(location)}`
    return `${name} is asked to count ${what} by ${formatWholeDay(due)}.`
  }

  function send(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const wrongBins = faultOfBins(bins)
    const found = {
      ...(person === '' ? { person: 'Choose a person.' } : {}),
      ...(isDueThisMonth(due, today) ? {} : { due: notDueThisMonth }),
      ...(wrongBins === null ? {} : { bins: wrongBins }),
    }
    if (accept(found, event.currentTarget)) onDo(assign)
  }

  return (
    <form id={formId} noValidate onSubmit={send} className="flex flex-col gap-4">
      <div className="grid items-start gap-3 sm:grid-cols-2">
        <SelectField
          label="Person"
          name="person"
          value={person}
          error={faults.person}
          hint={alreadyOf(askedOf(person))}
          options={[
            { value: '', label: 'Choose a person' },
            ...people.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          onChange={({ target }) => choose(target.value)}
        />
        <TextField
          label="Count by"
          name="due"
          type="date"
          min={today}
          max={end}
          value={due}
          error={faults.due}
          onChange={({ target }) => {
            change({ day: target.value })
            forget({ due })
          }}
        />
      </div>
      <AssignBins
        location={location}
        asked={asked}
        value={form.bins}
        error={faults.bins}
        isNoneToo={isNoneToo}
        onChange={(typed) => {
          change({ bins: typed })
          forget({ bins: typed })
        }}
        onNoneToo={(isNone) => change({ isNoneToo: isNone })}
      />
    </form>
  )
}

/** Says who counts a location this month, and by when; each takes effect at once. */
export function AssignDialog({ location, onClose }: { location: string; onClose: () => void }) {
  const formId = useId()
  const team = useQuery({
    queryKey: [getTeam.path],
    queryFn: ({ signal }) => call(getTeam, {}, { signal }),
  })
  const { data } = useQuery(assignmentsQuery)
  const asked = data?.assignments.filter((each) => each.location === location) ?? []
  const act = useMutation({
    mutationFn: (work: () => Promise<string>) => readAnewAfter(work, () => readAnew(listAssignments.path)),
  })
  return (
    <Dialog
      title={`Who counts ${placeName(location)}`}
      onClose={onClose}
      actions={
        team.data === undefined ? undefined : (
          <Button look="primary" submits form={formId} disabled={act.isPending}>
            Assign
          </Button>
        )
      }
    >
      <div className="flex flex-col gap-4">
        {act.error !== null && <Fault text={messageOf(act.error)} />}
        {act.data !== undefined && <Outcome tone="good" text={act.data} />}
        <AskedList asked={asked} busy={act.isPending} onDo={act.mutate} />
        {team.error !== null && <LoadFailure text={messageOf(team.error)} onRetry={team.refetch} />}
        {team.isPending && <Loading label="Loading the team..." />}
        {team.data !== undefined && (
          <AssignForm
            id={formId}
            location={location}
            people={team.data.users.filter(({ active }) => active)}
            asked={asked}
            onDo={act.mutate}
          />
        )}
      </div>
    </Dialog>
  )
}
