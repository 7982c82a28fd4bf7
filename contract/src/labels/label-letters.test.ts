import { expect, test } from 'vitest'
import { charactersWithoutFont, isDrawnOtherwise } from './label-letters.ts'
import { labelMessages } from './messages.ts'

test('letters that no label font has are told, each once, in their order', () => {
  expect(charactersWithoutFont(['Bolt สกรู ส', 'போல்ட் M8'])).toEqual([...new Set('สกรูபோல்ட')])
  expect(charactersWithoutFont(['ប៊ូឡុង'])).toContain('ប')
})

test('letters of what labels print are not told', () => {
  const texts = [
    'Größe Łódź ½ 2”',
    'Болт',
    'Κοχλίας',
    'בורג',
    'برغي',
    '螺栓',
    'ボルト',
    '볼트',
    'Vít 🔩 №1',
    'बोल्ट',
  ]
  expect(charactersWithoutFont(texts)).toEqual([])
})

test('what a screen joins and the file sets side by side is told', () => {
  expect(['बोल्ट', 'בֹּרֶג', 'بَرغي'].map(isDrawnOtherwise)).toEqual([true, true, true])
  expect(['Bolt', 'בורג', 'برغي', '螺栓'].map(isDrawnOtherwise)).toEqual([false, false, false, false])
})

test('a sentence names the first letters that become boxes', () => {
  expect(labelMessages.noLetters(['ส'])).toBe('The printer has no letters for “ส”: they become boxes.')
  expect(labelMessages.noLetters(Array.from('กขคงจฉชซญฐฑฒ'))).toBe(
    'The printer has no letters for “ก ข ค ง จ ฉ ช ซ ญ ฐ …”: they become boxes.',
  )
  // A mark stands on a letter, and alone only where there is none.
  expect(labelMessages.noLetters(['\u0E39', 'ส'])).toBe(
    'The printer has no letters for “ส”: they become boxes.',
  )
  expect(labelMessages.noLetters(['\u0E39'])).toBe(
    'The printer has no letters for “\u0E39”: they become boxes.',
  )
})
