import { cleanLine, cutToFit, type MeasureText } from './fit-text.ts'
import { lettersOf } from './letters.ts'

/** Written without spaces: a line may end between any two of these. */
const han = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}'
/** What stays with the sign before it, and what with the one behind it. */
const closing = '、。，．：；！？）」』】〉》〕ぁぃぅぇぉっゃゅょァィゥェォッャュョー々'
const opening = '（「『【〈《〔'

/** The parts of a text behind each of which a line may end, whole words with the space behind them. */
const parts = new RegExp(
  `[${opening}]*(?:[${han}]|[^\\s${han}${opening}${closing}]+)[${closing}]*\\s*|[\\s${opening}${closing}]+`,
  'gu',
)

/** The parts of a text between which a line may end, and letters of what is wider than a line. */
function* partsOf(text: string, fits: (part: string) => boolean): Generator<string, void, undefined> {
  for (const [part] of text.matchAll(parts)) {
    if (fits(part.trimEnd())) yield part
    else yield* lettersOf(part)
  }
}

type Room = {
  /** Points. */
  width: number
  fontSize: number
  measure: MeasureText
  mostLines: number
}

/**
 * Breaks a text into lines that fit, between words where it can; '…' ends what has no room. None for an empty text. By rules of its own
 * and not by those of a platform, so that browsers and the server break it alike.
 */
export function wrapText(text: string, room: Room): string[] {
  const { width, fontSize, measure, mostLines } = room
  const fits = (part: string) => measure(part) <= width / fontSize
  const whole = cleanLine(text)
  if (whole === '') return []
  if (fits(whole)) return [whole]
  const lines: string[] = []
  let line = ''
  let rest = whole
  for (const part of partsOf(whole, fits)) {
    if (lines.length === mostLines - 1) break
    if (line === '' || fits((line + part).trimEnd())) {
      line += part
      continue
    }
    lines.push(line.trimEnd())
    rest = rest.slice(line.length)
    line = part
  }
  return [...lines, cutToFit(rest.trim(), room).text]
}
