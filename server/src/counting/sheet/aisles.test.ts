import { within } from '@inventory-manager/contract/stock/bins'
import { expect, it } from 'vitest'
import { aislesOf } from './aisles.ts'

const lying = (names: readonly string[], total = 1) => names.map((bin) => ({ bin, total, counted: 0 }))
const namesOf = (bins: readonly string[]) => aislesOf(lying(bins)).map(({ name }) => name)

it('bins are divided by what they begin with, as people walk', () => {
  expect(
    aislesOf([
      { bin: 'B-2', total: 2, counted: 1 },
      { bin: 'A-10', total: 1, counted: 1 },
      { bin: '', total: 4, counted: 0 },
      { bin: 'a-9', total: 2, counted: 0 },
      { bin: 'B-1-1', total: 1, counted: 0 },
    ]),
  ).toEqual([
    { name: 'A', total: 3, counted: 1 },
    { name: 'B', total: 3, counted: 1 },
    { name: '', total: 4, counted: 0 },
  ])
  expect(namesOf(['2-1', '10-1', '10-2', 'C7', '字-1', '字-2', 'Kühlraum', 'KÜHLRAUM 2'])).toEqual([
    '2',
    '10',
    'C',
    'Kühlraum',
    '字',
  ])
})

it('where nearly all begin alike, they are told apart where they differ', () => {
  expect(namesOf(['Shelf 2', 'Shelf 10', 'Shelf 1'])).toEqual(['Shelf 1', 'Shelf 2', 'Shelf 10'])
  expect(namesOf(['W1-A-1', 'W1-A-2', 'W1-B-1', 'W1-C-1', 'W1-C-2', 'Yard'])).toEqual([
    'W1-A',
    'W1-B',
    'W1-C',
    'Yard',
  ])
})

it('a name that is a bin of its own stays whole, and so does what would become too much to look through', () => {
  expect(namesOf(['Hall', 'Hall 1', 'Hall 2'])).toEqual(['Hall'])
  expect(namesOf(Array.from({ length: 60 }, (_, place) => `Shelf ${place}`))).toEqual(['Shelf'])
  expect([namesOf(['A-1']), namesOf(['A-', 'A--']), namesOf(['!'])]).toEqual([['A-1'], ['A-', 'A--'], ['!']])
  expect([namesOf([]), namesOf(['Hall, 1', 'Hall, 2'])]).toEqual([[], ['Hall']])
})

it('of more than people look through, the first are listed, and what has none', () => {
  const bins = Array.from({ length: 250 }, (_, place) => `${250 - place}`)
  const names = namesOf([...bins, ''])
  expect([names.length, names[0], names[199], names[200]]).toEqual([201, '1', '200', ''])
})

it('each bin lies in one of them', () => {
  const bins = ['A-01-1', 'a-01-2', 'A01', 'A', 'AB', '-x-', '3', '33', 'W 1.2', '字3', 'Ö3', 'Öl', '___']
  const names = namesOf(bins)
  expect(bins.map((bin) => names.filter((name) => within([name])(bin)))).toEqual([
    ['A'],
    ['A'],
    ['A'],
    ['A'],
    ['AB'],
    ['-x'],
    ['3'],
    ['33'],
    ['W'],
    ['字'],
    ['Ö'],
    ['Öl'],
    ['___'],
  ])
})
