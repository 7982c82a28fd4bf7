import type { Font } from 'fontkit'

/** One glyph, and the text it stands for: a character, or several that are joined. */
export interface Sign {
  font: Font
  glyph: number
  /** Width in points at a font size of 1 point. */
  advance: number
  text: string
}

/** Shaping takes some 0.1 ms a word, and words come again within a label and from label to label. */
const mostKnownWords = 10_000
/** Longer than words are: signs take some 100 bytes each, and a description may be one word of 500 letters. */
const longestKnownWord = 40

/**
 * Gives a function that turns the signs of right-to-left text, in reading order, into those drawn from left to
 * right, with Arabic letters joined. Marks stay where the font draws them by default.
 */
export function createShaper(): (signs: readonly Sign[]) => Sign[] {
  const known = new Map<string, Sign[]>()
  return (signs) =>
    wordsOf(signs)
      .reverse()
      .flatMap(({ font, text }) => {
        const shaped = known.get(text) ?? shapeWord(font, text)
        if (known.size === mostKnownWords) known.clear()
        if (text.length <= longestKnownWord) known.set(text, shaped)
        return shaped
      })
}

/** Signs next to one another in the same font. The first font has the space, so these are words or less. */
function wordsOf(signs: readonly Sign[]): { font: Font; text: string }[] {
  const words: { font: Font; text: string }[] = []
  for (const { font, text } of signs) {
    const last = words.at(-1)
    if (last?.font === font) last.text += text
    else words.push({ font, text })
  }
  return words
}

function shapeWord(font: Font, text: string): Sign[] {
  // A PDF font has one width for each glyph, so letters cannot move together in pairs.
  const { glyphs, positions } = font.layout(text, { kern: false }, undefined, undefined, 'rtl')
  return glyphs.map(({ id, codePoints, advanceWidth }, place) => ({
    font,
    glyph: id,
    advance: (positions[place]?.xAdvance ?? advanceWidth) / font.unitsPerEm,
    text: String.fromCodePoint(...codePoints),
  }))
}
