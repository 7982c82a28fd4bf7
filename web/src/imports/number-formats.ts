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

/** Digits that stand together, and whether they are there also as zeros. */
function groupsOf(pieces: readonly Piece[]): ('always' | 'if any')[][] {
  const groups: ('always' | 'if any')[][] = [[]]
  for (const piece of pieces) {
    if ('digit' in piece) groups.at(-1)?.push(piece.digit)
    else groups.push([])
  }
  return groups.filter((group) => group.length > 0)
}

/** Whether digits are set in threes, and no number is filled up with zeros before the first three. */
function isInThousands([first = [], ...others]: ('always' | 'if any')[][]): boolean {
  return first.filter((digit) => digit === 'always').length < 2 && others.every(({ length }) => length === 3)
}

/**
 * The pieces of a format whose numbers are codes: they are filled up with zeros, or have signs in between, of which blanks and apostrophes
 * are none of the code. What is behind the digits with a blank is a unit.
 */
function codePieces(code: string): Piece[] | null {
  const pieces = condition.test(code) ? null : piecesOf(code)
  if (pieces === null) return null
  const first = pieces.findIndex((piece) => 'digit' in piece)
  const last = pieces.findLastIndex((piece) => 'digit' in piece)
  if (first === -1) return null
  const inner = pieces.slice(first, last + 1)
  const between = textOf(inner)
  if (!/[-/\p{L}\p{N}]/u.test(between) && isInThousands(groupsOf(inner))) return null
  const digits = inner.filter((piece) => 'digit' in piece || !/^[\s']+$/u.test(piece.text))
  const end = pieces.slice(last + 1)
  return [...pieces.slice(0, first), ...digits, ...(textOf(end).startsWith(' ') ? [] : end)]
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
