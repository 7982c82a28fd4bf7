/** Work that outlives the reply it was begun for. */
export type Later = {
  run(work: () => Promise<void>): void
  /** Waits for everything begun so far. */
  finish(): Promise<void>
}

export function createLater(onError: (error: unknown) => void): Later {
  const running = new Set<Promise<void>>()
  return {
    run(work) {
      const one: Promise<void> = work()
        .catch(onError)
        .finally(() => running.delete(one))
      running.add(one)
    },
    async finish() {
      await Promise.all(running)
    },
  }
}
