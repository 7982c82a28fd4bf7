import { fileURLToPath } from 'node:url'
import { cleanLine } from '@inventory-manager/contract/labels/fit-text'
import { charactersWithoutFont } from '@inventory-manager/contract/labels/label-letters'
import { expect, test } from 'vitest'
import { loadFonts } from '../platform/pdf/fonts.ts'

const lastCharacter = 0x3ffff
const isWritten = /^[\p{L}\p{M}\p{N}]$/u

test('whatever is told to have no letters is a box in all fonts of the labels, and most letters that have none are told', async () => {
  const fonts = await loadFonts(fileURLToPath(new URL('../../assets/fonts', import.meta.url)))
  await fonts.prepare(['汉 かな 한 🔩'])
  const letters = Array.from({ length: lastCharacter }, (_, code) => String.fromCodePoint(code)).filter(
    (letter) => isWritten.test(letter) && cleanLine(letter) === letter,
  )
  const isBox = (letter: string) => fonts.signs(letter)[0]?.text === '□'
  const told = new Set(charactersWithoutFont(letters))
  expect([...told].filter((letter) => !isBox(letter))).toEqual([])
  const untold = letters.filter((letter) => !told.has(letter) && isBox(letter))
  // Rare ones of Han, Arabic and Hangul, and signs of no script.
  expect(untold.length).toBeLessThan(0.2 * told.size)
  for (const script of ['Thai', 'Khmer', 'Tamil', 'Bengali', 'Myanmar', 'Ethiopic'])
    expect(untold.some((letter) => new RegExp(`\\p{Script=${script}}`, 'u').test(letter))).toBe(false)
}, 60_000)
