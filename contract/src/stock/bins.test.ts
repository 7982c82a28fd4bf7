import { expect, it } from 'vitest'
import { binsInWords, faultOfBins, readBins, writeBins } from './bin-names.ts'
import { compareBins, within } from './bins.ts'

it('bins go along the shelves as people read their numbers, and none comes last', () => {
  const bins = ['', '字', 'B-1', 'a-10', 'A-2', '', 'A-9']
  expect(bins.toSorted(compareBins)).toEqual(['A-2', 'A-9', 'a-10', 'B-1', '字', '', ''])
})

it('a bin belongs to each that its name begins with, to the end of a number or word', () => {
  const of = (bin: string) =>
    ['A', 'a-03', 'A-0', 'A-03-2', 'AB', '03', ''].filter((name) => within([name])(bin))
  expect(of('A-03-2')).toEqual(['A', 'a-03', 'A-03-2'])
  expect(of('AB-03')).toEqual(['AB'])
  expect(of('a03')).toEqual(['A'])
  expect(of('03A')).toEqual(['03'])
  expect(of('')).toEqual([''])
  expect([within(['A', 'B'])('B-1'), within([])('B-1')]).toEqual([true, false])
  expect([within(['字'])('字2'), within(['Ä'])('ä-1'), within(['A'])('A–1')]).toEqual([true, true, true])
  expect([within(['K'])('Kühlraum'), within(['Ladefl'])('Ladefläche')]).toEqual([false, false])
})

it('people type bins with commas or line by line, each once', () => {
  expect(readBins(' A, b-1;\nC , , a')).toEqual(['A', 'b-1', 'C'])
  expect(readBins(' \n')).toEqual([])
  expect(writeBins(['A', '', 'b-1'])).toBe('A, b-1')
})

it('so many bins are named, each by so many characters', () => {
  const many = Array.from({ length: 51 }, (_, place) => `A-${place}`)
  expect(faultOfBins(many)).toBe('Name at most 50 bins.')
  expect(faultOfBins(['A', 'x'.repeat(41)])).toBe('The name of a bin has at most 40 characters.')
  expect(faultOfBins([...many.slice(1), 'x'.repeat(40)].slice(1))).toBeNull()
})

it('some bins are said in a sentence', () => {
  const said = [['A'], ['A', 'B-1'], ['A', 'B', ''], ['']].map(binsInWords)
  expect(said).toEqual(['bin A', 'bins A and B-1', 'bins A, B and what has no bin', 'what has no bin'])
})
