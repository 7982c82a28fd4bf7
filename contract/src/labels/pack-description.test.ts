import { expect, test } from 'vitest'
import { describePack } from './pack-description.ts'

test('the label of a pack says how many pieces are in it, and of what', () => {
  expect(describePack('Nut', 12)).toBe('Pack of 12: Nut')
  expect(describePack('', 1000)).toBe('Pack of 1,000')
})

test('the label of another barcode for one piece says what the component is', () => {
  expect(describePack('Nut', 1)).toBe('Nut')
})

test('a long description of a pack is cut to what a description holds, between two signs', () => {
  const described = describePack('🔩'.repeat(250), 12)
  expect(described.length).toBeLessThanOrEqual(500)
  expect(described).toMatch(/^Pack of 12: 🔩+$/u)
})
