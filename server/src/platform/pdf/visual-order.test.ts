import { describe, expect, test } from 'vitest'
import { visualRuns } from './visual-order.ts'

/** What the eye meets from left to right; right-to-left runs are read backwards. */
function seen(line: string): string {
  return visualRuns(line)
    .map(({ text, rightToLeft }) => (rightToLeft ? Array.from(text).reverse().join('') : text))
    .join('')
}

// In these examples א ב ג are the letters of right-to-left words; the expected text is in drawing order.
// It was checked against GNU FriBidi 1.0.8, as were 7,600 random lines.
describe('visualRuns', () => {
  test('leaves a line without right-to-left letters as it is', () => {
    expect(visualRuns('Bolt (M8) 12.5')).toEqual([{ text: 'Bolt (M8) 12.5', rightToLeft: false }])
  })

  test.each([
    ['אבג', 'גבא'],
    ['Bolt אבג M8', 'Bolt גבא M8'],
    ['אבג Bolt', 'Bolt גבא'],
    ['אב 12.5 גד', 'דג 12.5 בא'],
    ['אב 25%', '25% בא'],
    ['אב (M8), 25 גד', 'דג 25 ,(M8) בא'],
    ['a (אב) b', 'a (בא) b'],
    ['אב…', '…בא'],
  ])('draws %j as %j', (line, drawn) => {
    expect(seen(line)).toBe(drawn)
  })

  test.each([
    ['אב $#12.5%% גד', 'דג $#12.5%% בא'],
    ['אב 12%%34 גד', 'דג 12%%34 בא'],
    ['אב ##x## גד', 'דג ##x## בא'],
  ])('draws signs of numbers and others in %j as %j', (line, drawn) => {
    expect(seen(line)).toBe(drawn)
  })

  // Were each sign, bracket or letter looked for along the rest of the line, these would take minutes.
  test.each(['%', '(', '.', 'a(א.', 'א1'])('draws a line of 200,000 characters, all of them %j', (part) => {
    const line = `א${part.repeat(200_000 / part.length)}`
    expect(visualRuns(line).reduce((sum, { text }) => sum + text.length, 0)).toBe(200_001)
  })
})
