import { expect, it } from 'vitest'
import { soughtWords } from './sought-words.ts'

it.each([
  ['  Müller   26 ', ['müller', '26']],
  ['A-1', ['a-1']],
  ['bolt BOLT\u00A0M8', ['bolt', 'm8']],
  [' ', []],
  ['1 2 3 4 5 6 7 8 9', ['1', '2', '3', '4', '5', '6', '7', '8']],
])('of %j each of %j has to stand somewhere', (typed, words) => {
  expect(soughtWords(typed)).toEqual(words)
})
