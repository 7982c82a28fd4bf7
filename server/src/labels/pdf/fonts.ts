import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Font } from 'fontkit'
import { createShaper, type Sign } from './shaping.ts'
import { visualRuns, type Run } from './visual-order.ts'

/** Files of the fonts folder; a character is set in the first font that has it. */
const fontFiles = ['NotoSans-Regular.ttf', 'DejaVuSans.ttf']

/** Stands for a character that no font has: an empty box, drawn by DejaVu Sans. */
const missingCharacter = 0x25a1

export interface LabelFonts {
  /** The signs of a line of text from left to right. */
  signs: (text: string) => Sign[]
  /** Width in points at a font size of 1 point. */
  measure: (text: string) => number
}

/**
 * Opens the fonts in a folder; keep the result for all PDFs of the process.
 * fontkit is imported here and not before, as that alone takes about 0.3 s.
 */
export async function loadFonts(folder: string): Promise<LabelFonts> {
  const { create } = await import('fontkit')
  const files = await Promise.all(fontFiles.map((file) => readFile(join(folder, file))))
  return chainFonts(files.map((file) => create(file)))
}

function chainFonts(fonts: readonly Font[]): LabelFonts {
  const missing = findSign(fonts, String.fromCodePoint(missingCharacter))
  if (missing === null) throw new Error('No label font has the box that stands for missing characters.')
  const known = new Map<string, Sign>()

  const sign = (character: string): Sign => {
    const seen = known.get(character)
    if (seen !== undefined) return seen
    const found = findSign(fonts, character)
    // Only what the fonts have is kept, so that no text can make the map grow without end.
    if (found !== null) known.set(character, found)
    return found ?? missing
  }
  const shape = createShaper()
  const draw = (run: Run): Sign[] => {
    const signs = Array.from(run.text, sign)
    return run.rightToLeft ? shape(signs) : signs
  }
  const width = (run: Run): number => {
    if (run.rightToLeft) return draw(run).reduce((sum, { advance }) => sum + advance, 0)
    let sum = 0
    for (const character of run.text) sum += sign(character).advance
    return sum
  }
  return {
    signs: (text) => visualRuns(text).flatMap(draw),
    measure: (text) => visualRuns(text).reduce((sum, run) => sum + width(run), 0),
  }
}

function findSign(fonts: readonly Font[], text: string): Sign | null {
  const codePoint = text.codePointAt(0) ?? missingCharacter
  const font = fonts.find((candidate) => candidate.hasGlyphForCodePoint(codePoint))
  if (font === undefined) return null
  const glyph = font.glyphForCodePoint(codePoint)
  return { font, glyph: glyph.id, advance: glyph.advanceWidth / font.unitsPerEm, text }
}
