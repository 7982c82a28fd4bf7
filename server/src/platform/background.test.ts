import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { keepDoing } from './background.ts'

it('goes on soon after a lot of work, and rests longer after two long looks', async () => {
  const fail = (error: unknown) => expect.unreachable(String(error))
  const rounds = { work: 0, look: 0 }
  const working = keepDoing({
    pauseMs: 5,
    onError: fail,
    look: async () => (rounds.work += 1),
    work: async () => await sleep(50),
  })
  const looking = keepDoing({
    pauseMs: 5,
    onError: fail,
    look: async () => {
      rounds.look += 1
      await sleep(50)
    },
    work: async () => undefined,
  })
  await expect.poll(() => rounds.work).toBeGreaterThanOrEqual(10)
  const { work, look } = rounds
  await Promise.all([working.stop(), looking.stop()])
  expect(look).toBeLessThan(work / 2)
})

it('goes on soon after one look that was held up', async () => {
  let looks = 0
  const doing = keepDoing({
    pauseMs: 5,
    onError: (error) => expect.unreachable(String(error)),
    look: async () => {
      looks += 1
      if (looks === 2) await sleep(500)
    },
    work: async () => undefined,
  })
  // A twentieth of a connection's time would be one look in ten seconds.
  await expect.poll(() => looks, { timeout: 9_000 }).toBeGreaterThan(3)
  await doing.stop()
})

it('tells what went wrong, and tries again', async () => {
  const told: unknown[] = []
  const doing = keepDoing({
    pauseMs: 5,
    onError: (error) => told.push(error),
    look: async () => await Promise.reject(new Error('no database')),
    work: async () => undefined,
  })
  await expect.poll(() => told.length).toBeGreaterThan(1)
  await doing.stop()
})
