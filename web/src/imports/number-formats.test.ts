import { expect, test } from 'vitest'
import { formatOf, numberText } from './number-formats.ts'

test.each([
  { code: '0000000000000', number: 40123, seen: '0000000040123' },
  { code: '000-00-0000', number: 123456789, seen: '123-45-6789' },
  { code: '000-00-0000', number: 6789, seen: '000-00-6789' },
  { code: '00-00', number: 123456, seen: '1234-56' },
  { code: '"SKU-"00000', number: 42, seen: 'SKU-00042' },
  { code: '\\A\\-0000\\-\\B', number: 7, seen: 'A-0007-B' },
  { code: '###-####', number: 5551234, seen: '555-1234' },
  { code: '0"/"0', number: 12, seen: '1/2' },
  { code: '[Red]0000', number: 7, seen: '0007' },
  { code: '0 00000 00000 0', number: 12345678905, seen: '012345678905' },
  { code: '000\\ 000', number: 123, seen: '000123' },
  { code: '00000000\\-0', number: 1234, seen: '00000123-4' },
  { code: '0000;-0000;"none"', number: 7, seen: '0007' },
])('a code that is seen as $seen is read as that', ({ code, number, seen }) => {
  expect(numberText(number, formatOf(164, code), 0)).toBe(seen)
})

test.each([
  { code: 'General', number: 5, read: '5' },
  { code: '#,##0', number: 12000, read: '12000' },
  { code: '# ##0', number: 12000, read: '12000' },
  { code: "#'##0", number: 12000, read: '12000' },
  { code: '0.00', number: 2.5, read: '2.5' },
  { code: '0" pcs"', number: 5, read: '5' },
  { code: '00" pcs"', number: 5, read: '05' },
  { code: '_-* #,##0_-', number: 5, read: '5' },
  { code: '[$€-407] #,##0.00', number: 5, read: '5' },
  { code: '0%', number: 0.5, read: '0.5' },
  { code: '+0;-0', number: 5, read: '5' },
  { code: '0000', number: -5, read: '-5' },
  { code: '0000', number: 2.5, read: '2.5' },
  { code: '@', number: 5, read: '5' },
  { code: '"Qty "0', number: 5, read: '5' },
  { code: '"x"0', number: 5, read: '5' },
  { code: '"EUR" 0', number: 5, read: '5' },
  { code: '0\\ 000', number: 12000, read: '12000' },
  { code: '#\\ 000', number: 12000, read: '12000' },
  { code: '#\\ ?/?', number: 12, read: '12' },
  { code: '# ???/???', number: 12, read: '12' },
  { code: '[>=1000]0\\-000;0', number: 5, read: '5' },
  { code: '[<=9999999]###\\-####;\\(###\\)\\ ###\\-####', number: 5551234567, read: '5551234567' },
])('an amount of format $code is read as $read', ({ code, number, read }) => {
  expect(numberText(number, formatOf(164, code), 0)).toBe(read)
})

test.each([
  { id: 14, code: undefined },
  { id: 164, code: 'yyyy-mm-dd' },
  { id: 164, code: 'dd/mm/yy;@' },
  { id: 164, code: '[$-409]d-mmm-yy' },
])('a day of format $code is read as a day', ({ id, code }) => {
  expect(numberText(46_000, formatOf(id, code), 0)).toBe('2025-12-09T00:00')
})
