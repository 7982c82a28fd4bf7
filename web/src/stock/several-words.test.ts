import { expect, it } from 'vitest'
import { bareWords, doubtfulWords } from './several-words.ts'

const lines = (...texts: string[]) => texts.map((text) => ({ text, cells: [] }))

it('lines that are not whole are told with what they should be', () => {
  expect(bareWords([], { form: 'bin' })).toBeUndefined()
  expect(bareWords(lines('A-1'), { form: 'bin' })).toBe(
    '"A-1" is not a barcode and a bin of up to 40 characters.',
  )
  expect(bareWords(lines('A-1', 'A-2;x'), { form: 'minimum' })).toBe(
    '2 lines are not a barcode and a whole number from 0 to 2,147,483,647, the first is "A-1".',
  )
  expect(bareWords(lines('A-1'), { form: 'barcodes' })).toBe('One line has no other barcode.')
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
