import { isNotFound } from './api-error.ts'

/**
 * Asks for the same with one thing after another, such as the barcodes that a text may mean, and gives what comes of the first that
 * the server knows. Throws what it says against the last.
 */
export async function firstKnown<A, R>(things: readonly A[], ask: (thing: A) => Promise<R>): Promise<R> {
  for (const [index, thing] of things.entries()) {
    try {
      return await ask(thing)
    } catch (error) {
      if (index === things.length - 1 || !isNotFound(error)) throw error
    }
  }
  throw new RangeError('There is nothing to ask with.')
}
