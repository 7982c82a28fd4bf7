import { expect, it } from 'vitest'
import { toldName } from './told-name.ts'

it('an import is named by its file', () => {
  expect(toldName('stock.csv')).toBe('stock.csv')
  expect(toldName('x'.repeat(200))).toBe('x'.repeat(200))
})

it('of a longer name the middle is left out, and no sign is cut apart', () => {
  expect(toldName(`${'x'.repeat(190)} of November.csv`)).toBe(
    `${'x'.repeat(139)}…${'x'.repeat(44)} of November.csv`,
  )
  expect(toldName(`${'🔩'.repeat(120)}.csv`)).toBe(`${'🔩'.repeat(69)}…${'🔩'.repeat(28)}.csv`)
})
