import { describe, expect, it } from 'vitest'
import { countOwnLabels, ownCopiesFault } from './own-copies.ts'

const items = [{ barcode: 'A-1' }, { barcode: 'A-2' }, { barcode: 'A-3' }]

describe('the copies of labels', () => {
  it('are those of each where a component has none of its own', () => {
    expect(countOwnLabels(items, { own: new Map(), each: 2 })).toBe(6)
    expect(countOwnLabels(items, { own: new Map([['A-2', '5']]), each: 2 })).toBe(9)
    expect(countOwnLabels(items, { own: new Map([['A-2', ' ']]), each: 2 })).toBe(6)
    expect(countOwnLabels(items, { own: new Map([['B-9', '50']]), each: 2 })).toBe(6)
  })

  it.each(['0', '101', '1.5', '-1', 'x'])('are wrong where %s was typed', (typed) => {
    expect(ownCopiesFault(items, new Map([['A-2', typed]]))).toBe(
      'Copies of A-2: Give a whole number from 1 to 100.',
    )
  })

  it.each(['', '1', '100'])('are right where "%s" was typed', (typed) => {
    expect(ownCopiesFault(items, new Map([['A-2', typed]]))).toBeNull()
  })
})
