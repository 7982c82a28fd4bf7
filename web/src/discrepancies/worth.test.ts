import { expect, it } from 'vitest'
import { sampleDifference } from './sample-difference.ts'
import { worthOf, worthOfAll } from './worth.ts'

const worth = (value: number | null) =>
  sampleDifference({ value, ...(value === null ? {} : { unit_cost: 1 }) })

it('a difference is worth something where its cost is said, and it has not gone away', () => {
  expect(worthOf(worth(-37.5), 'USD')).toBe('−$37.50')
  expect(worthOf(worth(0), 'USD')).toBe('$0.00')
  expect(worthOf(worth(null), 'USD')).toBe(null)
  expect(worthOf({ ...worth(0), difference: 0 }, 'USD')).toBe(null)
  expect(worthOf(worth(-37.5), null)).toBe(null)
})

it('what several are worth is not netted, and says of how many it is not known', () => {
  const items = [worth(-37.5), worth(12), worth(-0.1), worth(-0.2), worth(null), worth(0)]
  expect(worthOfAll(items, 'USD')).toEqual({ amounts: ['−$37.80', '+$12.00'], unknown: 1 })
  expect(worthOfAll([worth(5), worth(5)], 'USD')).toEqual({ amounts: ['+$10.00'], unknown: 0 })
  expect(worthOfAll([worth(0), worth(null)], 'USD')).toEqual({ amounts: ['$0.00'], unknown: 1 })
})

it('nothing is said where no cost is', () => {
  expect(worthOfAll([worth(null), worth(null)], 'USD')).toBe(null)
  expect(worthOfAll([worth(-3)], null)).toBe(null)
})
