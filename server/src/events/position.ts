/**
 * A place in a company's news, in the order of the commits: everything that the snapshot `seen` shows was sent, and of
 * what `next` shows besides, everything up to the entry `upTo`. Snapshots are PostgreSQL's own (xmin:xmax:running).
 */
export type Position = { seen: string; partly: { next: string; upTo: string } | null }

const snapshotForm = /^(\d{1,19}):(\d{1,19}):((?:\d{1,19},)*\d{1,19})?$/
const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const longest = 8_000

function isAscending(numbers: readonly bigint[]): boolean {
  return numbers.every((number, index) => index === 0 || number > (numbers[index - 1] ?? 0n))
}

/** Whether PostgreSQL takes a text for a snapshot: what is running lies between the bounds, in order. */
function isSnapshot(text: string): boolean {
  const parts = text.length > longest ? null : snapshotForm.exec(text)
  if (parts === null) return false
  const [lowest, bound] = [BigInt(parts[1] ?? ''), BigInt(parts[2] ?? '')]
  const running = (parts[3] ?? '').split(',').filter((part) => part !== '')
  const ids = running.map((part) => BigInt(part))
  return (
    lowest > 0n &&
    lowest <= bound &&
    bound < 2n ** 63n &&
    isAscending(ids) &&
    ids.every((id) => id >= lowest && id < bound)
  )
}

export function formatPosition({ seen, partly }: Position): string {
  return partly === null ? seen : `${seen};${partly.next};${partly.upTo}`
}

/** A position as an event carried it, or null for anything else. */
export function parsePosition(text: string): Position | null {
  const [seen = '', next, upTo, ...rest] = text.split(';')
  if (!isSnapshot(seen) || rest.length > 0) return null
  if (next === undefined) return { seen, partly: null }
  if (upTo === undefined || !isSnapshot(next) || !uuidForm.test(upTo)) return null
  return { seen, partly: { next, upTo } }
}

/** The first transaction a snapshot knows nothing of yet. */
function boundOf(snapshot: string): bigint {
  return BigInt(snapshot.split(':')[1] ?? 0)
}

/** Whether a position comes from a database that is further, or another one: then nothing can go on from it. */
export function isAhead({ seen, partly }: Position, now: string): boolean {
  return boundOf(partly?.next ?? seen) > boundOf(now)
}
