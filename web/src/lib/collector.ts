export type Collector<T> = {
  add: (items: readonly T[]) => void
  /** Hands on now what was gathered. */
  flush: () => void
  /** Says who takes what was gathered; the answer ends that, and hands on what is left. */
  connect: (take: (items: readonly T[]) => void) => () => void
}

/** Gathers what comes and hands it on together, a while after the first. */
export function createCollector<T>(gatherMs: number): Collector<T> {
  let gathered: T[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let taker: ((items: readonly T[]) => void) | null = null

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    if (taker === null || gathered.length === 0) return
    const items = gathered
    gathered = []
    taker(items)
  }

  return {
    add(items) {
      gathered.push(...items)
      timer ??= setTimeout(flush, gatherMs)
    },
    flush,
    connect(take) {
      taker = take
      return () => {
        flush()
        taker = null
      }
    },
  }
}
