import { expect, it } from 'vitest'
import { encodingOf, readText } from './encoding.ts'

const text = 'A-1,Schlüssel Größe 10\r\n'
const windows = Buffer.from(text, 'latin1')
const utf16 = Buffer.from(`\uFEFF${text}`, 'utf16le')

it.each([
  ['UTF-8', Buffer.from(text), 'utf-8'],
  ['UTF-8 with its mark', Buffer.from(`\uFEFF${text}`), 'utf-8'],
  ['Windows-1252', windows, 'windows-1252'],
  ['UTF-16', utf16, 'utf-16le'],
  ['UTF-16, the other way round', Buffer.from(utf16).swap16(), 'utf-16be'],
])('text saved as %s is read with every letter', async (_, bytes, encoding) => {
  const file = new Blob([new Uint8Array(bytes)])
  expect(await encodingOf(file)).toBe(encoding)
  expect(await readText(file)).toBe(text)
})

it('a file that ends in the middle of a letter is no UTF-8', async () => {
  expect(await encodingOf(new Blob([new Uint8Array([0x41, 0xc3])]))).toBe('windows-1252')
})

it('a file of nothing is UTF-8', async () => {
  expect(await encodingOf(new Blob([]))).toBe('utf-8')
})
