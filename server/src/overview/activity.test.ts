import { expect, it } from 'vitest'
import { describeActivity } from './activity.ts'

function sentenceOf(event: string): string {
  const entry = { kind: 'configuration' as const, event, sku: 'A-1', quantity: 2, location: 'PRIMARY' }
  return describeActivity({ ...entry, user_name: 'Ada', created_at: new Date(0) }, 'all', {})
}

it('the overview says what was done with a weekly list', () => {
  expect(sentenceOf('high_volume_added')).toBe('Ada added components to a weekly list')
  expect(sentenceOf('high_volume_removed')).toBe('Ada took components from a weekly list')
})

it('the overview says that a recount was asked for', () => {
  expect(sentenceOf('discrepancy_recount')).toBe('Ada asked for a recount of A-1 at Primary Warehouse')
})

it('the overview says what fell below its minimum, and of very much at once how often', () => {
  expect(sentenceOf('stock_low')).toBe('A-1 fell below its minimum at Primary Warehouse')
  expect(sentenceOf('stocks_low')).toBe('Stock fell below its minimum 2 times')
})

it('an event that another version recorded is told by its name', () => {
  expect(sentenceOf('shelf_life_noted')).toBe('Ada shelf life noted: A-1 at Primary Warehouse')
})
