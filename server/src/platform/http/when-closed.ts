import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Whether a reply waits for its turn behind another one, because a client asks again before it has its answer. */
const isBehind = (reply: ServerResponse) => reply.socket === null

export function isClosed(reply: ServerResponse): boolean {
  return reply.closed || reply.destroyed || (isBehind(reply) && reply.req.socket.closed)
}

/** What is done when a connection closes for the replies that never had their turn: they say nothing themselves then. */
const neverBegun = new WeakMap<Socket, Set<() => void>>()

function waitingAt(socket: Socket): Set<() => void> {
  const known = neverBegun.get(socket)
  if (known !== undefined) return known
  const actions = new Set<() => void>()
  neverBegun.set(socket, actions)
  socket.once('close', () => {
    for (const action of actions) action()
  })
  return actions
}

function whenClosedBehind(reply: ServerResponse, action: () => void): void {
  const waiting = waitingAt(reply.req.socket)
  const act = () => {
    if (waiting.delete(act)) action()
  }
  waiting.add(act)
  reply.once('close', act)
}

/** Acts once when a reply is over, whole or not; at once where it is already, since it never says so again. */
export function whenClosed(reply: ServerResponse, action: () => void): void {
  if (isClosed(reply)) action()
  else if (isBehind(reply)) whenClosedBehind(reply, action)
  else reply.once('close', action)
}

/** Aborts when a reply is over, for what is made for it alone. */
export function closeSignalOf(reply: ServerResponse): AbortSignal {
  const closed = new AbortController()
  whenClosed(reply, () => closed.abort())
  return closed.signal
}
