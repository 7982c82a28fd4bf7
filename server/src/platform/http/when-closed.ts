import type { ServerResponse } from 'node:http'

export function isClosed(reply: ServerResponse): boolean {
  return reply.closed || reply.destroyed
}

/** Acts once when a reply is over, whole or not; at once where it is already, since it never says so again. */
export function whenClosed(reply: ServerResponse, action: () => void): void {
  if (isClosed(reply)) action()
  else reply.once('close', action)
}

/** Aborts when a reply is over, for what is made for it alone. */
export function closeSignalOf(reply: ServerResponse): AbortSignal {
  const closed = new AbortController()
  whenClosed(reply, () => closed.abort())
  return closed.signal
}
