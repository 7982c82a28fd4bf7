import type { TeamMember } from '@inventory-manager/contract/accounts/team-endpoints'
import { askSpotCount } from '@inventory-manager/contract/counting/spot-count-endpoints'
import {
  dayAfter,
  isDueSoon,
  mostSpotSkus,
  notDueSoon,
  spotDaysAhead,
  tooManySpotSkus,
} from '@inventory-manager/contract/counting/spot-count-rules'
import { useState, type FormEvent } from 'react'
import { call } from '../api/client.ts'
import { useOnce } from '../api/once.ts'
import { formatDay } from '../lib/dates.ts'
import { skus, someOf } from '../lib/numbers.ts'
import { Button } from '../ui/button.tsx'
import { Fault } from '../ui/fault.tsx'
import { SelectField, TextArea, TextField } from '../ui/field.tsx'
import { useFaults } from '../ui/use-faults.ts'
import { usePresent } from './present-period.ts'
import { faultsOfTime, Suggested, TimeFields, usePlan, type PlanTime } from './spot-plan.tsx'

/** Codes as people type them, one a line, each once. */
function readCodes(typed: string): string[] {
  return [...new Set(typed.split('\n').map((line) => line.trim()))].filter((code) => code !== '')
}

function faultOfCodes(codes: readonly string[], way: Form['way']): string | null {
  if (codes.length === 0) return way === 'name' ? 'Name at least one SKU.' : 'Choose at least one SKU.'
  return codes.length > mostSpotSkus ? tooManySpotSkus : null
}

/** How many of the codes that were left out are said. */
const mostTold = 10

function doneText({ asked, not_found: left }: { asked: number; not_found: string[] }, by: string): string {
  const text = `Asked for ${skus(asked)} by ${formatDay(by)}.`
  if (left.length === 0) return text
  const told = someOf(left, { most: mostTold, of: left.length })
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

/** Does what was asked for and says what came of it; one at a time. */
export type Doing = (work: () => Promise<string>) => void

type FormProps = { location: string; people: readonly TeamMember[]; busy: boolean; onDo: Doing }

/** Asks what to count, who and by when. */
export function SpotForm({ location, people, busy, onDo }: FormProps) {
  const { present } = usePresent('day')
  const today = present.name
  const [form, setForm] = useState(emptyForm)
  const once = useOnce()
  const { way, time, person } = form
  const due = form.day ?? today
  const plan = usePlan(location, time, way === 'suggest')
  const { faults, accept, forget } = useFaults<'minutes' | 'people' | 'skus' | 'due'>()
  const suggested = plan.isPossible ? (plan.data?.suggestions ?? []).map(({ barcode }) => barcode) : []
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
    const wrongTime = way === 'suggest' ? faultsOfTime(time) : {}
    // For a time that nobody has nothing is suggested.
    const wrongCodes = Object.keys(wrongTime).length > 0 ? null : faultOfCodes(barcodes, way)
    const found = {
      ...wrongTime,
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
