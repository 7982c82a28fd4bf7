import { clientInstant } from '@inventory-manager/contract/values'
import type { FastifyRequest } from 'fastify'
import { AppError } from './app-error.ts'

/** What the clock of the caller showed when it sent a request, by its Sent-At; null without one. Throws 'invalid_request' for what is no time. */
export function sentAtOf(request: FastifyRequest): Date | null {
  const header = request.headers['sent-at']
  if (header === undefined) return null
  const { success, data } = clientInstant.safeParse(header)
  if (success) return data
  throw new AppError('invalid_request', {
    sentence: 'Sent-At must be a date and time such as 2026-11-30T10:00:00Z.',
  })
}
