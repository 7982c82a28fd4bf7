/** What a number of a cell means by its format. */
export type NumberFormat = { kind: 'plain' } | { kind: 'date' } | { kind: 'padded'; digits: number }

/** What the cells of a workbook refer to. */
export type Workbook = {
  strings: readonly string[]
  /** By the number of a cell's style. */
  formats: readonly NumberFormat[]
  /** The day that dates are counted from, in days from that of Excel for Windows. */
  firstDay: number
}

const entities: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }
const lastCodePoint = 0x10ffff

/** What a reference of XML stands for, by what is between its signs. */
function referenceMeaning(whole: string, name: string): string {
  if (!name.startsWith('#')) return entities[name] ?? whole
  const code = Number(name.replace('#', '').replace(/^x/i, '0x'))
  return code <= lastCodePoint ? String.fromCodePoint(code) : whole
}

/** Text of XML as it is meant, with what spreadsheets escape because XML cannot hold it (ECMA-376, 22.9.2.19). */
function meaningOf(xml: string): string {
  return xml
    .replaceAll(/&(#x[\da-f]+|#\d+|\w+);/gi, referenceMeaning)
    .replaceAll(/_x([\da-f]{4})_/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}

/** Reads an attribute of elements; undefined where one has none. */
export function attribute(name: string): (attributes: string) => string | undefined {
  const pattern = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`)
  return (attributes) => {
    const found = pattern.exec(attributes)
    return found === null ? undefined : meaningOf(found[1] ?? found[2] ?? '')
  }
}

/** Finds the elements of a name, with their attributes and what is in them; those that hold one of their own name are not told apart. */
export function elements(name: string): RegExp {
  return new RegExp(`<(?:\\w+:)?${name}(\\s[^>]*?)?(?:/>|>([^]*?)</(?:\\w+:)?${name}\\s*>)`, 'g')
}

const phonetic = elements('rPh')
const texts = elements('t')

/** The text of a string, which may be in parts that look different; how it is pronounced is none of it. */
export function stringOf(xml: string): string {
  const parts = xml.replaceAll(phonetic, '').matchAll(texts)
  return meaningOf(Array.from(parts, ([, , text = '']) => text).join(''))
}

/** 1970-01-01 as spreadsheets number days. */
const dayOf1970 = 25_569
const lastDay = 2_958_465

/** The digits that spreadsheets keep of a number. */
const digitsKept = 15

/** A number as it is seen in the spreadsheet; one whose last digits are lost in scientific notation, which no barcode may have. */
function numberText(number: number, format: NumberFormat, firstDay: number): string {
  if (format.kind === 'date' && number >= 0 && number <= lastDay) {
    const days = number + firstDay - dayOf1970
    return new Date(Math.round(days * 86_400) * 1000).toISOString().slice(0, 16)
  }
  if (Math.abs(number) >= 10 ** digitsKept) return number.toExponential()
  // What was calculated may be off in the last place: 2.9999999999999996 is seen as 3.
  const text = String(Number(number.toPrecision(digitsKept)))
  return format.kind === 'padded' && /^\d+$/.test(text) ? text.padStart(format.digits, '0') : text
}

const typeOf = attribute('t')
const styleOf = attribute('s')
const referenceOf = attribute('r')
const values = elements('v')
const inlineStrings = elements('is')

function firstIn(xml: string, pattern: RegExp): string {
  const [found] = xml.matchAll(pattern)
  return found?.[2] ?? ''
}

function numberCell(attributes: string, value: string, { formats, firstDay }: Workbook): string {
  const number = Number(value)
  if (value.trim() === '' || Number.isNaN(number)) return value
  return numberText(number, formats[Number(styleOf(attributes) ?? 0)] ?? { kind: 'plain' }, firstDay)
}

/** What a cell says; nothing where its formula failed. */
function cellText(attributes: string, content: string, workbook: Workbook): string {
  const type = typeOf(attributes) ?? 'n'
  if (type === 'inlineStr') return stringOf(firstIn(content, inlineStrings))
  const value = meaningOf(firstIn(content, values))
  if (type === 'n') return numberCell(attributes, value, workbook)
  if (type === 's') return workbook.strings[Number(value)] ?? ''
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE'
  return type === 'e' ? '' : value
}

/** The place of a column from 0, by its letters. */
function columnOf(reference: string): number {
  let column = 0
  for (const letter of /^[A-Z]+/.exec(reference)?.[0] ?? '') column = column * 26 + letter.charCodeAt(0) - 64
  return column - 1
}

const cells = elements('c')

/** The cells of a row as text, up to the last that says something; those that are left out are empty. */
export function rowCells(xml: string, workbook: Workbook): string[] {
  const row: string[] = []
  for (const [, attributes = '', content = ''] of xml.matchAll(cells)) {
    const column = columnOf(referenceOf(attributes) ?? '')
    while (row.length < column) row.push('')
    row.push(cellText(attributes, content, workbook))
  }
  return row.slice(0, row.findLastIndex((cell) => cell.trim() !== '') + 1)
}
