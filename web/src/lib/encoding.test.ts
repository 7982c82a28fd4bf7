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
  expect(await encodingOf(file, 'de-DE')).toBe(encoding)
  expect(await readText(file, { chosen: null, language: 'de-DE' })).toMatchObject({ text })
})

it('a file that ends in the middle of a letter is no UTF-8', async () => {
  expect(await encodingOf(new Blob([new Uint8Array([0x41, 0xc3])]), 'en-US')).toBe('windows-1252')
})

it('a file of nothing is UTF-8', async () => {
  expect(await encodingOf(new Blob([]), 'en-US')).toBe('utf-8')
})

it.each([
  { language: 'pl', bytes: [0xb9, 0xea, 0xb3], read: 'ąęł' },
  { language: 'cs-CZ', bytes: [0xec, 0x9a, 0xf8], read: 'ěšř' },
  { language: 'ru-RU', bytes: [0xc3, 0xe0, 0xe9, 0xea, 0xe0], read: 'Гайка' },
  { language: 'uk', bytes: [0xc3, 0xe0, 0xe9, 0xea, 0xe0], read: 'Гайка' },
  { language: 'el', bytes: [0xc2, 0xdf, 0xe4, 0xe1], read: 'Βίδα' },
  { language: 'tr-TR', bytes: [0xde, 0xfd, 0xf0], read: 'Şığ' },
  { language: 'ja', bytes: [0x83, 0x7b, 0x83, 0x8b, 0x83, 0x67], read: 'ボルト' },
  { language: 'zh-CN', bytes: [0xc2, 0xdd, 0xb6, 0xa4], read: '螺钉' },
  { language: 'zh-TW', bytes: [0xc1, 0xb3, 0xb5, 0xb7], read: '螺絲' },
  { language: 'ko-KR', bytes: [0xba, 0xbc, 0xc6, 0xae], read: '볼트' },
  { language: 'fr-FR', bytes: [0xe9, 0x63, 0x72, 0x6f, 0x75], read: 'écrou' },
])('a file of a system in $language is read in its code page', async ({ language, bytes, read }) => {
  const file = new Blob([new Uint8Array(bytes)])
  expect(await readText(file, { chosen: null, language })).toMatchObject({ text: read })
})

it('a file is read as somebody chooses, and one that tells by itself leaves nothing to choose', async () => {
  const cut = new Blob([new Uint8Array([...Buffer.from('Schlüssel '), 0xc3])])
  expect(await readText(cut, { chosen: null, language: 'en' })).toEqual({
    text: 'SchlÃ¼ssel Ã',
    choice: 'windows-1252',
  })
  expect(await readText(cut, { chosen: 'utf-8', language: 'en' })).toEqual({
    text: 'Schlüssel \uFFFD',
    choice: 'utf-8',
  })
  expect(await readText(new Blob(['Größe']), { chosen: null, language: 'en' })).toEqual({
    text: 'Größe',
    choice: null,
  })
})
