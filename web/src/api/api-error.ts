import type { ErrorCode } from '@inventory-manager/contract/errors'

type ErrorKind = 'reply' | 'network' | 'timeout' | 'bad_reply'

/** Why a call did not give its reply: the server's sentence, or what kept it from answering. */
export class ApiError extends Error {
  readonly kind: ErrorKind
  readonly status: number | null
  readonly code: string | null
  /** The reply is not the server's but the page of what stands between. */
  readonly isForeign: boolean
  readonly details: readonly { path: string; message: string }[]

  constructor(
    message: string,
    facts: {
      kind: ErrorKind
      status?: number
      code?: string
      isForeign?: boolean
      details?: readonly { path: string; message: string }[]
      cause?: unknown
    },
  ) {
    super(message, { cause: facts.cause })
    this.name = 'ApiError'
    this.kind = facts.kind
    this.status = facts.status ?? null
    this.code = facts.code ?? null
    this.isForeign = facts.isForeign === true
    this.details = facts.details ?? []
  }
}

/** The sentence of any error, for the specified 'Error …: {message}' messages. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'Something went wrong.'
}

/** Whether the server knows nothing of what a call is about. */
export function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'not_found'
}

/** Whether a call was given up by whoever had made it. */
export function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError'
}

/** Whether the server was not reached, or did not answer: it has refused nothing. */
export function isUnreached(error: unknown): boolean {
  return error instanceof ApiError && (error.kind === 'network' || error.kind === 'timeout')
}

const passing: readonly (number | null)[] = [401, 408, 429, 502, 503, 504]

/**
 * Whether something else has answered, because the program is away or lets nobody through: what it thinks of the call, nobody knows. The
 * server's own errors have a code.
 */
function isInPlaceOfServer({ code, status }: ApiError): boolean {
  return code === null && status !== null && (status > 500 || [403, 404, 405].includes(status))
}

/**
 * Whether something on the way has answered that may dislike the call itself, as a firewall does. What answers because the server is away
 * mostly says so by its status, and the server's own errors have a code.
 */
export function isAnsweredOnTheWay(error: unknown): error is ApiError {
  if (!(error instanceof ApiError) || error.code !== null) return false
  if (error.kind === 'bad_reply') return error.cause instanceof SyntaxError
  return error.kind === 'reply' && isInPlaceOfServer(error) && Number(error.status) < 500
}

/** Whether a failure says nothing about the call itself, so that the same call may succeed later. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false
  return error.kind !== 'reply' || passing.includes(error.status) || isInPlaceOfServer(error)
}

/** Whether the server has answered that it does not do this: it has changed nothing. */
export function isRefusal(error: unknown): boolean {
  if (!(error instanceof ApiError) || error.kind !== 'reply' || isPassing(error)) return false
  return error.status !== null && error.status < 500
}

/** A table by codes of errors, in which any text can be looked up. */
export function byErrorCode<T>(table: Partial<Record<ErrorCode, T>>): Readonly<Partial<Record<string, T>>> {
  return table
}
