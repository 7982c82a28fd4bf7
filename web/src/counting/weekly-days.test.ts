import { expect, it } from 'vitest'
import { weeklyDays } from './weekly-days.ts'

it('the days of a SKU are said in the order of the week, location by location', () => {
  const config = { Friday: ['PRIMARY'], Monday: ['SECONDARY', 'PRIMARY'] }
  expect(weeklyDays(config)).toBe('Monday, Friday at Primary Warehouse; Monday at Secondary Warehouse')
})

it('nothing is said of a SKU that is counted on no day', () => {
  expect(weeklyDays({ Monday: [] })).toBe('')
  expect(weeklyDays(null)).toBe('')
})
