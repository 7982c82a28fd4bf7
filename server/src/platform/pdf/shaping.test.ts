import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { create } from 'fontkit'
import { expect, it, vi } from 'vitest'
import { createShaper } from './shaping.ts'

const file = fileURLToPath(new URL('../../../assets/fonts/DejaVuSans.ttf', import.meta.url))

it('keeps words for the next label, and none that are longer than a word is, which would fill the memory', async () => {
  const font = create(await readFile(file))
  const layout = vi.spyOn(font, 'layout')
  const shape = createShaper()
  const signsOf = (text: string) => Array.from(text, (sign) => ({ font, glyph: 0, advance: 0, text: sign }))
  for (const letters of [40, 40, 41, 41])
    expect(shape(signsOf('\u0628'.repeat(letters)))).toHaveLength(letters)
  expect(layout.mock.calls.map(([text]) => text.length)).toEqual([40, 41, 41])
})
