import { mebibyte } from '@inventory-manager/contract/endpoint'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { createBudget, type Budget } from '../budget.ts'
import { shortOf, type Shortage } from './app-error.ts'
import { mostBytesOfOne } from './kept-replies.ts'
import { whenClosed } from './when-closed.ts'

/** Two of the longest bodies of a company; read, parsed and checked, each takes some three times as much. */
const mostOfBodies = { inAll: 128 * mebibyte, ofOne: 32 * mebibyte }
/** Of those who are nobody yet, by their address of the network: their bodies are short, and take nothing from the others. */
const mostOfVisitors = { inAll: 16 * mebibyte, ofOne: mebibyte }
/** One of the longest lists of a company, and two of all. */
const mostOfReplies = { inAll: 256 * mebibyte, ofOne: 128 * mebibyte }
/** Below this, counting would cost more than it saves. */
const countedFrom = 64 * 1024

/** How long who finds no room is told to wait: a long body has come, or been broken off, by then. */
const retryAfterSeconds = 10

function announcedBytes({ headers }: FastifyRequest, most: number): number {
  if (headers['transfer-encoding'] !== undefined) return most
  return Math.min(Number(headers['content-length'] ?? 0), most)
}

/** The memory of a node that bodies and long replies take while they are on their way. */
export function createMemory() {
  const replies = createBudget(mostOfReplies)

  function hold(what: Shortage, giveBack: (() => void) | null, reply: FastifyReply): void {
    if (giveBack === null) throw shortOf(what, { retryAfterSeconds })
    whenClosed(reply.raw, giveBack)
  }

  const forBodyIn = (budget: Budget) => (of: string, reply: FastifyReply, most: number) => {
    const bytes = announcedBytes(reply.request, most)
    if (bytes >= countedFrom) hold('memory for bodies', budget(of, bytes), reply)
  }

  return {
    /** For a body of at most so many bytes, before any of it is read, until it is answered; throws 503 where there is none. */
    forBody: forBodyIn(createBudget(mostOfBodies)),
    /** As forBody, of somebody who is not signed in. */
    forBodyOfVisitor: forBodyIn(createBudget(mostOfVisitors)),
    /** For so many bytes of a reply, where they are more than is kept for others, until they have gone; throws 503 where there is none. */
    forReply(of: string, reply: FastifyReply, bytes: number): void {
      if (bytes > mostBytesOfOne) hold('memory for long lists', replies(of, bytes), reply)
    },
  }
}

export type Memory = ReturnType<typeof createMemory>
