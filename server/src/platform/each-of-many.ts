import { setImmediate } from 'node:timers/promises'

/** So many have their turn before anything else has. */
const atOnce = 200

/** Does for each of many what takes no time for one, and lets other work begin meanwhile. */
export async function forEachOfMany<T>(all: Iterable<T>, work: (one: T) => void): Promise<void> {
  let done = 0
  for (const one of all) {
    work(one)
    done += 1
    if (done % atOnce === 0) await setImmediate()
  }
}
