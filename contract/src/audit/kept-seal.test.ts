import { expect, it } from 'vitest'
import { readSeal, sealText } from './kept-seal.ts'

const tenantId = '01a22d4f-f0d1-7d3c-959c-44e1cd3681ed'
const hash = 'a1'.repeat(32)

it('a seal is read as it was written, also where it was copied over two lines or in capitals', () => {
  const seal = { tenantId, seq: 4711, hash }
  expect(sealText(seal)).toBe(`${tenantId}:4711:${hash}`)
  expect(readSeal(sealText(seal))).toEqual(seal)
  expect(readSeal(` ${tenantId.toUpperCase()}:4711:\n${hash} `)).toEqual(seal)
})

it.each([
  '',
  '4711',
  `4711:${hash}`,
  `${tenantId}:0:${hash}`,
  `${tenantId}:4711:${hash}0`,
  `${tenantId}:x:${hash}`,
])('what is none is not taken for one: %s', (text) => {
  expect(readSeal(text)).toBeNull()
})
