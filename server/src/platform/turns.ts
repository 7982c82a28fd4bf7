import { shortOf, type Shortage } from './http/app-error.ts'

/** Does work when its turn has come; throws 503 when too many wait already. */
export type Turns = <T>(work: () => Promise<T>) => Promise<T>

type Limits = { what: Shortage; maxRunning: number; maxWaiting: number }

/** Lets a few pieces of work run at a time; others wait, and go on in the order in which they came. Among companies see shares.ts. */
export function createTurns({ what, maxRunning, maxWaiting }: Limits): Turns {
  const waiting: (() => void)[] = []
  let running = 0

  return async (work) => {
    if (running >= maxRunning) {
      if (waiting.length >= maxWaiting) throw shortOf(what)
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else {
      running += 1
    }
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}

/** Turns of each company, or of whatever is named, by itself. */
export function createTurnsOfEach(limits: Limits): <T>(of: string, work: () => Promise<T>) => Promise<T> {
  const each = new Map<string, { inside: number; turns: Turns }>()

  return async (of, work) => {
    const own = each.get(of) ?? { inside: 0, turns: createTurns(limits) }
    each.set(of, own)
    own.inside += 1
    try {
      return await own.turns(work)
    } finally {
      own.inside -= 1
      if (own.inside === 0) each.delete(of)
    }
  }
}
