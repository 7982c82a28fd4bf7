import { findLocation, type LocationCode } from '../locations.ts'
import { weekDays, type WeekDay } from './rules.ts'

export type Assignment = { day: WeekDay; location: LocationCode }

type Reading = { assignments: Assignment[] } | { reason: string }

function findDay(text: unknown): Assignment['day'] | null {
  if (typeof text !== 'string') return null
  const wanted = text.trim().toLowerCase()
  return (
    weekDays.find((day) => day.toLowerCase() === wanted || day.slice(0, 3).toLowerCase() === wanted) ?? null
  )
}

function findCode(text: unknown): LocationCode | null {
  return typeof text === 'string' ? (findLocation(text.trim())?.code ?? null) : null
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [value]
}

/** { Monday: ['PRIMARY'] }, { Monday: 'Primary Warehouse' } and { Monday: true }. */
function readByDay(entries: [string, unknown][], fallback: LocationCode): Assignment[] | null {
  const read = entries.flatMap(([name, value]) => {
    const day = findDay(name)
    const codes = value === true ? [fallback] : listOf(value).map(findCode)
    return codes.map((location) => ({ day, location }))
  })
  return complete(read)
}

/** { PRIMARY: ['Monday', 'Friday'] } and { 'Primary Warehouse': 'Monday' }. */
function readByLocation(entries: [string, unknown][]): Assignment[] | null {
  const read = entries.flatMap(([name, value]) =>
    listOf(value).map((day) => ({ day: findDay(day), location: findCode(name) })),
  )
  return complete(read)
}

/** Where an object says that it is, in `locations` or `location`; at `fallback` where it says nothing of it. */
function codesIn(value: object, fallback: LocationCode): (LocationCode | null)[] {
  if ('locations' in value) return codesOf(value.locations)
  return 'location' in value ? codesOf(value.location) : [fallback]
}

/** Each once. */
function codesOf(named: unknown): (LocationCode | null)[] {
  return [...new Set(listOf(named).map(findCode))]
}

/** ['Monday', 'Friday'], [{ day, location }] and [{ day, locations }]. */
function readList(items: unknown[], fallback: LocationCode): Assignment[] | null {
  const read = items.flatMap((item) => {
    if (typeof item !== 'object' || item === null) return [{ day: findDay(item), location: fallback }]
    const day = 'day' in item ? findDay(item.day) : null
    return codesIn(item, fallback).map((location) => ({ day, location }))
  })
  return complete(read)
}

/** How many times days may stand within days: for each location that is named, what is in them is read once more. */
const mostNested = 3

/** { days: … }, also with a location or several of them, for which the days are. */
function readDays(value: { days: unknown }, fallback: LocationCode, nested: number): Assignment[] | null {
  if (nested === mostNested) return null
  const read = codesIn(value, fallback).map((code) =>
    code === null ? null : readAny(value.days, code, nested + 1),
  )
  const whole = read.flatMap((assignments) => assignments ?? [])
  return read.includes(null) ? null : whole
}

function complete(
  read: { day: Assignment['day'] | null; location: LocationCode | null }[],
): Assignment[] | null {
  const whole = read.flatMap(({ day, location }) =>
    day === null || location === null ? [] : [{ day, location }],
  )
  return whole.length === read.length ? whole : null
}

/** Databases without a type for JSON keep it as text: '{"Monday":["PRIMARY"]}'. */
function readText(text: string, fallback: LocationCode, nested: number): Assignment[] | null {
  try {
    return readAny(JSON.parse(text), fallback, nested)
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

function readAny(value: unknown, fallback: LocationCode, nested = 0): Assignment[] | null {
  if (value === true) return weekDays.map((day) => ({ day, location: fallback }))
  if (value === false || value === null) return []
  if (typeof value === 'string') return readText(value, fallback, nested)
  if (Array.isArray(value)) return readList(value, fallback)
  if (typeof value !== 'object') return null
  const entries = Object.entries(value).filter(([, held]) => held !== false && held !== null)
  if ('days' in value) return readDays(value, fallback, nested)
  return readByDay(entries, fallback) ?? readByLocation(entries)
}

/**
 * Reads every older or hand-made form of a high-volume configuration: a list of days, a map of days to locations, a
 * map of locations to days, or a bare flag (which means every weekday), each also as text of JSON. Forms without a location mean
 * `fallback`.
 */
export function readHighVolume(value: unknown, fallback: LocationCode): Reading {
  const assignments = readAny(value, fallback)
  if (assignments === null) return { reason: 'The configuration names a day or location that is not known.' }
  const unique = new Map(
    assignments.map((assignment) => [`${assignment.day} ${assignment.location}`, assignment]),
  )
  return { assignments: [...unique.values()] }
}
