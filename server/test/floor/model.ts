/** What the server knows of one component at one location, as simply as it can be said. */
export type Item = {
  quantity: number
  isCounted: boolean
  /** The difference that waits: how often it was entered, and what the last entry found. */
  open: Open | null
}

type Open = {
  status: 'attempted' | 'open' | 'recount'
  attempts: number
  difference: number
  /** Whether it was recorded before the month was reset: counting begins anew, and it waits. */
  isFromBefore: boolean
  /** How many of its entries the last first entry after a reset came behind: the next is told as the second. */
  behind: number
}

export type Action =
  | { kind: 'scan'; sku: string; quantity: number }
  | { kind: 'set'; sku: string; quantity: number; by: 'import' | 'correction' }
  | { kind: 'decide'; sku: string; decision: 'accept' | 'recount' | 'dismiss' }

/** What the caller is told: an HTTP status, and of a scan whether it matched, counts, and which attempt it was. */
export type Answer = {
  status: number
  scan?: { matched: boolean; recorded: boolean; attempt: number | null }
}

/** The first wrong entry after a reset is none of the difference that was recorded before it, but for its number. */
function scanAnew(item: Item, open: Open): Answer {
  item.open = { ...open, attempts: open.attempts + 1, isFromBefore: false, behind: open.attempts }
  return { status: 200, scan: { matched: false, recorded: false, attempt: 1 } }
}

function scanWrong(item: Item, quantity: number): Answer {
  if (item.open?.isFromBefore === true) return scanAnew(item, item.open)
  const attempts = (item.open?.attempts ?? 0) + 1
  const behind = item.open?.behind ?? 0
  const recorded = attempts > 1
  const difference = quantity - item.quantity
  item.open = { status: recorded ? 'open' : 'attempted', attempts, difference, isFromBefore: false, behind }
  if (recorded) item.isCounted = true
  return { status: 200, scan: { matched: false, recorded, attempt: attempts - behind } }
}

function scan(item: Item, quantity: number): Answer {
  if (item.quantity !== quantity) return scanWrong(item, quantity)
  item.open = null
  item.isCounted = true
  return { status: 200, scan: { matched: true, recorded: true, attempt: null } }
}

function decide(item: Item, decision: 'accept' | 'recount' | 'dismiss'): Answer {
  const { open } = item
  if (open === null) return { status: 404 }
  if (decision === 'accept') {
    const after = item.quantity + open.difference
    if (open.status !== 'open' || after < 0) return { status: 409 }
    item.quantity = after
  }
  if (decision === 'recount') {
    item.open = { ...open, status: 'recount', isFromBefore: false }
    item.isCounted = false
    return { status: 200 }
  }
  item.open = null
  return { status: 200 }
}

/** What a reset does to a component: it is to be counted, by a first entry again; a difference that was recorded still waits. */
export function forget(item: Item): void {
  item.isCounted = false
  if (item.open?.status === 'attempted') item.open = null
  if (item.open?.status === 'open') item.open = { ...item.open, isFromBefore: true }
}

/** Does an action to the model and says what the server must answer. */
export function act(item: Item, action: Action): Answer {
  if (action.kind === 'scan') return scan(item, action.quantity)
  if (action.kind === 'decide') return decide(item, action.decision)
  item.quantity = action.quantity
  return { status: 200 }
}

export type Random = { below: (limit: number) => number; pick: <T>(from: readonly T[]) => T }

/** The mulberry32 generator: the same numbers for the same seed, everywhere. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    below: (limit) => Math.floor(next() * limit),
    pick(from) {
      const picked = from[Math.floor(next() * from.length)]
      if (picked === undefined) throw new Error('There is nothing to pick from.')
      return picked
    },
  }
}

/** Something to do with a component: mostly scans, right or wrong by a little. */
export function chooseAction(random: Random, sku: string, item: Item): Action {
  const dice = random.below(100)
  if (dice < 40) return { kind: 'scan', sku, quantity: item.quantity }
  if (dice < 70) {
    return { kind: 'scan', sku, quantity: Math.max(0, item.quantity + random.below(9) - 4) }
  }
  if (dice < 80) {
    return {
      kind: 'set',
      sku,
      quantity: random.below(12),
      by: random.pick(['import', 'correction'] as const),
    }
  }
  return { kind: 'decide', sku, decision: random.pick(['accept', 'recount', 'dismiss'] as const) }
}
