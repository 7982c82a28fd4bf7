import { expect, it } from 'vitest'
import { signed, signedMoney } from './signed.ts'

it.each([
  [3, '+3'],
  [-12, '−12'],
  [0, '0'],
  [1234, '+1,234'],
])('a difference of %i is written with its sign', (value, text) => {
  expect(signed(value)).toBe(text)
})

it.each([
  [-37.5, 'USD', '−$37.50'],
  [12, 'EUR', '+€12.00'],
  [-1234567.891, 'JPY', '−¥1,234,568'],
  [0, 'USD', '$0.00'],
])('a difference of %d %s is written %s', (value, currency, written) => {
  expect(signedMoney(value, currency)).toBe(written)
})

it.each([
  [-0.0036, 'USD', '−$0.0036'],
  [0.4, 'JPY', '+¥0.4'],
  [0.005, 'USD', '+$0.01'],
])('what would be nothing in whole cents is not: %d %s is written %s', (value, currency, written) => {
  expect(signedMoney(value, currency)).toBe(written)
})
