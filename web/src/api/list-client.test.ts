import { listToCount } from '@inventory-manager/contract/counting/endpoints'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { isUnreached } from './api-error.ts'
import { callForList, readList } from './list-client.ts'

const input = { query: { location: 'PRIMARY' as const } }

const wanted = { signal: new AbortController().signal }

const component = (number: number) => ({ barcode: `SKU-${number}`, description: 'Steel bracket' })

const textOf = (components: readonly unknown[]) =>
  JSON.stringify({ components, counted: 0, total: components.length })

const thousands = Array.from({ length: 3_000 }, (_, number) => component(number))

/** The server answers with these pieces, and then as `end` says. */
function answerWith(pieces: readonly string[], end: (body: ReadableStreamDefaultController) => void): void {
  const waiting = pieces.map((piece) => new TextEncoder().encode(piece))
  const body = new ReadableStream({
    pull(controller) {
      const piece = waiting.shift()
      if (piece === undefined) end(controller)
      else controller.enqueue(piece)
    },
  })
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(body)))
}

beforeEach(() => {
  vi.stubGlobal('localStorage', { getItem: () => null })
})
afterEach(() => void vi.unstubAllGlobals())

it('gives a list that comes in pieces, letters split between them, and its text', async () => {
  const text = textOf([{ ...component(1), description: 'Überwurfmutter' }])
  const middle = text.indexOf('Ü')
  const bytes = new TextEncoder().encode(text)
  const body = new Blob([bytes.slice(0, middle + 1), bytes.slice(middle + 1)]).stream()
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(body)))

  const { list, text: kept } = await callForList(listToCount, input, wanted)
  expect(list.components.map(({ description }) => description)).toEqual(['Überwurfmutter'])
  expect(kept).toBe(text)
})

it('lets others do something while it reads thousands', async () => {
  let turns = 0
  const turning = setInterval(() => (turns += 1), 0)
  const list = await readList(listToCount, textOf(thousands))
  clearInterval(turning)

  expect(list.components).toEqual(thousands)
  expect(list).toMatchObject({ counted: 0, total: 3_000 })
  expect(turns).toBeGreaterThan(1)
})

it('takes no list of which one item is not what the contract says', async () => {
  const spoilt = [...thousands.slice(0, 2_000), { ...component(2_000), counted: 'yes' }, component(2_001)]
  const reading = readList(listToCount, textOf(spoilt))
  await expect(reading).rejects.toMatchObject({
    kind: 'bad_reply',
    message: 'The server sent a reply that cannot be read.',
  })
})

it('takes a connection that breaks under a list for a failing network', async () => {
  answerWith([textOf(thousands).slice(0, 10_000)], (body) => body.error(new TypeError('network error')))
  const failure = await callForList(listToCount, input, wanted).catch((error: unknown) => error)
  expect(failure).toMatchObject({ kind: 'network', message: 'The server cannot be reached.' })
  expect(isUnreached(failure)).toBe(true)
})

it('gives a list up of which nothing is heard for half a minute, and no other', async () => {
  vi.useFakeTimers()
  const text = textOf(thousands)
  const begun = Array.from({ length: 3 }, (_, index) => text.slice(index * 1_000, (index + 1) * 1_000))
  vi.stubGlobal('fetch', (_: string, { signal }: RequestInit) => {
    const body = new ReadableStream({
      start(controller) {
        signal?.addEventListener('abort', () => controller.error(signal.reason))
        begun.forEach((piece, index) => {
          setTimeout(() => controller.enqueue(new TextEncoder().encode(piece)), index * 20_000)
        })
      },
    })
    return Promise.resolve(new Response(body))
  })
  const failed = callForList(listToCount, input, wanted).catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(69_000)
  expect(vi.getTimerCount()).toBe(1)
  await vi.advanceTimersByTimeAsync(2_000)
  expect(vi.getTimerCount()).toBe(0)
  vi.useRealTimers()
  expect(await failed).toMatchObject({ kind: 'timeout', message: 'The request timed out.' })
})

it('takes a list that ends in the middle for a reply that cannot be read', async () => {
  answerWith([textOf(thousands).slice(0, 10_000)], (body) => body.close())
  const failure = await callForList(listToCount, input, wanted).catch((error: unknown) => error)
  expect(failure).toMatchObject({ kind: 'bad_reply' })
})
