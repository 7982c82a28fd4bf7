import { expect, it } from 'vitest'
import { compareBins } from './bins.ts'

it('bins go along the shelves as people read their numbers, and none comes last', () => {
  const bins = ['', '字', 'B-1', 'a-10', 'A-2', '', 'A-9']
  expect(bins.toSorted(compareBins)).toEqual(['A-2', 'A-9', 'a-10', 'B-1', '字', '', ''])
})
