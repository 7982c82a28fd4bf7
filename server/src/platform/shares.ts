import { shortOf, type AppError, type Shortage } from './http/app-error.ts'

export type Shares = {
  /**
   * Does work of one of many, such as a company, when it has its turn; throws 503 where that does not come in time, and why
   * whoever waits is gone where they are.
   */
  inTurn: <T>(of: string, work: () => Promise<T>, gone?: AbortSignal) => Promise<T>
  /** How many pieces of work wait for their turn. */
  countWaiting: () => number
}

type Limits = { what: Shortage; running: number; ofOne: number; patienceMs: number }
type Share = { of: string; running: number; waiting: Set<() => void> }
type Patience = { ms: number; gone: AbortSignal | undefined; late: () => AppError }

/** Waits until the share has a turn, which `begin` takes. */
async function waitForTurn(
  share: Share,
  begin: (share: Share) => void,
  { ms, gone, late }: Patience,
): Promise<void> {
  let leave: () => void = () => undefined
  let timer: NodeJS.Timeout | undefined
  try {
    await new Promise<void>((resolve, reject) => {
      const turn = () => {
        share.waiting.delete(turn)
        begin(share)
        resolve()
      }
      const giveUp = (why: unknown) => {
        share.waiting.delete(turn)
        reject(why)
      }
      leave = () => giveUp(gone?.reason)
      timer = setTimeout(() => giveUp(late()), ms)
      gone?.addEventListener('abort', leave)
      share.waiting.add(turn)
    })
  } finally {
    clearTimeout(timer)
    gone?.removeEventListener('abort', leave)
  }
}

/**
 * Shares what there are few of, of which `what` is the name in the log: so many pieces of work run at a time, and so many of one. Of all who wait,
 * who has the fewest under way goes next, and of those whose turn is longest ago, so that nobody's hundred come before another's
 * first.
 */
export function createShares(limits: Limits): Shares {
  // Whose turn is longest ago stands first.
  const each = new Map<string, Share>()
  let running = 0

  const late = () => shortOf(limits.what)

  const mayBegin = (share: Share) => running < limits.running && share.running < limits.ofOne

  function moveBack(share: Share): void {
    each.delete(share.of)
    each.set(share.of, share)
  }

  function begin(share: Share): void {
    running += 1
    share.running += 1
    moveBack(share)
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

  function end(share: Share): void {
    running -= 1
    share.running -= 1
    moveBack(share)
    beginNext()
  }

  function shareOf(of: string): Share {
    const share = each.get(of) ?? { of, running: 0, waiting: new Set() }
    each.set(of, share)
    return share
  }

  /** Another share of the same name may have begun since. */
  function forget(share: Share): void {
    if (share.running === 0 && share.waiting.size === 0 && each.get(share.of) === share) each.delete(share.of)
  }

  return {
    async inTurn(of, work, gone) {
      gone?.throwIfAborted()
      const share = shareOf(of)
      try {
        if (mayBegin(share)) begin(share)
        else await waitForTurn(share, begin, { ms: limits.patienceMs, gone, late })
        try {
          return await work()
        } finally {
          end(share)
        }
      } finally {
        forget(share)
      }
    },
    countWaiting: () => [...each.values()].reduce((sum, { waiting }) => sum + waiting.size, 0),
  }
}
