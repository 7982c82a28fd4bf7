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
  await sleep(600)
  await Promise.all([working.stop(), looking.stop()])
  expect(rounds.work).toBeGreaterThan(3)
  expect(rounds.look).toBe(2)
})

it('goes on soon after one look that was held up', async () => {
  let looks = 0
  const doing = keepDoing({
    pauseMs: 5,
    onError: (error) => expect.unreachable(String(error)),
    look: async () => {
      looks += 1
      if (looks === 2) await sleep(50)
    },
    work: async () => undefined,
  })
  await sleep(600)
  await doing.stop()
  expect(looks).toBeGreaterThan(3)
})

it('tells what went wrong, and tries again', async () => {
  const told: unknown[] = []
  const doing = keepDoing({
    pauseMs: 5,
    onError: (error) => told.push(error),
    look: async () => await Promise.reject(new Error('no database')),
    work: async () => undefined,
  })
  await sleep(100)
  await doing.stop()
  expect(told.length).toBeGreaterThan(1)
})
