import { ApiError, isUnreached, messageOf } from '../api/api-error.ts'

/** Why a form was not saved: of a request under its key also that it may be sent again. `isSent`: it was not the form's own objection. */
export function faultOf(error: unknown): { words: string; isSent: boolean } {
  const message = messageOf(error)
  const words = isUnreached(error)
    ? `${message} It is not known whether this arrived. Sent again as it stands, it is done once.`
    : message
  return { words, isSent: error instanceof ApiError }
}
