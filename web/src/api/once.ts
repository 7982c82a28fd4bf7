import { useState } from 'react'
import { newId } from '../lib/ids.ts'
import { isRefusal } from './api-error.ts'

export type Once = <R>(input: unknown, work: (idempotencyKey: string) => Promise<R>) => Promise<R>

/** The keys of what was asked for and not answered. */
export type Keys = Pick<Map<string, string>, 'get' | 'set' | 'delete'>

/**
 * Runs work under a key that belongs to what is asked for. A try whose answer was lost may have been done: the same
 * input keeps its key until a try succeeds or the server refuses it, so that it is done once. Throws what the work throws.
 */
export function createOnce(keys: Keys = new Map<string, string>()): Once {
  return async (input, work) => {
    const asked = JSON.stringify(input)
    const key = keys.get(asked) ?? newId()
    keys.set(asked, key)
    try {
      const done = await work(key)
      keys.delete(asked)
      return done
    } catch (error) {
      if (isRefusal(error)) keys.delete(asked)
      throw error
    }
  }
}

/** The tries of one screen, dialog or row, for as long as it is shown. */
export function useOnce(): Once {
  const [once] = useState(() => createOnce())
  return once
}
