import { expect, it } from 'vitest'
import { keepPlaces } from './kept-places.ts'

const item = (barcode: string, pieces = 1) => ({
  barcode,
  description: '',
  pieces,
  value: null,
  differences: 0,
})

it('suggestions that are loaded again stay in their places, with what they say by now, and new ones come below', () => {
  const first = keepPlaces([], [item('A-1'), item('A-2'), item('A-3')])
  const then = keepPlaces(first, [item('B-1'), item('A-3', 7), item('A-1')])
  expect(then).toEqual([
    { ...item('A-1'), isSuggested: true },
    { ...item('A-2'), isSuggested: false },
    { ...item('A-3', 7), isSuggested: true },
    { ...item('B-1'), isSuggested: true },
  ])
  expect(keepPlaces(then, [item('A-2')]).map(({ isSuggested }) => isSuggested)).toEqual([
    false,
    true,
    false,
    false,
  ])
})
