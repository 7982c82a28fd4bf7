import { expect, it } from 'vitest'
import { createFileTurns } from './file-turns.ts'

it('pieces of two files of a company are made at a moment, the others wait, and other companies do not', async () => {
  const turns = createFileTurns()
  const begun: string[] = []
  const waiting: (() => void)[] = []
  async function* slowFile(name: string): AsyncGenerator<Buffer, void, undefined> {
    begun.push(name)
    await new Promise<void>((resolve) => waiting.push(resolve))
    yield Buffer.from(name)
  }
  const files = ['a1', 'a2', 'a3', 'b1'].map((name) => {
    const place = turns.enter(name.slice(0, 1))
    if (place === null) throw new Error('no place')
    return place.inTurn(slowFile(name))
  })
  const firstPieces = files.map((file) => file.next())
  await Promise.resolve()
  expect(begun).toEqual(['a1', 'a2', 'b1'])
  waiting.shift()?.()
  await firstPieces[0]
  await Promise.resolve()
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3'])
  for (const go of waiting) go()
  await Promise.all(firstPieces)
})

it('a company has ten files open at a time, and another one when one is over', () => {
  const turns = createFileTurns()
  const places = Array.from({ length: 11 }, () => turns.enter('a'))
  expect(places.map((place) => place !== null)).toEqual([...Array.from({ length: 10 }, () => true), false])
  places[0]?.leave()
  expect(turns.enter('a')).not.toBe(null)
})
