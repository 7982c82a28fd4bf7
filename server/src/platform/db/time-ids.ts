/*
 * The history of counts and the audit trail lie in parts by the time in their ids (docs/decisions/017). A condition on
 * the id that is given as a value keeps the database from planning, locking and looking into the other parts.
 */

const dayMs = 86_400_000

/** An id below all of an instant and above all before it: the database's id_at, to the millisecond. Ids begin in 1970. */
export function firstIdAt(ms: number): string {
  const time = Math.max(0, Math.floor(ms)).toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-0000-000000000000`
}

/** The millisecond in a time-ordered id (RFC 9562, version 7). */
export function millisecondOf(id: string): number {
  return Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)
}

/**
 * An id well before everything of the last days, however far (up to a day) this node's clock is from the database's: it
 * stands beside the exact condition and leaves out parts.
 */
export function idBefore(days: number): string {
  return firstIdAt(Date.now() - (days + 1) * dayMs)
}

/** An id well after everything there is, as far as idBefore allows for clocks: it leaves out the parts of quarters to come. */
export function idAhead(): string {
  return firstIdAt(Date.now() + dayMs)
}

/** How far back a page of the newest is looked for at first. */
const recentDays = 100

/** Ids from one on and below another, where given. */
export type Span = { from: string | undefined; below: string | undefined; limit: number }

/**
 * A page of the newest rows below the cursor, read from the last hundred days before it and only where those do not fill
 * it from what is older: a page costs the same however long the history.
 */
export async function newestFirst<Row>(
  { cursor, limit }: { cursor?: string | undefined; limit: number },
  read: (span: Span) => Promise<Row[]>,
): Promise<Row[]> {
  const end = cursor === undefined ? Date.now() : millisecondOf(cursor)
  const from = firstIdAt(end - recentDays * dayMs)
  const recent = await read({ from, below: cursor, limit })
  if (recent.length === limit) return recent
  return [...recent, ...(await read({ from: undefined, below: from, limit: limit - recent.length }))]
}
