import type { ServerResponse } from 'node:http'
import { whenClosed } from './when-closed.ts'

/** How long a reader may take nothing, or next to nothing, of what waits for it; no constant, because tests have no minute. */
export const readerPatience = { readerMs: 60_000, leastBytesPerSecond: 50_000 }

const looks = 20

/** Breaks a reply off that nobody takes any further. */
export function cutWhenUntaken(reply: ServerResponse): void {
  reply.setTimeout(readerPatience.readerMs, () => {
    // With nothing to take, it is the making that is slow.
    if (reply.writableLength > 0) reply.destroy()
  })
}

/**
 * Breaks a reply off whose reader takes so little of what waits for it that others would wait for long: less than a slow
 * telephone network brings.
 */
export function cutWhenSlow(reply: ServerResponse): void {
  const { readerMs, leastBytesPerSecond } = readerPatience
  let before = 0
  let waited = 0
  const looking = setInterval(() => {
    // With nothing to take, it is the making that is slow.
    waited = reply.writableLength > 0 ? waited + 1 : 0
    const taken = reply.socket?.bytesWritten ?? 0
    if (waited === 0) before = taken
    if (waited < looks) return
    if (taken - before < (leastBytesPerSecond * readerMs) / 1_000) reply.destroy()
    before = taken
    waited = 0
  }, readerMs / looks)
  whenClosed(reply, () => clearInterval(looking))
}
