import type { ErrorCode } from '@inventory-manager/contract/errors'
import pg from 'pg'
import { errorCode } from '../error-code.ts'

/** The SQLSTATE of an error PostgreSQL reported, or null for any other error. */
export function sqlState(error: unknown): string | null {
  return error instanceof pg.DatabaseError ? (error.code ?? null) : null
}

/** Whether a statement gave up waiting for somebody else's lock. */
export function isLockTimeout(error: unknown): boolean {
  return sqlState(error) === '55P03'
}

/** Whether a number came out that its column cannot hold. */
export function isOutOfRange(error: unknown): boolean {
  return sqlState(error) === '22003'
}

/** Whether a statement was refused because another one of its transaction had failed before. */
export function isBehindFault(error: unknown): boolean {
  return sqlState(error) === '25P02'
}

/**
 * Whether a statement's plan is older than a migration that changed what it gives. The state alone says only that something
 * is not supported, and the message has the server's language.
 */
export function isOutdatedPlan(error: unknown): boolean {
  return (
    error instanceof pg.DatabaseError && error.code === '0A000' && error.routine === 'RevalidateCachedQuery'
  )
}

/**
 * SQLSTATE classes: 08 connection, 28 sign-in (a node with another secret took the role over), 53 resources, 57 operator intervention
 * (shutdown, time-out), 58 system; and 25006, where it takes no writes for now (a standby, a full disk).
 */
const busyStates = /^(08|28|53|57|58|40001|40P01|55P03|25P0[34]|25006)/
const unreachable =
  /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOENT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/
// The last one is what a rollback says on a connection that was lost within its transaction.
const lostConnection =
  /terminated|timeout exceeded|timeout expired|read timeout|Connection ended|not queryable/i

/** What a database error means to a client; null when the error is not the database's. */
export function codeOfDatabaseError(error: unknown): ErrorCode | null {
  const state = sqlState(error)
  if (state !== null) {
    if (busyStates.test(state)) return 'unavailable'
    return state.startsWith('22') ? 'invalid_request' : null
  }
  if (!(error instanceof Error)) return null
  if (unreachable.test(errorCode(error) ?? '')) return 'unavailable'
  return lostConnection.test(error.message) ? 'unavailable' : null
}

/** Whether an answer did not come in time; pg has no code for it. */
const isSilence = (error: unknown) => error instanceof Error && error.message === 'Query read timeout'

/** What the database says last on a connection: it is stopped, or somebody has ended this one (PostgreSQL, appendix A). */
const endings = /^(57P0|08)/

/** Whether nothing more can be asked of a connection, though pg may not know yet. */
export const isOver = (error: unknown) => isSilence(error) || endings.test(sqlState(error) ?? '')

/** Whether the database is away, or stops: what was asked for one company would go wrong for every other, too. */
export function isAway(error: unknown): boolean {
  if (isOver(error)) return true
  return sqlState(error) === null && codeOfDatabaseError(error) === 'unavailable'
}
