import { expect, it } from 'vitest'
import { problemOfCode } from './code-problems.ts'

it('a code that is no component’s is unknown, unless it is a bin', () => {
  const facts = { isListed: false, bin: undefined, refusal: null, isKnown: false }
  expect(problemOfCode('R-9', facts)).toMatchObject({ word: 'Unknown code' })
  expect(problemOfCode('r-10', { ...facts, bin: 'R-10' })).toEqual({
    word: 'A bin',
    sentence: 'R-10 is a bin, not a component.',
    next: 'It cannot be counted. Press Next Item.',
    note: 'a bin',
  })
})

it('a bin is one also where a day’s list would refuse its code', () => {
  const refusal = 'Barcode R-10 is not part of the Monday high-volume count at Primary.'
  const facts = { isListed: false, refusal, isKnown: null }
  expect(problemOfCode('R-10', { ...facts, bin: 'R-10' })).toMatchObject({ note: 'a bin' })
  expect(problemOfCode('R-10', { ...facts, bin: undefined })).toMatchObject({ note: 'not in the list' })
})

it('where components are left out, a code that is not in the list is not said to be unknown', () => {
  const facts = { isListed: false, bin: undefined, refusal: null, isKnown: null }
  expect(problemOfCode('R-9', facts)).toEqual({
    word: 'Not in the list',
    sentence: 'R-9 is not in the list of what is counted here.',
    next: 'Enter what is here of it. If nobody knows the code, it is kept for an administrator.',
    note: 'not in the list',
  })
})
