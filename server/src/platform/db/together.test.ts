import pg from 'pg'
import { expect, it } from 'vitest'
import { together } from './together.ts'

const twice = { lanes: 1, most: 3 }

it('asks what waits at the same moment in one go, so many at most, and gives each its own answer', async () => {
  const asked: number[][] = []
  const double = together(async (numbers: readonly number[]) => {
    asked.push([...numbers])
    return await Promise.resolve(numbers.map((number) => number * 2))
  }, twice)

  expect(await Promise.all([1, 2, 3, 4].map(double))).toEqual([2, 4, 6, 8])
  expect(asked).toEqual([[1, 2, 3], [4]])
})

const refused = Object.assign(new pg.DatabaseError('division by zero', 0, 'error'), { code: '22012' })

it('gives what the database refuses only to the one whose question it was', async () => {
  const invert = together(async (numbers: readonly number[]) => {
    if (numbers.includes(0)) throw refused
    return await Promise.resolve(numbers.map((number) => 1 / number))
  }, twice)

  const answers = await Promise.allSettled([2, 0, 4].map(invert))
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(await invert(5)).toBe(0.2)
})

it('lets nobody wait for the others while the database is away', async () => {
  let asked = 0
  const reach = together(async (numbers: readonly number[]) => {
    asked += 1
    return await Promise.reject<number[]>(new Error(`Connection terminated, ${numbers.length} waited`))
  }, twice)

  const answers = await Promise.allSettled([1, 2, 3].map(reach))
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(asked).toBe(1)
})
