import { cleanLine } from '@inventory-manager/contract/labels/fit-text'
import type { PdfFonts } from './fonts.ts'

const words = new Intl.Segmenter('en', { granularity: 'word' })
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** The parts of a text between which a line may end: words, and letters of what is wider than a line. */
function* partsOf(text: string, fits: (part: string) => boolean): Generator<string, void, undefined> {
  for (const { segment } of words.segment(text)) {
    if (fits(segment)) yield segment
    else for (const letter of graphemes.segment(segment)) yield letter.segment
  }
}

type Room = { width: number; fontSize: number; measure: PdfFonts['measure']; mostLines: number }

/** Breaks a text into lines that fit, between words where it can; '…' ends what has no room. None for an empty text. */
export function wrapText(text: string, { width, fontSize, measure, mostLines }: Room): string[] {
  const widest = width / fontSize
  const whole = cleanLine(text)
  if (whole === '') return []
  if (measure(whole) <= widest) return [whole]
  const lines: string[] = []
  let line = ''
  for (const part of partsOf(whole, (word) => measure(word) <= widest)) {
    if (line === '' || measure((line + part).trimEnd()) <= widest) {
      line += line === '' ? part.trimStart() : part
      continue
    }
    if (lines.length === mostLines - 1) return [...lines, `${line.trimEnd().slice(0, -1)}…`]
    lines.push(line.trimEnd())
    line = part.trimStart()
  }
  return [...lines, line.trimEnd()]
}
