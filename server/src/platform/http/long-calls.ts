import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Database } from '../db/database.ts'
import { createShares } from '../shares.ts'
import { AppError } from './app-error.ts'
import { closeSignalOf } from './when-closed.ts'

/** How long a call that takes minutes waits for others of its company, and of all. */
const patienceMs = 120_000

export type LongCalls = <T>(tenantId: string, reply: FastifyReply, work: () => Promise<T>) => Promise<T>

/**
 * Turns for calls that take minutes: one of a company at a time, and no more of all than leave connections to the rest. Whose
 * client has left, or whose server closes, takes none any more.
 */
export function createLongCalls({
  app,
  database,
}: {
  app: FastifyInstance
  database: Pick<Database, 'poolUse'>
}): LongCalls {
  const { size } = database.poolUse()
  const running = Math.max(1, Math.min(Math.floor(size / 3), size - 3))
  const shares = createShares({ what: 'turns for calls that take minutes', running, ofOne: 1, patienceMs })
  const closing = new AbortController()
  app.addHook('preClose', (done) => {
    closing.abort(new AppError('unavailable'))
    done()
  })

  return async (tenantId, reply, work) => {
    const gone = AbortSignal.any([closeSignalOf(reply.raw), closing.signal])
    return await shares.inTurn(tenantId, work, gone)
  }
}
