import { isAway } from './db/errors.ts'

/**
 * Works on some, such as companies, one after the other: what fails is told, and keeps no other from its turn. Throws where the
 * database is away, which is nobody's own error and is told once.
 */
export async function eachApart<T>(
  some: readonly T[],
  work: (one: T) => Promise<void>,
  onError: (error: unknown) => void,
): Promise<void> {
  for (const one of some) {
    try {
      await work(one)
    } catch (error) {
      if (isAway(error)) throw error
      onError(error)
    }
  }
}
