import { expect, test } from 'vitest'
import { createLabelCounter } from './made-labels.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

test('the labels made are read from the comments of a PDF and of ZPL', () => {
  const count = createLabelCounter()
  expect(count(bytes('%PDF-1.7\n'))).toBe(0)
  expect(count(bytes('1 0 obj\nendobj\n%Labels: 120\n2 0 obj'))).toBe(120)
  expect(count(bytes('^XA^FXLabels: 4120^FS\n^XZ'))).toBe(4120)
})

test('a comment that comes in two pieces is read once it is whole', () => {
  const count = createLabelCounter()
  expect(count(bytes('endobj\n%Labe'))).toBe(0)
  expect(count(bytes('ls: 12'))).toBe(0)
  expect(count(bytes('34\nendobj'))).toBe(1234)
  expect(count(bytes('x'.repeat(100)))).toBe(1234)
})
