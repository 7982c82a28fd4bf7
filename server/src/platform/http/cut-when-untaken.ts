import type { ServerResponse } from 'node:http'

/** How long a reader may take nothing of what waits for it; no constant, because tests have no minute. */
export const readerPatience = { readerMs: 60_000 }

/** Breaks a reply off that nobody takes any further. */
export function cutWhenUntaken(reply: ServerResponse): void {
  reply.setTimeout(readerPatience.readerMs, () => {
    // With nothing to take, it is the making that is slow.
    if (reply.writableLength > 0) reply.destroy()
  })
}
