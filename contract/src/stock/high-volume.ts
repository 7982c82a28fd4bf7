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

/** ['Monday', 'Friday'] and [{ day, location }]. */
function readList(items: unknown[], fallback: LocationCode): Assignment[] | null {
  const read = items.map((item) => {
    if (typeof item !== 'object' || item === null) return { day: findDay(item), location: fallback }
    const location = 'location' in item ? findCode(item.location) : fallback
    return { day: 'day' in item ? findDay(item.day) : null, location }
  })
  return complete(read)
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
function readText(text: string, fallback: LocationCode): Assignment[] | null {
  try {
    return readAny(JSON.parse(text), fallback)
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

function readAny(value: unknown, fallback: LocationCode): Assignment[] | null {
  if (value === true) return weekDays.map((day) => ({ day, location: fallback }))
  if (value === false || value === null) return []
  if (typeof value === 'string') return readText(value, fallback)
  if (Array.isArray(value)) return readList(value, fallback)
  if (typeof value !== 'object') return null
  const entries = Object.entries(value).filter(([, held]) => held !== false && held !== null)
  if ('days' in value) return readAny(value.days, fallback)
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
