import { expect, it } from 'vitest'
import { piecesFaults, readPiecesTyped } from './typed-pieces.ts'

it('pieces are typed as a whole number from 0 to what stock can be', () => {
  expect(['0', ' 12 ', '007', '2147483647'].map(readPiecesTyped)).toEqual([0, 12, 7, 2_147_483_647])
  expect(
    ['', ' ', '-1', '1.5', '1,000', '2147483648', '9999999999', '12 pieces'].map(readPiecesTyped),
  ).toEqual(Array.from({ length: 8 }, () => null))
  expect(piecesFaults.needed).toBe('Give a whole number from 0 to 2,147,483,647.')
})
