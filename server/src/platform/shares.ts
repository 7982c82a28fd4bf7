import { AppError } from './http/app-error.ts'

export type Shares = {
  /** Does work of one of many, such as a company, when it has its turn; throws 503 where that does not come in time. */
  inTurn: <T>(of: string, work: () => Promise<T>) => Promise<T>
  /** How many pieces of work wait for their turn. */
  countWaiting: () => number
}

type Share = { running: number; waiting: Set<() => void> }

/** Waits until the share has a turn, which `begin` takes; throws 503 where that takes longer than `patienceMs`. */
async function waitForTurn(share: Share, begin: (share: Share) => void, patienceMs: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const late = setTimeout(() => {
      share.waiting.delete(turn)
      reject(new AppError('unavailable'))
    }, patienceMs)
    const turn = () => {
      clearTimeout(late)
      share.waiting.delete(turn)
      begin(share)
      resolve()
    }
    share.waiting.add(turn)
  })
}

/**
 * Shares what there are few of, such as connections: so many pieces of work run at a time, and so many of one. Of all who wait,
 * who has the fewest under way goes next, so that nobody's hundred come before another's first.
 */
export function createShares(limits: { running: number; ofOne: number; patienceMs: number }): Shares {
  const each = new Map<string, Share>()
  let running = 0

  const mayBegin = (share: Share) => running < limits.running && share.running < limits.ofOne

  function begin(share: Share): void {
    running += 1
    share.running += 1
  }

  function beginNext(): void {
    let next: Share | undefined
    for (const share of each.values()) {
      if (share.waiting.size === 0 || !mayBegin(share)) continue
      if (next === undefined || share.running < next.running) next = share
    }
    const [first] = next?.waiting ?? []
    first?.()
  }

  function forget(of: string, share: Share): void {
    if (share.running === 0 && share.waiting.size === 0 && each.get(of) === share) each.delete(of)
  }

  async function inTurn<T>(of: string, work: () => Promise<T>): Promise<T> {
    const share = each.get(of) ?? { running: 0, waiting: new Set() }
    each.set(of, share)
    if (mayBegin(share)) begin(share)
    else {
      try {
        await waitForTurn(share, begin, limits.patienceMs)
      } catch (error) {
        forget(of, share)
        throw error
      }
    }
    try {
      return await work()
    } finally {
      running -= 1
      share.running -= 1
      beginNext()
      forget(of, share)
    }
  }

  return {
    inTurn,
    countWaiting: () => [...each.values()].reduce((sum, { waiting }) => sum + waiting.size, 0),
  }
}
