import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ApiError } from '../api/api-error.ts'
import { createOnce } from '../api/once.ts'
import { receiptsOf } from './several-changes.ts'
import { createBookingKeys } from './several-keys.ts'
import { readLines } from './several-lines.ts'

beforeEach(() => {
  vi.stubGlobal('localStorage', { getItem: () => null })
  const kept = new Map<string, string>()
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  })
})
afterEach(() => void vi.unstubAllGlobals())

const wanted = (text: string, location: 'PRIMARY' | 'SECONDARY' = 'PRIMARY') =>
  readLines(text, 'amount').flatMap((line) => receiptsOf(line, { company: undefined, location }))

const unreached = new ApiError('The server cannot be reached.', { kind: 'network' })

/** Sends a line as the screen does where it was opened anew, and gives the key it went under. */
async function keyOf(line: string, failure?: Error, location: 'PRIMARY' | 'SECONDARY' = 'PRIMARY') {
  const once = createOnce(createBookingKeys('keys'))
  const [body] = wanted(line, location)
  const used: string[] = []
  const [result] = await Promise.allSettled([
    once(body, async (key) => {
      used.push(key)
      if (failure !== undefined) throw failure
    }),
  ])
  expect(result.status).toBe(failure === undefined ? 'fulfilled' : 'rejected')
  return used.join()
}

it('what was received without an answer is sent again as the same, however its line is written by then', async () => {
  const first = await keyOf('A-1;5', unreached)
  expect(createBookingKeys('keys').unanswered()).toEqual([{ barcode: 'A-1', location: 'PRIMARY', amount: 5 }])
  expect(await keyOf('A-1; 5', unreached)).toBe(first)
  expect(await keyOf('A-1;6')).not.toBe(first)
  expect(await keyOf('A-1;5', undefined, 'SECONDARY')).not.toBe(first)
  expect(await keyOf('A-1\t5')).toBe(first)
  expect(await keyOf('A-1\t5')).not.toBe(first)
  expect(createBookingKeys('keys').unanswered()).toEqual([])
})

it('what is not in the next list that is received there is another delivery when it comes again', async () => {
  const first = await keyOf('A-1;5', unreached)
  createBookingKeys('keys').forgetOthers({ location: 'SECONDARY', to: null }, wanted('B-2;1', 'SECONDARY'))
  createBookingKeys('keys').forgetOthers({ location: 'PRIMARY', to: null }, wanted('B-2;1\nA-1,5'))
  expect(await keyOf('A-1;5', unreached)).toBe(first)
  createBookingKeys('keys').forgetOthers({ location: 'PRIMARY', to: null }, wanted('B-2;1\nA-1;6'))
  expect(await keyOf('A-1;5')).not.toBe(first)
})

it('what was sent to a place is forgotten by no list that is received, or sent elsewhere', async () => {
  const sent = { barcode: 'A-1', from: 'PRIMARY', to: 'SECONDARY', quantity: 5 }
  const keys = createBookingKeys('keys')
  keys.set(JSON.stringify(sent), 'first')
  keys.forgetOthers({ location: 'PRIMARY', to: null }, wanted('B-2;1'))
  keys.forgetOthers({ location: 'PRIMARY', to: 'QUARANTINE' }, [])
  keys.forgetOthers({ location: 'SECONDARY', to: 'PRIMARY' }, [])
  expect(createBookingKeys('keys').unanswered()).toEqual([sent])
  keys.forgetOthers({ location: 'PRIMARY', to: 'SECONDARY' }, [])
  expect(createBookingKeys('keys').unanswered()).toEqual([])
})
