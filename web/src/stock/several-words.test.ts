import { expect, it } from 'vitest'
import { readLines } from './several-lines.ts'
import { bareWords, doubtfulWords, packWords, questionAbout, readAsWords } from './several-words.ts'

const lines = (...texts: string[]) => texts.map((text) => ({ text, cells: [] }))

it('lines that are not whole are told with what they should be', () => {
  expect(bareWords([], { form: 'bin' })).toBeUndefined()
  expect(bareWords(lines('A-1'), { form: 'bin' })).toBe(
    '"A-1" is not a barcode and a bin of up to 40 characters.',
  )
  expect(bareWords(lines('A-1', 'A-2;x'), { form: 'minimum' })).toBe(
    '2 lines are not a barcode and a whole number from 0 to 2,147,483,647, the first is "A-1".',
  )
  expect(bareWords(lines('A-1'), { form: 'cost' })).toBe(
    '"A-1" is not a barcode and an amount from 0 to 9,999,999.9999, or none.',
  )
  expect(bareWords(lines('A-1'), { form: 'barcodes' })).toBe('One line has no other barcode.')
  const others = readLines('A-1;4012345 x0\nA-2;CASE-2 x10001', 'barcodes')
  expect(bareWords(others, { form: 'barcodes' })).toBe(
    '2 lines are not a barcode and other ones of 1 to 10,000 pieces, the first is "A-1;4012345 x0".',
  )
})

it('what may be a scanned code is asked about by what stands in its place', () => {
  expect(doubtfulWords([], { form: 'minimum' })).toBeNull()
  expect(doubtfulWords(lines('A-1;40123455'), { form: 'minimum' })).toBe(
    '"A-1;40123455" may have a scanned code in place of its minimum. If it is the minimum, press the button once more.',
  )
  expect(doubtfulWords(lines('A-1;A-2', 'A-2;A-1'), { form: 'bin' })).toBe(
    '2 lines may have a scanned code in place of their bin, the first is "A-1;A-2". If these are the bins, press the button once more.',
  )
})

it('how costs are read that may be thousands as well as decimals is said and asked', () => {
  const asked = (text: string) => questionAbout(readLines(text, 'cost'), { form: 'cost' })
  expect(asked('A-1;1.234')).toBe(
    '"A-1;1.234" is read as 1.234, not as 1,234.00. If that is right, press the button once more.',
  )
  expect(asked('A-1;1,234\nA-2;5')).toBe(
    '"A-1;1,234" is read as 1,234.00, not as 1.234. If that is right, press the button once more.',
  )
  expect(asked('A-1;1.234\nA-2;2.500')).toBe(
    '2 costs may be thousands or decimals: the first, "A-1;1.234", is read as 1.234, not as 1,234.00. If that is right, press the button once more.',
  )
  expect(asked('A-1;1.234\nA-2;4012345')).toBe(
    '"A-2;4012345" may have a scanned code in place of its cost. If it is the cost, press the button once more.',
  )
  expect(asked('A-1;1.234\nA-2;0.5')).toBeNull()
})

it('one cost with a comma does not decide unasked how those are read that may be thousands', () => {
  const asked = (text: string) => questionAbout(readLines(text, 'cost'), { form: 'cost' })
  expect(asked('A-COST;1.234\nBIG-1;2,5')).toBe(
    '"A-COST;1.234" is read as 1,234.00 because of "BIG-1;2,5", not as 1.234. If that is right, press the button once more.',
  )
  expect(asked('A-1;1.234\nA-2;2,5\nA-3;0.5\nA-4;3.75\nA-5;2.500')).toBe(
    '2 costs may be thousands or decimals: the first, "A-1;1.234", is read as 1.234 because of "A-3;0.5", not as 1,234.00. If that is right, press the button once more.',
  )
  expect(asked('A-1;12.34\nA-2;2,5')).toBeNull()
})

it('how costs that may be thousands were read is told after', () => {
  const told = (text: string) => readAsWords(readLines(text, 'cost'), ',')
  expect(told('A-1;1.234\nA-2;2,5\nA-3;2.500\nA-4;3,125')).toBe(
    '3 costs such as 1.234 were read as 1,234.00.',
  )
  expect(told('A-1;1,234\nA-2;2,5')).toBe('1,234 was read as 1.234.')
  expect(told('A-1;12,5')).toBeNull()
})

it('numbers of which either may be the barcode are asked about', () => {
  const asked = (text: string) => questionAbout(readLines(text, 'amount'), { form: 'amount' })
  expect(asked('P-1\n12')).toBeNull()
  expect(asked('1001\n12')).toBe(
    '1001 is taken for a barcode and 12, below it, for its amount. If that is right, press the button once more.',
  )
  expect(asked('1001\n12\n1002\n5')).toBe(
    '2 lines are taken together with the one below: the first, 1001 is taken for a barcode and 12, below it, for its amount. If that is right, press the button once more.',
  )
})

it('an amount behind the barcode of a pack is asked about, since it is pieces', () => {
  const asked = (...texts: string[]) =>
    packWords(
      readLines(texts.join('\n'), 'amount').map((line) => ({ line, pack: { barcode: 'CASE', pieces: 12 } })),
    )
  expect(asked()).toBeNull()
  expect(asked('CASE;3')).toBe(
    'CASE is a pack of 12: 3 is taken as 3 pieces, not as packs. Write packs as 3 x12. If pieces are right, press the button once more.',
  )
  expect(asked('CASE;1', 'CASE;2')).toBe(
    '2 lines are of packs. The first, CASE is a pack of 12: 1 is taken as 1 piece, not as packs. Write packs as 1 x12. If pieces are right, press the button once more.',
  )
})
