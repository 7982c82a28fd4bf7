import { sql } from 'kysely'
import type { Tx } from '../platform/db/database.ts'
import { AppError } from '../platform/http/app-error.ts'

/** The time zone a name stands for, of which the runtime knows more than the database ('AET', 'Asia/Calcutta'); null for none. */
function canonical(name: string): string | null {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

/** Names that PostgreSQL takes for an hour that is the same all year, where the runtime knows winter and summer. */
const placesOf = new Map([
  ['CET', 'Europe/Brussels'],
  ['EET', 'Europe/Athens'],
  ['MET', 'Europe/Brussels'],
  ['WET', 'Europe/Lisbon'],
])

/** Which of the names that a database knows stands for a time zone; undefined where none does. */
export function chooseTimeZone(given: string, known: readonly string[]): string | undefined {
  const asked = placesOf.get(given.toUpperCase()) ?? given
  const wanted = canonical(asked)
  return (
    known.find((name) => name === asked) ??
    known.find((name) => name === wanted) ??
    (wanted === null ? undefined : known.find((name) => canonical(name) === wanted))
  )
}

/**
 * The time zones of the database by their full names. It takes abbreviations too, some for other zones than the runtime
 * does: 'IST' is India here and Israel there.
 */
export async function listTimeZones({ db }: Pick<Tx, 'db'>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from pg_timezone_names order by name`.execute(db)
  return rows.map(({ name }) => name)
}

/** When a name was last seen among the database's: reading the list opens 600 files, and takes it 100 ms. */
const seen = new Map<string, number>()
const seenFor = 60 * 60_000

/** The name by which the database knows a time zone, which computes the company's days; null where it knows none. */
export async function findTimeZone(tx: Pick<Tx, 'db'>, given: string): Promise<string | null> {
  const now = Date.now()
  if (now - (seen.get(given) ?? 0) < seenFor) return given
  const found = chooseTimeZone(given, await listTimeZones(tx)) ?? null
  if (found !== null) seen.set(found, now)
  return found
}

/** As findTimeZone; throws 'invalid_request' for a time zone that the database does not know. */
export async function getTimeZone(tx: Pick<Tx, 'db'>, given: string): Promise<string> {
  const found = await findTimeZone(tx, given)
  if (found !== null) return found
  throw new AppError('invalid_request', {
    sentence: `The database of this installation does not know the time zone ${given}. Choose another one.`,
  })
}

/** Moments of the coming year, ten days apart: between two clock changes there are several. */
function momentsAhead(now: Date): Date[] {
  return Array.from({ length: 37 }, (_, nth) => new Date(now.getTime() + nth * 10 * 86_400_000))
}

/**
 * Since when, from now on and within a year, the database has another time in a zone than the runtime, whose list of zones may be
 * older or newer; null where it has not.
 */
export async function findZoneDifference(
  { db }: Pick<Tx, 'db'>,
  timeZone: string,
  now: Date,
): Promise<Date | null> {
  const moments = momentsAhead(now)
  const { rows } = await sql<{ at: Date; local: string }>`
    select at, to_char(at at time zone ${timeZone}, 'YYYY-MM-DD HH24:MI') as local
    from unnest(${moments}::timestamptz[]) as at
    order by at
  `.execute(db)
  // Swedes write a day and a time so.
  const clock = new Intl.DateTimeFormat('sv-SE', {
    timeZone: canonical(timeZone) ?? 'UTC',
    dateStyle: 'short',
    timeStyle: 'short',
  })
  return rows.find(({ at, local }) => clock.format(at) !== local)?.at ?? null
}

const clocks = new Map<string, Intl.DateTimeFormat>()

function clockOf(timeZone: string): Intl.DateTimeFormat {
  const held = clocks.get(timeZone)
  if (held !== undefined) return held
  const clock = new Intl.DateTimeFormat('en-US', {
    timeZone: canonical(timeZone) ?? 'UTC',
    weekday: 'long',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  })
  clocks.set(timeZone, clock)
  return clock
}

type Day = { weekday: string; today: string }

function formatDay(timeZone: string, at: Date): Day {
  const parts = new Map(
    clockOf(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  )
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? ''
  return { weekday: part('weekday'), today: `${part('year')}-${part('month')}-${part('day')}` }
}

/** What was told last of each time zone: formatting takes longer than all else about who asks. */
const told = new Map<string, { minute: number; day: Day }>()

/**
 * The weekday ('Monday') and the day ('2026-11-23') of an instant in a company's time zone. Not asked of the database: a
 * zone that it does not know, after a restore or a system's update, would keep out the administrator who could change it.
 */
export function dayIn(timeZone: string, at: Date): Day {
  // No zone's days change within a minute.
  const minute = Math.floor(at.getTime() / 60_000)
  const last = told.get(timeZone)
  if (last?.minute === minute) return last.day
  const day = formatDay(timeZone, at)
  told.set(timeZone, { minute, day })
  return day
}
