/** What a piece of a format stands for: a digit, one that is there also as a zero, or itself. */
type Piece = { digit: 'always' | 'if any' } | { text: string }

/** What a number of a cell means by its format; a code is seen with its zeros and signs. */
export type NumberFormat = { kind: 'plain' } | { kind: 'date' } | { kind: 'code'; pieces: readonly Piece[] }

/** The formats of dates and times that every spreadsheet has (ECMA-376, 18.8.30), by their first and last number. */
const dateFormats: readonly [number, number][] = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
  [71, 81],
]

/** A piece of a format (ECMA-376, 18.8.31): in quotes, in brackets, behind a sign that gives it a meaning, or a single sign. */
const pieceOf = /"([^"]*)"|\[[^\]]*\]|\\(.)|[_*].|./gsu

/** The pieces for numbers from 0 up; null where the format has more than digits and what stands beside them, such as a fraction. */
function piecesOf(code: string): Piece[] | null {
  const pieces: Piece[] = []
  for (const [sign, quoted, escaped] of code.matchAll(pieceOf)) {
    const literal = quoted ?? escaped
    if (literal !== undefined) pieces.push({ text: literal })
    else if (sign === ';') break
    else if (sign === '0') pieces.push({ digit: 'always' })
    else if (sign === '#' || sign === '?') pieces.push({ digit: 'if any' })
    else if (/^[-+():!^&'~{}<>= ]$/.test(sign)) pieces.push({ text: sign })
    else if (sign.length === 1) return null
  }
  return pieces
}

/** Which section of a format a number takes by a condition of its own. */
const condition = /\[[<>=]/

const textOf = (pieces: readonly Piece[]) =>
  pieces.map((piece) => ('text' in piece ? piece.text : '')).join('')

/** With how many zeros a number is filled up before its first other sign. */
function leadingZeros(pieces: readonly Piece[]): number {
  const end = pieces.findIndex((piece) => 'text' in piece)
  const first = end === -1 ? pieces : pieces.slice(0, end)
  return first.filter((piece) => 'digit' in piece && piece.digit === 'always').length
}

/**
 * The pieces of a format whose numbers are codes: they begin with zeros, or have signs in between. A blank or an apostrophe that
 * is all between digits separates thousands, and what is behind them with a blank is a unit.
 */
function codePieces(code: string): Piece[] | null {
  const pieces = condition.test(code) ? null : piecesOf(code)
  if (pieces === null) return null
  const first = pieces.findIndex((piece) => 'digit' in piece)
  const last = pieces.findLastIndex((piece) => 'digit' in piece)
  if (first === -1) return null
  const isCode =
    leadingZeros(pieces.slice(first)) > 1 || /[-/\p{L}\p{N}]/u.test(textOf(pieces.slice(first, last)))
  if (!isCode) return null
  return textOf(pieces.slice(last)).startsWith(' ') ? pieces.slice(0, last + 1) : pieces
}

/** What numbers of a format are, by its number and, where the workbook has it itself, its code. */
export function formatOf(id: number, code: string | undefined): NumberFormat {
  if (code === undefined) {
    return { kind: dateFormats.some(([first, last]) => id >= first && id <= last) ? 'date' : 'plain' }
  }
  const pieces = codePieces(code)
  if (pieces !== null) return { kind: 'code', pieces }
  // What is in quotes, brackets or behind a sign is no part of the number.
  const [positive = ''] = code.replaceAll(/"[^"]*"|\[[^\]]*\]|[\\_*]./g, '').split(';')
  return { kind: /[dmyhs]/i.test(positive) && !/general/i.test(positive) ? 'date' : 'plain' }
}

/** Digits as they are seen: filled in from the right, with those that are too many before the first. */
function codeText(digits: string, pieces: readonly Piece[]): string {
  let left = digits
  let places = pieces.filter((piece) => 'digit' in piece).length
  let text = ''
  for (const piece of pieces.toReversed()) {
    if ('text' in piece) {
      text = piece.text + text
      continue
    }
    places -= 1
    const taken = places === 0 ? left : left.slice(-1)
    left = left.slice(0, left.length - taken.length)
    text = (taken === '' && piece.digit === 'always' ? '0' : taken) + text
  }
  return text.trim()
}

/** 1970-01-01 as spreadsheets number days. */
const dayOf1970 = 25_569
const lastDay = 2_958_465

/** The digits that spreadsheets keep of a number. */
const digitsKept = 15

/**
 * A number as it is seen in the spreadsheet, whose first day comes so many after that of Excel for Windows; one whose last digits
 * are lost in scientific notation, which no barcode may have.
 */
export function numberText(number: number, format: NumberFormat, firstDay: number): string {
  if (format.kind === 'date' && number >= 0 && number <= lastDay) {
    const days = number + firstDay - dayOf1970
    return new Date(Math.round(days * 86_400) * 1000).toISOString().slice(0, 16)
  }
  if (Math.abs(number) >= 10 ** digitsKept) return number.toExponential()
  // What was calculated may be off in the last place: 2.9999999999999996 is seen as 3.
  const text = String(Number(number.toPrecision(digitsKept)))
  return format.kind === 'code' && /^\d+$/.test(text) ? codeText(text, format.pieces) : text
}
