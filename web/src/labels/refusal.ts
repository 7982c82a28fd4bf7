import { ApiError, messageOf } from '../api/api-error.ts'

/** Why labels cannot be had; where some cannot be printed, what is wrong with the first of them. */
export function refusalOf(error: unknown): string {
  if (!(error instanceof ApiError) || error.code !== 'labels_refused') return messageOf(error)
  return [error.message, ...error.details.slice(0, 1).map(({ message }) => message)].join(' ')
}
