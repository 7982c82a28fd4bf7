import { expect, it } from 'vitest'
import { inWords } from './in-words.ts'

it.each<[string[], string]>([
  [[], ''],
  [['A'], 'A'],
  [['A', 'B'], 'A and B'],
  [['A', 'B', 'C'], 'A, B and C'],
])('words are listed as in a sentence: %j as %j', (words, expected) => {
  expect(inWords(words)).toBe(expected)
})
