/** Lets work go on that nobody waits for, and whose failure shows where its result is needed. */
export function inPassing(work: Promise<unknown>): void {
  Promise.allSettled([work]).catch(reportError)
}
