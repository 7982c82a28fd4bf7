import { listToCount } from '@inventory-manager/contract/counting/endpoints'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { askEarly, askedEarlyAt, listToCountAt, refuseEarly, takeEarly } from './early-reply.ts'

const list = listToCountAt('PRIMARY')
const token = 'the.token.of-sam'
const answered = new Response('the list')

/** The reply that a call is given; null where it has to ask itself. */
async function taken(url: string, asker: string): Promise<Response | null> {
  const early = takeEarly(url, asker)
  return early === null ? null : await early.reply
}

beforeEach(() => {
  vi.stubGlobal('localStorage', { getItem: () => token })
  vi.stubGlobal('fetch', () => Promise.resolve(answered))
})
afterEach(() => void vi.unstubAllGlobals())

it('is asked for as the contract says', () => {
  expect(list).toBe(`${listToCount.path}?location=PRIMARY`)
  expect(listToCount.method).toBe('GET')
})

it('answers the very call it was asked for, once', async () => {
  askEarly(list)
  expect(await taken(listToCountAt('SECONDARY'), token)).toBeNull()
  expect(await taken('/api/components', token)).toBeNull()
  expect(await taken(list, token)).toBe(answered)
  expect(await taken(list, token)).toBeNull()
})

it('is not for somebody else who signed in meanwhile', async () => {
  askEarly(list)
  expect(await taken(list, 'the.token.of-kim')).toBeNull()
})

it('is asked for again where it did not come', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  askEarly(list)
  expect(await taken(list, token)).toBeNull()
})

it('is asked for again after news, which may tell of what it does not know', async () => {
  askEarly(list)
  expect(askedEarlyAt()).not.toBeNull()
  refuseEarly()
  expect(askedEarlyAt()).toBeNull()
  expect(await taken(list, token)).toBeNull()
})

it('ends with the call that it was given to', async () => {
  vi.stubGlobal('fetch', (_: string, { signal }: RequestInit) => {
    const body = new ReadableStream({
      start(controller) {
        signal?.addEventListener('abort', () => controller.error(signal.reason))
      },
    })
    return Promise.resolve(new Response(body))
  })
  askEarly(list)
  const early = takeEarly(list, token)
  const reply = await early?.reply
  early?.end(new DOMException('Nothing was heard.', 'TimeoutError'))
  await expect(reply?.text()).rejects.toThrow('Nothing was heard.')
})

it('is too old after ten seconds', async () => {
  vi.useFakeTimers()
  askEarly(list)
  vi.advanceTimersByTime(10_000)
  expect(await taken(list, token)).toBeNull()
  vi.useRealTimers()
})
