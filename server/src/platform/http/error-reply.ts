import { errorTable, type ErrorCode } from '@inventory-manager/contract/errors'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { codeOfDatabaseError } from '../db/errors.ts'
import { errorCode } from '../error-code.ts'
import { AppError, type ErrorDetail } from './app-error.ts'

/** Fastify's own refusals, by its error code or, where it only has a status, by that. */
const frameworkCodes: Record<string, ErrorCode> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'not_json',
  FST_ERR_CTP_BODY_TOO_LARGE: 'too_large',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'invalid_request',
  FST_ERR_CTP_EMPTY_TYPE: 'not_json',
  FST_ERR_BAD_URL: 'not_found',
  FST_ERR_MAX_PARAM_LENGTH: 'not_found',
  FST_ERR_ROUTE_MISSING_CONTENT_TYPE: 'not_json',
  FST_UNDER_PRESSURE: 'unavailable',
  FST_ERR_ASYNC_CONSTRAINT: 'not_found',
}

function codeOf(error: unknown): ErrorCode {
  if (error instanceof SyntaxError) return 'not_json'
  const databaseCode = codeOfDatabaseError(error)
  if (databaseCode !== null) return databaseCode
  return frameworkCodes[errorCode(error) ?? ''] ?? 'internal'
}

const suspicious = new Set<ErrorCode>([
  'invalid_credentials',
  'link_invalid',
  'wrong_password',
  'too_many_requests',
])

const leavings = new Set(['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'AbortError'])

/** Whether all that went wrong is that who asked has gone away, while they sent or before the first byte of the answer. */
function hasLeft(error: unknown, request: FastifyRequest): boolean {
  if (!request.socket.destroyed || !(error instanceof Error)) return false
  return leavings.has(errorCode(error) ?? error.name)
}

function logFault(error: unknown, request: FastifyRequest): void {
  if (hasLeft(error, request)) request.log.info({ err: error }, 'reader left')
  else request.log.error({ err: error }, 'request failed')
}

/** Words by which clients end a session (specification 7): what is no 401 may not say them, though a name in it does. */
const endingSessions = /token|unauthorized/gi

/** A text without these words: of a name that has one, such as TOKEN-1, the middle of it is left out, as in TO…N-1. */
function keepingSession(text: string): string {
  return text.replaceAll(endingSessions, (word) => `${word.slice(0, 2)}…${word.slice(-1)}`)
}

/** The texts of a reply, as its status lets them be. */
function textsOf({ message, details }: AppError, status: number): { error: string; details?: ErrorDetail[] } {
  const said = (text: string) => (status === 401 ? text : keepingSession(text))
  return {
    error: said(message),
    ...(details === undefined
      ? {}
      : { details: details.map((each) => ({ path: said(each.path), message: said(each.message) })) }),
  }
}

/** The one translator: whatever was thrown becomes a sentence, a code and a status. */
export function replyWithError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = error instanceof AppError ? error : new AppError(codeOf(error))
  const { status } = errorTable[known.code]
  // What guessing, and running into limits, looks like: who watches the log sees from where.
  if (suspicious.has(known.code)) {
    const { routeOptions, ip } = request
    request.log.warn({ code: known.code, path: routeOptions.url, address: ip }, 'request refused')
  }
  if (status >= 500) logFault(error, request)
  else if (known.cause !== undefined) request.log.debug({ err: known }, 'request refused')
  if (status === 429 || status === 503) void reply.header('retry-after', String(known.retryAfterSeconds ?? 2))
  // The rest is taken and thrown away: who is cut off while still sending sees a broken connection in place of the answer.
  if (known.code === 'too_large') {
    void reply.removeHeader('connection')
    request.raw.resume()
  }
  // Where a file was to be sent, that is said of the reply already.
  const { error: sentence, ...details } = textsOf(known, status)
  return reply
    .code(status)
    .type('application/json; charset=utf-8')
    .send({ success: false, error: sentence, code: known.code, ...details })
}
