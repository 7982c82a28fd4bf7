import { nextTask } from './tasks.ts'

/** Lets work go on that nobody waits for, and whose failure shows where its result is needed. */
export function inPassing(work: Promise<unknown>): void {
  Promise.allSettled([work]).catch(reportError)
}

/**
 * Begins such work when what was just drawn is on the screen, which then shares neither network nor processor with it. Answers how
 * to call it off until then.
 */
export function onceShown(begin: () => Promise<unknown>): () => void {
  const frame = requestAnimationFrame(() => inPassing(nextTask().then(begin)))
  return () => cancelAnimationFrame(frame)
}
