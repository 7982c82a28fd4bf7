import { expect, it } from 'vitest'
import { ApiError } from '../api/api-error.ts'
import { faultOf } from './form-fault.ts'

it('what a form objects to itself was not sent, and changes no list', () => {
  expect(faultOf(new Error('Give a whole number from 0 up.'))).toEqual({
    words: 'Give a whole number from 0 up.',
    isSent: false,
  })
})

it('what was sent may have been done, also where nobody answered', () => {
  expect(faultOf(new ApiError('No.', { kind: 'reply', status: 409, code: 'stock_limit' }))).toEqual({
    words: 'No.',
    isSent: true,
  })
  expect(faultOf(new ApiError('The server cannot be reached.', { kind: 'network' }))).toEqual({
    words:
      'The server cannot be reached. It is not known whether this arrived. Sent again as it stands, it is done once.',
    isSent: true,
  })
})
