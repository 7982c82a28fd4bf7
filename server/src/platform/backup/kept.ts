/*
 * The names of the backups that the program makes by itself, and which of them stay. Nothing with another name is ever
 * touched. Days and weeks are UTC's, as in the names.
 */

const dayMs = 86_400_000
const daysKept = 7
const weeksKept = 4
/** The hour, in this machine's zone, from which on a night's backup is due. */
const hour = 2

const named = /^inventory-manager-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z\.backup$/
const begun = /^inventory-manager-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.backup\.[0-9a-f]{8}\.partial$/

export function nameAt(moment: Date): string {
  return `inventory-manager-${moment.toISOString().slice(0, 19).replaceAll(':', '-')}Z.backup`
}

/** When a backup of that name was begun; null where it is not one of the program's. */
export function momentOf(name: string): Date | null {
  const [whole, day = '', hours = '', minutes = '', seconds = ''] = named.exec(name) ?? []
  const moment = new Date(`${day}T${hours}:${minutes}:${seconds}Z`)
  return whole === undefined || Number.isNaN(moment.getTime()) ? null : moment
}

/** Of the names of a folder those of whole backups, newest first. */
export function listMade(names: string[]): string[] {
  return names.filter((name) => momentOf(name) !== null).toSorted((a, b) => (a < b ? 1 : -1))
}

/** Those of backups that were begun and never ended. */
export const listBegun = (names: string[]) => names.filter((name) => begun.test(name))

/** The newest of each of the first groups. */
function newestOfEach(
  names: string[],
  { by, most }: { by: (moment: Date) => number; most: number },
): string[] {
  const newest = new Map<number, string>()
  for (const name of names) {
    const group = by(momentOf(name) ?? new Date(0))
    if (!newest.has(group)) newest.set(group, name)
  }
  return [...newest.values()].slice(0, most)
}

const dayOf = (moment: Date) => Math.floor(moment.getTime() / dayMs)
/** Weeks begin on Monday; the first day of 1970 was a Thursday. */
const weekOf = (moment: Date) => Math.floor((dayOf(moment) + 3) / 7)

/**
 * What can go: all but the newest of each of the last 7 days that have one, and of this week and each of the last 4 before
 * it that have one. Where none are made any more, none go.
 */
export function listSurplus(names: string[]): string[] {
  const made = listMade(names)
  const kept = new Set([
    ...newestOfEach(made, { by: dayOf, most: daysKept }),
    ...newestOfEach(made, { by: weekOf, most: 1 + weeksKept }),
  ])
  return made.filter((name) => !kept.has(name))
}

/** When the newest whole one was begun. One from the future says nothing: the clock was wrong. */
export function findNewest(names: string[], now: Date): Date | null {
  const moments = listMade(names).map((name) => momentOf(name))
  return moments.find((moment) => moment !== null && moment <= now) ?? null
}

/** Whether none was made since the last time it was that hour. */
export function isDue(names: string[], now: Date): boolean {
  const since = new Date(now)
  since.setHours(hour, 0, 0, 0)
  if (since > now) since.setDate(since.getDate() - 1)
  const newest = findNewest(names, now)
  return newest === null || newest < since
}
