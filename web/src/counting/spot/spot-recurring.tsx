import { daysOfWeek, type DayOfWeek } from '@inventory-manager/contract/calendar'
import {
  endSpotSchedule,
  listSpotSchedules,
  type SpotSchedule,
} from '@inventory-manager/contract/counting/spot/spot-schedule-endpoints'
import {
  onRecurringDays,
  recurringDaysInWords,
} from '@inventory-manager/contract/counting/spot/spot-schedule-rules'
import { howMany } from '@inventory-manager/contract/numbers'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { asTimePassesMs } from '../../api/as-time-passes.ts'
import { messageOf } from '../../api/api-error.ts'
import { call } from '../../api/client.ts'
import { formatDay } from '../../lib/dates.ts'
import { formatNumber, skus } from '../../lib/numbers.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/field.tsx'
import { firstClick } from '../../ui/first-click.ts'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { useListFocus } from '../../ui/use-list-focus.ts'
import type { Doing } from './spot-order.ts'

type Time = Pick<SpotSchedule, 'minutes' | 'people'>

/** '30 minutes of 2 people' */
function timeOf({ minutes, people }: Time): string {
  const time = howMany(minutes, 'minute')
  return people === 1 ? time : `${time} of ${formatNumber(people)} people`
}

/** Why nobody is asked: a company whose trial is over asks nobody, a person who may not count is not asked. */
function pauseOf(name: string | null): string {
  return name === null
    ? 'paused while the trial is over'
    : `paused while ${name} is deactivated or without a seat, or the trial is over`
}

/** What it asked for last and when it asks next: '12 SKUs on Nov 30, next on Dec 1'. */
function turnsOf({ asked_on: on, asked_skus: asked, next_on: next, user_name: name }: SpotSchedule): string {
  return [
    ...(on === null ? [] : [`${asked === 0 ? 'nothing to ask for' : skus(asked ?? 0)} on ${formatDay(on)}`]),
    next === null ? pauseOf(name) : `next on ${formatDay(next)}`,
  ].join(', ')
}

type RowProps = { schedule: SpotSchedule; busy: boolean; onDo: Doing }

function RecurringRow({ schedule, busy, onDo }: RowProps) {
  const { id, user_name: name, days, next_on: next } = schedule
  const when = recurringDaysInWords(days)
  const whose = `${name ?? 'whoever counts here'}, ${timeOf(schedule)}`

  async function end(): Promise<string> {
    await call(endSpotSchedule, { params: { id } })
    return `What was asked for ${onRecurringDays(days)} (${whose}) no longer recurs. Its last request still stands.`
  }

  return (
    <li className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 py-2">
      <span className="flex min-w-0 flex-1 basis-60 flex-wrap items-center gap-x-3">
        <span className="max-w-full font-medium wrap-anywhere first-letter:uppercase">{when}</span>
        <span className="text-sm wrap-anywhere text-muted tabular-nums">{whose}</span>
        {next === null && <Badge tone="warn">Paused</Badge>}
        <span className="w-full text-sm text-muted tabular-nums">{turnsOf(schedule)}</span>
      </span>
      <Button disabled={busy} aria-label={`End ${when}, ${whose}`} onClick={firstClick(() => onDo(end))}>
        End
      </Button>
    </li>
  )
}

type RecurringProps = { location: string; busy: boolean; onDo: Doing }

/** The spot counts of a location that recur, and the way to end them; nothing where none does. */
export function Recurring({ location, busy, onDo }: RecurringProps) {
  const { data, error, refetch } = useQuery({
    queryKey: [listSpotSchedules.path],
    queryFn: ({ signal }) => call(listSpotSchedules, {}, { signal }),
    refetchInterval: asTimePassesMs,
  })
  const schedules = data?.spot_schedules.filter((each) => each.location === location) ?? []
  const list = useListFocus<HTMLUListElement>(busy ? null : schedules.length)
  if (error !== null && data === undefined) return <LoadFailure text={messageOf(error)} onRetry={refetch} />
  if (schedules.length === 0) return null
  return (
    <section className="flex flex-col">
      <h3 className="text-sm font-medium">Recurring</h3>
      <ul
        ref={list}
        tabIndex={-1}
        aria-label="Recurring spot counts"
        className="divide-y divide-line border-b border-line"
      >
        {schedules.map((schedule) => (
          <RecurringRow key={schedule.id} schedule={schedule} busy={busy} onDo={onDo} />
        ))}
      </ul>
    </section>
  )
}

type DaysProps = {
  days: readonly DayOfWeek[]
  error: string | undefined
  onDays: (days: DayOfWeek[]) => void
}

/** The days of the week on which something recurs. */
export function DaysField({ days, error, onDays }: DaysProps) {
  const id = useId()
  const isWrong = error !== undefined
  return (
    <fieldset className="flex flex-col" aria-describedby={isWrong ? `${id}-error` : undefined}>
      <legend className="text-sm font-medium">Days</legend>
      <div className="grid grid-cols-2 gap-x-3 sm:grid-cols-4">
        {daysOfWeek.map((day, place) => (
          <Checkbox
            key={day}
            id={place === 0 ? id : undefined}
            aria-invalid={isWrong}
            label={day}
            name="days"
            checked={days.includes(day)}
            onChange={({ target }) =>
              onDays(daysOfWeek.filter((each) => (each === day ? target.checked : days.includes(each))))
            }
          />
        ))}
      </div>
      {isWrong && (
        <p id={`${id}-error`} className="text-sm text-bad-text">
          {error}
        </p>
      )}
    </fieldset>
  )
}
