import { expect, it } from 'vitest'
import { pageOf } from './page.ts'

const rows = [{ id: 'a' }, { id: 'b' }, { id: 'c' }]

it('a page ends with the row after which the next begins', () => {
  expect(pageOf(rows, 2, 'id')).toEqual({ page: [{ id: 'a' }, { id: 'b' }], next: 'b' })
})

it('the last page has no next one, also where it is full', () => {
  expect(pageOf(rows, 3, 'id')).toEqual({ page: rows, next: null })
  expect(pageOf([], 3, 'id')).toEqual({ page: [], next: null })
})
