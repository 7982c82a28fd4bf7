import { expect, it } from 'vitest'
import { createShares, type Shares } from './shares.ts'

/** Work that goes on until it is ended, noted when it begins. */
function watched({ inTurn }: Shares) {
  const begun: string[] = []
  const ends: (() => void)[] = []
  return {
    begun,
    ends,
    ask: (of: string, gone?: AbortSignal) =>
      inTurn(
        of,
        () => {
          begun.push(of)
          return new Promise<void>((resolve) => ends.push(resolve))
        },
        gone,
      ),
  }
}

it('one has so many at a time, and who has the fewest under way goes next', async () => {
  const { begun, ends, ask } = watched(
    createShares({ what: 'connections', running: 3, ofOne: 2, patienceMs: 60_000 }),
  )
  const all = ['ada', 'ada', 'ada', 'ada', 'bea', 'bea', 'cleo'].map((of) => ask(of))
  await expect.poll(() => begun).toEqual(['ada', 'ada', 'bea'])
  ends.shift()?.()
  await expect.poll(() => begun.slice(3)).toEqual(['cleo'])
  ends.shift()?.()
  await expect.poll(() => begun.slice(4)).toEqual(['ada'])
  const ending = setInterval(() => ends.shift()?.())
  await Promise.all(all)
  clearInterval(ending)
  expect(begun).toHaveLength(7)
})

it('of several who have none under way, whose turn is longest ago goes next, however many one asks for', async () => {
  const { begun, ends, ask } = watched(
    createShares({ what: 'connections', running: 1, ofOne: 1, patienceMs: 60_000 }),
  )
  const all = ['ada', 'ada', 'ada', 'bea', 'cleo', 'ada'].map((of) => ask(of))
  for (let nth = 1; nth <= 6; nth += 1) {
    await expect.poll(() => begun).toHaveLength(nth)
    ends.shift()?.()
  }
  await Promise.all(all)
  expect(begun).toEqual(['ada', 'bea', 'cleo', 'ada', 'ada', 'ada'])
})

it('who has left before takes no turn, not even a free one', async () => {
  const { begun, ask } = watched(
    createShares({ what: 'connections', running: 1, ofOne: 1, patienceMs: 60_000 }),
  )
  await expect(ask('ada', AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' })
  expect(begun).toEqual([])
})

it('who has left takes no turn', async () => {
  const { begun, ends, ask } = watched(
    createShares({ what: 'connections', running: 1, ofOne: 1, patienceMs: 60_000 }),
  )
  const left = new AbortController()
  const first = ask('ada')
  const gone = ask('bea', left.signal)
  const next = ask('cleo')
  left.abort()
  await expect(gone).rejects.toMatchObject({ name: 'AbortError' })
  ends.shift()?.()
  await expect.poll(() => begun).toEqual(['ada', 'cleo'])
  ends.shift()?.()
  await Promise.all([first, next])
})

it('who waits too long is told to come again, with what is short for the log, and takes no turn', async () => {
  const { begun, ends, ask } = watched(
    createShares({ what: 'connections', running: 1, ofOne: 1, patienceMs: 50 }),
  )
  const first = ask('ada')
  await expect(ask('bea')).rejects.toMatchObject({
    code: 'unavailable',
    cause: { message: 'Short of connections.' },
  })
  ends.shift()?.()
  await first
  const later = ask('bea')
  await expect.poll(() => begun).toEqual(['ada', 'bea'])
  ends.shift()?.()
  await later
})

it('work that fails gives its turn on', async () => {
  const { inTurn } = createShares({ what: 'connections', running: 1, ofOne: 1, patienceMs: 60_000 })
  const failing = inTurn('ada', () => Promise.reject(new Error('It failed.')))
  const next = inTurn('bea', () => Promise.resolve('done'))
  await expect(failing).rejects.toThrow('It failed.')
  expect(await next).toBe('done')
})
