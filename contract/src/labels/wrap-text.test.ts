import { expect, test } from 'vitest'
import { wrapText } from './wrap-text.ts'

/** Takes every character for as wide as the font is high. */
const wrap = (text: string, width: number, mostLines = 9) =>
  wrapText(text, { width, fontSize: 1, measure: (line) => line.length, mostLines })

test('a text is broken between words, and a word that is wider than a line between letters', () => {
  expect(wrap('Hex bolt, M8 x 20', 9)).toEqual(['Hex bolt,', 'M8 x 20'])
  expect(wrap('Hex bolt', 8)).toEqual(['Hex bolt'])
  expect(wrap('ABCDEFGHIJ KL', 4)).toEqual(['ABCD', 'EFGH', 'IJ', 'KL'])
  expect(wrap(' \n ', 4)).toEqual([])
})

test('what has no room is cut with an ellipsis that fits', () => {
  expect(wrap('one two three four', 8, 2)).toEqual(['one two', 'three f…'])
  expect(wrap('one two three', 7, 2)).toEqual(['one two', 'three'])
  expect(wrap('one two three', 7, 1)).toEqual(['one tw…'])
})

test('Chinese and Japanese are broken between signs, but no line begins with what closes or ends with what opens', () => {
  expect(wrap('六角螺栓不锈钢', 3)).toEqual(['六角螺', '栓不锈', '钢'])
  expect(wrap('螺栓，不锈', 2)).toEqual(['螺', '栓，', '不锈'])
  expect(wrap('螺栓（不锈）', 3)).toEqual(['螺栓', '（不', '锈）'])
  expect(wrap('螺栓 M8x20', 5)).toEqual(['螺栓', 'M8x20'])
})
