import { expect, it } from 'vitest'
import { isDueThisMonth } from './assignment-rules.ts'

it('people are asked to count by a day from the present one to the end of its month', () => {
  const days = ['2026-11-22', '2026-11-23', '2026-11-30', '2026-12-01', '2027-11-23']
  expect(days.filter((due) => isDueThisMonth(due, '2026-11-23'))).toEqual(['2026-11-23', '2026-11-30'])
  expect(days.filter((due) => isDueThisMonth(due, '2026-11-30'))).toEqual(['2026-11-30'])
})
