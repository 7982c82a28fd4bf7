import { expect, it } from 'vitest'
import { eitherOf } from './signals.ts'

it('ends as the first of two does, for its reason, and not again', () => {
  const one = new AbortController()
  const other = new AbortController()
  const either = eitherOf(one.signal, other.signal)
  expect(either.aborted).toBe(false)
  other.abort('waited too long')
  one.abort('left')
  expect(either.reason).toBe('waited too long')
})

it('has ended where one had before', () => {
  const either = eitherOf(AbortSignal.abort('left'), new AbortController().signal)
  expect(either.aborted).toBe(true)
  expect(either.reason).toBe('left')
})
