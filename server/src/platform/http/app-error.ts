import { errorTable, type ErrorCode } from '@inventory-manager/contract/errors'

export type ErrorDetail = { path: string; message: string }

type Extra = {
  sentence?: string
  details?: ErrorDetail[]
  retryAfterSeconds?: number
  /** Refused, and yet something was written that others want to see. */
  isNews?: true
  /** For the log alone. */
  cause?: unknown
}

/** A reply tells so many of the faults of a request, the first ones. */
const mostDetails = 100

/** The only error that reaches a client as itself. `sentence` says more than the table's where there is more to say. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly details: ErrorDetail[] | undefined
  readonly retryAfterSeconds: number | undefined
  readonly isNews: boolean

  constructor(code: ErrorCode, extra: Extra = {}) {
    super(extra.sentence ?? errorTable[code].sentence, { cause: extra.cause })
    this.name = 'AppError'
    this.code = code
    this.details = extra.details?.slice(0, mostDetails)
    this.retryAfterSeconds = extra.retryAfterSeconds
    this.isNews = extra.isNews ?? false
  }
}

/** What a node may have no more of at a moment; docs/operating.md, 'The server is busy', says what helps. */
export const shortages = [
  'connections',
  'turns for calls that take minutes',
  'turns for lists',
  'turns for files',
  'turns for passwords',
  'memory for bodies',
  'memory for long lists',
  'the processor',
] as const

export type Shortage = (typeof shortages)[number]

/** 503, with what this node is short of in the log. */
export function shortOf(what: Shortage, extra: Pick<Extra, 'retryAfterSeconds'> = {}): AppError {
  return new AppError('unavailable', { ...extra, cause: new Error(`Short of ${what}.`) })
}

/** For an address that is nobody's. */
export const nothingHere = (): AppError =>
  new AppError('not_found', { sentence: 'There is nothing at this address.' })
