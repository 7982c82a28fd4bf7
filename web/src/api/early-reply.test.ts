import { listWithCountStatus } from '@inventory-manager/contract/counting/endpoints'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { askEarly, listToCount, takeEarly } from './early-reply.ts'

const body = '{"location":"PRIMARY"}'
const token = 'the.token.of-sam'
const answered = new Response('the list')

beforeEach(() => {
  vi.stubGlobal('localStorage', { getItem: () => token })
  vi.stubGlobal('fetch', () => Promise.resolve(answered))
})
afterEach(() => void vi.unstubAllGlobals())

it('is asked for at the address of the list to count', () => {
  expect(listToCount).toBe(listWithCountStatus.path)
  expect(listWithCountStatus.method).toBe('POST')
})

it('answers the very call it was asked for, once', async () => {
  askEarly(listToCount, body)
  expect(await takeEarly(listToCount, { body: '{"location":"SECONDARY"}', token })).toBeNull()
  expect(await takeEarly('/api/components', { body, token })).toBeNull()
  expect(await takeEarly(listToCount, { body, token })).toBe(answered)
  expect(await takeEarly(listToCount, { body, token })).toBeNull()
})

it('is not for somebody else who signed in meanwhile', async () => {
  askEarly(listToCount, body)
  expect(await takeEarly(listToCount, { body, token: 'the.token.of-kim' })).toBeNull()
})

it('is asked for again where it did not come', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  askEarly(listToCount, body)
  expect(await takeEarly(listToCount, { body, token })).toBeNull()
})

it('is too old after ten seconds', async () => {
  vi.useFakeTimers()
  askEarly(listToCount, body)
  vi.advanceTimersByTime(10_000)
  expect(await takeEarly(listToCount, { body, token })).toBeNull()
  vi.useRealTimers()
})
