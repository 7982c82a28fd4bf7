import { expect, it } from 'vitest'
import { ApiError } from './api-error.ts'
import { createOnce } from './once.ts'

const lost = () => new ApiError('The server cannot be reached.', { kind: 'network' })
const answered = (status: number) => new ApiError('No.', { kind: 'reply', status })

/** Asks for something, with what came of it, and gives the key it went under. */
async function keyOf(once: ReturnType<typeof createOnce>, input: unknown, failure?: Error): Promise<string> {
  let key = ''
  const [result] = await Promise.allSettled([
    once(input, async (given) => {
      key = given
      if (failure !== undefined) throw failure
    }),
  ])
  expect(result).toEqual(
    failure === undefined
      ? { status: 'fulfilled', value: undefined }
      : { status: 'rejected', reason: failure },
  )
  return key
}

it('what may have been done keeps its key until it is done, whatever is asked for meanwhile', async () => {
  const once = createOnce()
  const first = await keyOf(once, { quantity: 50 }, lost())
  for (const failure of [answered(500), answered(503), answered(401), new Error('cancelled')]) {
    expect(await keyOf(once, { quantity: 50 }, failure)).toBe(first)
  }
  expect(await keyOf(once, { quantity: 40 })).not.toBe(first)
  expect(await keyOf(once, { quantity: 50 })).toBe(first)
  expect(await keyOf(once, { quantity: 50 })).not.toBe(first)
})

it('what the server refused was not done, and is another try next time', async () => {
  const once = createOnce()
  const first = await keyOf(once, { quantity: 50 }, answered(409))
  expect(await keyOf(once, { quantity: 50 })).not.toBe(first)
})
