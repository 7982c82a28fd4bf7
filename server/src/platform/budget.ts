/** Takes so many bytes of a budget for one of many, such as a company; null where it has no more. They are given back by what comes. */
export type Budget = (of: string, bytes: number) => (() => void) | null

/**
 * Bytes of memory that may be held at a moment, in all and of one. What is larger than all that is taken where nobody else
 * holds any, so that nothing is too large for ever.
 */
export function createBudget(most: { inAll: number; ofOne: number }): Budget {
  const held = new Map<string, number>()
  let all = 0

  return (of, bytes) => {
    const own = held.get(of) ?? 0
    if (own > 0 && own + bytes > most.ofOne) return null
    if (all > 0 && all + bytes > most.inAll) return null
    held.set(of, own + bytes)
    all += bytes
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      const left = (held.get(of) ?? 0) - bytes
      if (left > 0) held.set(of, left)
      else held.delete(of)
      all -= bytes
    }
  }
}
