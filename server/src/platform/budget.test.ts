import { expect, it } from 'vitest'
import { createBudget } from './budget.ts'

it('one holds no more than its part, all together no more than all, and what is given back can be had again', () => {
  const take = createBudget({ inAll: 100, ofOne: 60 })
  const first = take('ada', 40)
  expect(take('ada', 21)).toBe(null)
  expect(take('ada', 20)).not.toBe(null)
  expect(take('bea', 41)).toBe(null)
  expect(take('bea', 40)).not.toBe(null)
  // Given back twice, it is given back once.
  first?.()
  first?.()
  expect(take('bea', 30)).toBe(null)
  expect(take('ada', 40)).not.toBe(null)
})

it('what is larger than all of it is taken alone', () => {
  const take = createBudget({ inAll: 100, ofOne: 60 })
  const large = take('ada', 1_000)
  expect(large).not.toBe(null)
  expect(take('bea', 1)).toBe(null)
  large?.()
  expect(take('bea', 1)).not.toBe(null)
})
