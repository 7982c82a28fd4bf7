import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Font } from 'fontkit'
import { createShaper, type Sign } from './shaping.ts'
import { visualRuns, type Run } from './visual-order.ts'

/** Files of the fonts folder that every PDF may need. */
const baseFiles = ['NotoSans-Regular.ttf', 'DejaVuSans.ttf']

/** Signs of Chinese and Japanese that are of no one script, or written out in Han and kana (`cleanLine`). */
const shared =
  '\\u3000-\\u303F\\u3099-\\u309C\\u30A0\\u30FB\\u30FC\\u3220-\\u33FF\\uFE30-\\uFE6F\\uFF00-\\uFFEF'

/**
 * Files that are opened with the first text that needs them, in the order in which they are asked for a character.
 * Each is needed by all that it alone has, so that a text looks the same whatever was printed before.
 */
const extraFiles = [
  {
    file: 'NotoSansSC-Regular.ttf',
    needed: new RegExp(`[\\p{Script=Han}\\p{Script=Bopomofo}${shared}]`, 'u'),
  },
  {
    file: 'NotoSansJP-Regular.ttf',
    needed: new RegExp(`[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}${shared}]`, 'u'),
  },
  { file: 'NotoSansKR-Regular.ttf', needed: /\p{Script=Hangul}/u },
  {
    file: 'NotoEmoji-Regular.ttf',
    needed: /[\p{Extended_Pictographic}\p{Regional_Indicator}\p{Emoji_Modifier}\u20E3]/u,
  },
] as const

type ExtraFile = (typeof extraFiles)[number]['file']

/** With kana a line is Japanese, and its Han characters get Japanese forms. */
const kana = /[\p{Script=Hiragana}\p{Script=Katakana}]/u

/** Stands for a character that no font has: an empty box, drawn by DejaVu Sans. */
const missingCharacter = 0x25a1

export interface PdfFonts {
  /** The signs of a line of text from left to right. */
  signs: (text: string) => Sign[]
  /** Width in points at a font size of 1 point. */
  measure: (text: string) => number
  /** Opens what the texts need; until then characters of other fonts than the first are boxes. */
  prepare: (texts: Iterable<string>) => Promise<void>
}

/**
 * Opens the fonts in a folder; keep the result for all PDFs of the process.
 * fontkit is imported here and not before, as that alone takes about 0.3 s.
 */
export async function loadFonts(folder: string): Promise<PdfFonts> {
  const { create } = await import('fontkit')
  const open = async (file: string): Promise<Font> => create(await readFile(join(folder, file)))
  const base = await Promise.all(baseFiles.map(open))
  const extras = new Map<ExtraFile, Promise<Font>>()
  const opened = new Map<ExtraFile, Font>()
  const finder = createFinder(base, opened)

  async function openExtra(file: ExtraFile): Promise<void> {
    const loading = extras.get(file) ?? open(file)
    extras.set(file, loading)
    try {
      opened.set(file, await loading)
    } catch (error) {
      // Read anew for the next who needs it.
      extras.delete(file)
      throw error
    }
  }

  return {
    ...chainFonts(finder.find),
    async prepare(texts) {
      const wanted = new Set<ExtraFile>()
      for (const text of texts) {
        for (const { file, needed } of extraFiles)
          if (!wanted.has(file) && needed.test(text)) wanted.add(file)
      }
      const fresh = [...wanted].filter((file) => !opened.has(file))
      if (fresh.length === 0) return
      await Promise.all(fresh.map(openExtra))
      finder.forget()
    },
  }
}

/** The fonts of a folder, opened when they are first asked for. */
export function createFonts(folder: string): () => Promise<PdfFonts> {
  let loading: Promise<PdfFonts> | undefined
  return async () => {
    try {
      return await (loading ??= loadFonts(folder))
    } catch (error) {
      loading = undefined
      throw error
    }
  }
}

type FindSign = (character: string, isJapanese: boolean) => Sign

/** Characters that no font has and that are remembered, so that no text can make that set grow without end. */
const mostMissed = 10_000

/** Finds the sign of a character in the first font that has it. What was found is kept until more fonts are there. */
function createFinder(
  base: readonly Font[],
  opened: ReadonlyMap<ExtraFile, Font>,
): { find: FindSign; forget: () => void } {
  const missing = findSign(base, String.fromCodePoint(missingCharacter))
  if (missing === null) throw new Error('No font has the box that stands for missing characters.')
  const known = { any: new Map<string, Sign>(), japanese: new Map<string, Sign>() }
  // One for both orders: they ask the same fonts.
  const missed = new Set<string>()

  const chain = (isJapanese: boolean): Font[] => {
    const order = extraFiles.map(({ file }) => file)
    if (isJapanese) order.unshift('NotoSansJP-Regular.ttf')
    return [...base, ...order.flatMap((file) => opened.get(file) ?? [])]
  }
  return {
    find(character, isJapanese) {
      const kept = isJapanese ? known.japanese : known.any
      const seen = kept.get(character)
      if (seen !== undefined) return seen
      if (missed.has(character)) return missing
      const found = findSign(chain(isJapanese), character)
      if (found !== null) {
        kept.set(character, found)
        return found
      }
      if (missed.size >= mostMissed) missed.clear()
      missed.add(character)
      return missing
    },
    forget() {
      missed.clear()
      known.any.clear()
      known.japanese.clear()
    },
  }
}

function chainFonts(find: FindSign): Pick<PdfFonts, 'signs' | 'measure'> {
  const shape = createShaper()
  const draw = (run: Run, isJapanese: boolean): Sign[] => {
    const signs = Array.from(run.text, (character) => find(character, isJapanese))
    return run.rightToLeft ? shape(signs) : signs
  }
  const width = (run: Run, isJapanese: boolean): number => {
    if (run.rightToLeft) return draw(run, isJapanese).reduce((sum, { advance }) => sum + advance, 0)
    let sum = 0
    for (const character of run.text) sum += find(character, isJapanese).advance
    return sum
  }
  return {
    signs: (text) => {
      const isJapanese = kana.test(text)
      return visualRuns(text).flatMap((run) => draw(run, isJapanese))
    },
    measure: (text) => {
      const isJapanese = kana.test(text)
      return visualRuns(text).reduce((sum, run) => sum + width(run, isJapanese), 0)
    },
  }
}

function findSign(fonts: readonly Font[], text: string): Sign | null {
  const codePoint = text.codePointAt(0) ?? missingCharacter
  const font = fonts.find((candidate) => candidate.hasGlyphForCodePoint(codePoint))
  if (font === undefined) return null
  const glyph = font.glyphForCodePoint(codePoint)
  return { font, glyph: glyph.id, advance: glyph.advanceWidth / font.unitsPerEm, text }
}
