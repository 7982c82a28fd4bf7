import pg from 'pg'
import { expect, it } from 'vitest'
import { codeOfDatabaseError } from './errors.ts'

const failure = (code: string) => Object.assign(new Error('getaddrinfo'), { code })

function refusal(state: string): pg.DatabaseError {
  const error = new pg.DatabaseError('refused', 0, 'error')
  error.code = state
  return error
}

it.each(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'])(
  'a database that cannot be reached (%s) is away, so that devices wait with what they send',
  (code) => expect(codeOfDatabaseError(failure(code))).toBe('unavailable'),
)

it('a database that takes no writes for now is away as well', () => {
  expect(codeOfDatabaseError(refusal('25006'))).toBe('unavailable')
})

it('what the database refuses of a statement is no absence', () => {
  expect(codeOfDatabaseError(refusal('23505'))).toBeNull()
  expect(codeOfDatabaseError(refusal('22003'))).toBe('invalid_request')
  expect(codeOfDatabaseError(failure('EACCES'))).toBeNull()
})
