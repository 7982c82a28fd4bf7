import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { forEachOfMany } from './each-of-many.ts'

it('takes each of many in their order, and lets other work begin after 200', async () => {
  const taken: number[] = []
  const all = Array.from({ length: 1_000 }, (_, at) => at)
  const working = forEachOfMany(all, (one) => void taken.push(one))
  expect(taken).toEqual(all.slice(0, 200))
  await setImmediate()
  expect(taken.length).toBeLessThan(1_000)
  await working
  expect(taken).toEqual(all)
})
