/** What this folder uses of fontkit 2.0.4, which ships no types. */
declare module 'fontkit' {
  export interface Glyph {
    id: number
    advanceWidth: number
    codePoints: number[]
  }

  export interface Subset {
    /** Takes a glyph in and gives its number in the subset. */
    includeGlyph(glyph: number): number
    /** The TrueType file of the glyphs taken in, with those they are composed of. */
    encode(): Uint8Array
  }

  /** Lengths are in font units, of which `unitsPerEm` make the font size. */
  export interface Font {
    postscriptName: string
    unitsPerEm: number
    ascent: number
    descent: number
    /** Fonts with an old OS/2 table, such as DejaVu, do not tell it. */
    capHeight: number | undefined
    bbox: { minX: number; minY: number; maxX: number; maxY: number }
    hasGlyphForCodePoint(codePoint: number): boolean
    glyphForCodePoint(codePoint: number): Glyph
    createSubset(): Subset
    /** Joins and orders the glyphs of a text of one script, first left. */
    layout(
      text: string,
      features: { kern: boolean },
      script: undefined,
      language: undefined,
      direction: 'rtl',
    ): { glyphs: Glyph[]; positions: { xAdvance: number }[] }
  }

  export function create(file: Uint8Array): Font
}
