import { mebibyte } from '@inventory-manager/contract/endpoint'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { createBudget, type Budget } from '../budget.ts'
import { AppError } from './app-error.ts'
import { mostBytesOfOne } from './kept-replies.ts'
import { whenClosed } from './when-closed.ts'

/** Two of the longest bodies of a company; read, parsed and checked, each takes some three times as much. */
const mostOfBodies = { inAll: 128 * mebibyte, ofOne: 32 * mebibyte }
/** One of the longest lists of a company, and two of all. */
const mostOfReplies = { inAll: 256 * mebibyte, ofOne: 128 * mebibyte }
/** Below these, counting would cost more than it saves; what is shorter than the longest kept reply is kept for others as well. */
const countedFrom = { body: 64 * 1024, reply: mostBytesOfOne }

/** How long who finds no room is told to wait: a long body has come, or been broken off, by then. */
const retryAfterSeconds = 10

function announcedBytes({ headers }: FastifyRequest, most: number): number {
  if (headers['transfer-encoding'] !== undefined) return most
  return Math.min(Number(headers['content-length'] ?? 0), most)
}

/** The memory of a node that bodies and long replies take while they are on their way. */
export function createRoom() {
  const bodies = createBudget(mostOfBodies)
  const replies = createBudget(mostOfReplies)

  function hold(budget: Budget, { of, bytes, reply }: { of: string; bytes: number; reply: FastifyReply }) {
    const giveBack = budget(of, bytes)
    if (giveBack === null) throw new AppError('unavailable', { retryAfterSeconds })
    whenClosed(reply.raw, giveBack)
  }

  return {
    /** For a body of at most so many bytes, before any of it is read, until it is answered; throws 503 where there is none. */
    forBody(of: string, reply: FastifyReply, most: number): void {
      const bytes = announcedBytes(reply.request, most)
      if (bytes >= countedFrom.body) hold(bodies, { of, bytes, reply })
    },
    /** For a reply that is kept for nobody else, until it has gone; throws 503 where there is none. */
    forReply(of: string, reply: FastifyReply, bytes: number): void {
      if (bytes > countedFrom.reply) hold(replies, { of, bytes, reply })
    },
  }
}

export type Room = ReturnType<typeof createRoom>
