import type { DayOfWeek } from '@inventory-manager/contract/calendar'
import { askSpotCount } from '@inventory-manager/contract/counting/spot/spot-count-endpoints'
import {
  isDueSoon,
  mostSpotSkus,
  notDueSoon,
  tooManySpotSkus,
} from '@inventory-manager/contract/counting/spot/spot-count-rules'
import { scheduleSpotCounts } from '@inventory-manager/contract/counting/spot/spot-schedule-endpoints'
import {
  noRecurringDay,
  onRecurringDays,
} from '@inventory-manager/contract/counting/spot/spot-schedule-rules'
import { weekDays } from '@inventory-manager/contract/stock/rules'
import { call } from '../../api/client.ts'
import type { Once } from '../../api/once.ts'
import { formatWholeDay } from '../../lib/dates.ts'
import { skus, someOf } from '../../lib/numbers.ts'
import { faultsOfTime, type PlanTime } from './spot-time.ts'

/** Does what was asked for and says what came of it; one at a time. */
export type Doing = (work: () => Promise<string>) => void

/** What a spot count is of, as it is chosen: suggested once, suggested anew on days of the week, or named. */
export type Form = {
  way: 'suggest' | 'weekly' | 'name'
  time: PlanTime
  typed: string
  /** What of the suggested is not wanted. */
  leftOut: ReadonlySet<string>
  days: readonly DayOfWeek[]
  /** The id of whoever is asked; '' for whoever counts there. */
  person: string
  /** By when; null for today, whichever day that is. */
  day: string | null
}

export const emptyForm: Form = {
  way: 'suggest',
  time: { minutes: '30', people: '1' },
  typed: '',
  leftOut: new Set(),
  days: weekDays,
  person: '',
  day: null,
}

/** Codes as people type them, one a line, each once. */
function readCodes(typed: string): string[] {
  return [...new Set(typed.split('\n').map((line) => line.trim()))].filter((code) => code !== '')
}

/** Which SKUs a form asks for, where it asks for some itself. */
export function codesOf({ way, typed, leftOut }: Form, suggested: readonly string[]): string[] {
  return way === 'name' ? readCodes(typed) : suggested.filter((barcode) => !leftOut.has(barcode))
}

function faultOfCodes(codes: readonly string[], way: Form['way']): { skus?: string } {
  if (codes.length === 0) {
    return { skus: way === 'name' ? 'Name at least one SKU.' : 'Choose at least one SKU.' }
  }
  return codes.length > mostSpotSkus ? { skus: tooManySpotSkus } : {}
}

/** The names of the fields that something can be wrong with. */
export type Field = 'minutes' | 'people' | 'skus' | 'days' | 'due'

type Order = { codes: readonly string[]; due: string; today: string }

/** What is wrong with a form; nothing where nothing is. */
export function faultsOf(
  { way, time, days }: Form,
  { codes, due, today }: Order,
): Partial<Record<Field, string>> {
  const ofTime = way === 'name' ? {} : faultsOfTime(time)
  if (way === 'weekly') return { ...ofTime, ...(days.length > 0 ? {} : { days: noRecurringDay }) }
  // For a time that nobody has nothing is suggested.
  const ofCodes = Object.keys(ofTime).length > 0 ? {} : faultOfCodes(codes, way)
  return { ...ofTime, ...ofCodes, ...(isDueSoon(due, today) ? {} : { due: notDueSoon }) }
}

/** How many of the codes that were left out are said. */
const mostTold = 10

type Where = { location: string; once: Once }

const userOf = ({ person }: Form) => (person === '' ? null : person)

/** Asks for SKUs by a day; says what came of it, and which codes were left out. */
export async function askOnce(
  form: Form,
  { location, once }: Where,
  { codes, due }: Pick<Order, 'codes' | 'due'>,
): Promise<{ text: string; left: string[] }> {
  const body = { location, barcodes: [...codes], user_id: userOf(form), due_on: due }
  const { asked, not_found: left } = await once(body, (idempotencyKey) =>
    call(askSpotCount, { body }, { idempotencyKey }),
  )
  const text = `Asked for ${skus(asked)} by ${formatWholeDay(due)}.`
  if (left.length === 0) return { text, left }
  const told = someOf(left, { most: mostTold, of: left.length })
  return { text: `${text} Not known, or not counted at this location: ${told}.`, left }
}

/** Has it asked anew on days of the week; says what came of it. */
export async function askWeekly(form: Form, { location, once }: Where): Promise<string> {
  const { time, days } = form
  const typed = { minutes: Number(time.minutes), people: Number(time.people) }
  const body = { location, user_id: userOf(form), days: [...days], ...typed }
  const { asked, next_on: next } = await once(body, (idempotencyKey) =>
    call(scheduleSpotCounts, { body }, { idempotencyKey }),
  )
  const text = `From now on, SKUs are asked for ${onRecurringDays(days)}.`
  if (asked === null) return `${text} The first time is ${formatWholeDay(next)}.`
  return `${text} ${asked === 0 ? 'Today there is nothing to suggest.' : `Today's request covers ${skus(asked)}.`}`
}
