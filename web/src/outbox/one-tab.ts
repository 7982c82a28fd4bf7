const longestWaitMs = 20_000

/**
 * Does work while no other tab does the same, where the browser can tell (a page over plain http cannot). A tab that
 * the system has put to sleep must not hold up the others for ever: after 20 s the work is done all the same.
 */
export async function takeTurn<T>(name: string, work: () => Promise<T>): Promise<T> {
  if (!('locks' in navigator)) return await work()
  const turn = { hasBegun: false }
  const wait = { signal: AbortSignal.timeout(longestWaitMs) }
  try {
    return await navigator.locks.request(name, wait, async () => {
      turn.hasBegun = true
      return await work()
    })
  } catch (error) {
    if (turn.hasBegun || !(error instanceof DOMException)) throw error
    return await work()
  }
}
