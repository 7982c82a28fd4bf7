import type { TeamMember } from '@inventory-manager/contract/accounts/team-endpoints'
import { dayAfter } from '@inventory-manager/contract/calendar'
import { spotDaysAhead } from '@inventory-manager/contract/counting/spot/spot-count-rules'
import { nextRecurring } from '@inventory-manager/contract/counting/spot/spot-schedule-rules'
import { useState, type FormEvent } from 'react'
import { useOnce } from '../../api/once.ts'
import { skus } from '../../lib/numbers.ts'
import { Button } from '../../ui/button.tsx'
import { Fault } from '../../ui/fault.tsx'
import { SelectField, TextArea, TextField } from '../../ui/field.tsx'
import { useFaults } from '../../ui/use-faults.ts'
import { usePresent } from '../present-period.ts'
import {
  askOnce,
  askWeekly,
  codesOf,
  emptyForm,
  faultsOf,
  type Doing,
  type Field,
  type Form,
} from './spot-order.ts'
import { Expected, Suggested, TimeFields, usePlan } from './spot-plan.tsx'
import { DaysField } from './spot-recurring.tsx'
import type { PlanTime } from './spot-time.ts'

const ways: { value: Form['way']; label: string }[] = [
  { value: 'suggest', label: 'What is most likely wrong' },
  { value: 'weekly', label: 'Most likely wrong, weekly' },
  { value: 'name', label: 'SKUs that I name' },
]

type WhatProps = {
  form: Form
  today: string
  plan: ReturnType<typeof usePlan>
  faults: ReturnType<typeof useFaults<Field>>['faults']
  onChange: (part: Partial<Form>) => void
  onTime: (part: Partial<PlanTime>) => void
}

const isOneOf = (days: Form['days'], day: string) => days.length > 0 && nextRecurring(days, day) === day

/** What is to be counted: suggested for a time, once or on days of the week, or named. */
function What({ form, today, plan, faults, onChange, onTime }: WhatProps) {
  const { way } = form
  return (
    <>
      <SelectField
        label="What to count"
        value={way}
        options={ways}
        onChange={({ target }) =>
          onChange({ way: ways.find(({ value }) => value === target.value)?.value ?? way })
        }
      />
      {way === 'name' ? (
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
        <TimeFields time={form.time} faults={faults} onTime={onTime} />
      )}
      {way === 'suggest' && (
        <>
          <Suggested plan={plan} leftOut={form.leftOut} onLeaveOut={(leftOut) => onChange({ leftOut })} />
          {faults.skus !== undefined && <Fault text={faults.skus} />}
        </>
      )}
      {way === 'weekly' && (
        <>
          <DaysField days={form.days} error={faults.days} onDays={(days) => onChange({ days })} />
          <Expected plan={plan} asksNow={isOneOf(form.days, today)} />
        </>
      )}
    </>
  )
}

type FormProps = { location: string; people: readonly TeamMember[]; busy: boolean; onDo: Doing }

function submitText({ way }: Form, codes: readonly string[]): string {
  if (way === 'weekly') return 'Ask every week'
  return codes.length === 0 ? 'Ask for a spot count' : `Ask for ${skus(codes.length)}`
}

/** Asks what to count, who and by when. */
export function SpotForm({ location, people, busy, onDo }: FormProps) {
  const { present } = usePresent('day')
  const today = present.name
  const [form, setForm] = useState(emptyForm)
  const once = useOnce()
  const { way, person, day } = form
  const due = day ?? today
  const plan = usePlan(location, form.time, way !== 'name')
  const { faults, accept, forget } = useFaults<Field>()
  const suggested = plan.isPossible ? (plan.data?.suggestions ?? []).map(({ barcode }) => barcode) : []
  const codes = codesOf(form, suggested)

  function change(part: Partial<Form>): void {
    setForm((before) => ({ ...before, ...part }))
    const { day: due, ...others } = part
    const isOfCodes = !('person' in part || 'day' in part)
    forget({ ...others, ...('day' in part ? { due } : {}), ...(isOfCodes ? { skus: true } : {}) })
  }

  function changeTime(part: Partial<PlanTime>): void {
    setForm((before) => ({ ...before, time: { ...before.time, ...part } }))
    forget({ ...part, skus: true })
  }

  async function ask(): Promise<string> {
    if (way === 'weekly') {
      const text = await askWeekly(form, { location, once })
      setForm((before) => ({ ...before, way: 'suggest' }))
      return text
    }
    const { text, left } = await askOnce(form, { location, once }, { codes, due })
    // What was left out may be a slip to be mended.
    const typed = way === 'name' ? left.join('\n') : form.typed
    setForm((before) => ({ ...before, typed, leftOut: new Set() }))
    return text
  }

  function send(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    if (accept(faultsOf(form, { codes, due, today }), event.currentTarget)) onDo(ask)
  }

  return (
    <form noValidate onSubmit={send} className="flex flex-col gap-4 max-sm:[&_*]:scroll-mb-24">
      <What form={form} today={today} plan={plan} faults={faults} onChange={change} onTime={changeTime} />
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
        {way !== 'weekly' && (
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
        )}
      </div>
      {/* Stays in view on a phone, however many SKUs are suggested. */}
      <div className="grid max-sm:sticky max-sm:-bottom-4 max-sm:-mx-4 max-sm:-mb-4 max-sm:border-t max-sm:border-line max-sm:bg-surface max-sm:p-3">
        <Button look="primary" submits disabled={busy || (way === 'suggest' && plan.isBehind)}>
          {submitText(form, codes)}
        </Button>
      </div>
    </form>
  )
}
