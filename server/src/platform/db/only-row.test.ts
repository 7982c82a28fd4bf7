import { expect, it } from 'vitest'
import { onlyRow } from './only-row.ts'

it('the one row of an answer is given', () => {
  expect(onlyRow([{ used: 0 }])).toEqual({ used: 0 })
})

it('an answer with another number of rows is no answer', () => {
  expect(() => onlyRow([])).toThrow('A statement that always answers with one row gave 0.')
  expect(() => onlyRow([1, 2])).toThrow('A statement that always answers with one row gave 2.')
})
