import type { FileRow } from './file-rows.ts'
import { numberText, type NumberFormat } from './number-formats.ts'
import type { Attributes, XmlReader } from './xml.ts'

/** What the cells of a workbook refer to. */
export type Workbook = {
  strings: readonly string[]
  /** By the number of a cell's style. */
  formats: readonly NumberFormat[]
  /** The day that dates are counted from, in days from that of Excel for Windows. */
  firstDay: number
}

/** Text as it is meant, with what spreadsheets escape because XML cannot hold it (ECMA-376, 22.9.2.19). */
export function unescapeText(text: string): string {
  return text.replaceAll(/_x([\da-f]{4})_/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
}

/** Collects the text of a string or value, which may be in parts that look different; how it is pronounced is none of it. */
function createTextReader() {
  let whole = ''
  let isWanted = false
  let isPhonetic = false
  return {
    opened(name: string) {
      if (name === 'rPh') isPhonetic = true
      isWanted = !isPhonetic && (name === 't' || name === 'v')
    },
    text(piece: string) {
      if (isWanted) whole += piece
    },
    closed(name: string) {
      if (name === 'rPh') isPhonetic = false
      isWanted = false
    },
    /** What was collected since it was asked for last. */
    take() {
      const text = unescapeText(whole)
      whole = ''
      return text
    },
  }
}

/** Reads the table of strings that cells refer to. */
export function createStringsReader(strings: string[]): XmlReader {
  const texts = createTextReader()
  return {
    ...texts,
    closed(name) {
      texts.closed(name)
      if (name === 'si') strings.push(texts.take())
    },
  }
}

function numberCell(value: string, style: string | undefined, { formats, firstDay }: Workbook): string {
  const number = Number(value)
  if (value.trim() === '' || Number.isNaN(number)) return value
  return numberText(number, formats[Number(style ?? 0)] ?? { kind: 'plain' }, firstDay)
}

/** What a cell says: `#N/A` and the like where its formula failed. */
function cellText({ t: type = 'n', s: style }: Attributes, value: string, workbook: Workbook): string {
  if (type === 'n') return numberCell(value, style, workbook)
  if (type === 's') return workbook.strings[Number(value)] ?? ''
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE'
  return value
}

/** The place of a column from 0, by its letters. */
function columnOf(reference: string): number {
  let column = 0
  for (const letter of /^[A-Z]+/.exec(reference)?.[0] ?? '') column = column * 26 + letter.charCodeAt(0) - 64
  return column - 1
}

/** As many as spreadsheets have. */
const mostColumns = 16_384

/** Reads rows of a sheet: their cells as text, up to the last that says something; those that are left out are empty. */
export function createRowsReader(workbook: Workbook) {
  const texts = createTextReader()
  let rows: FileRow[] = []
  let line = 0
  let cells: string[] = []
  let cell: Attributes = {}
  function endCell(): void {
    const column = columnOf(cell['r'] ?? '')
    if (column >= mostColumns) throw new RangeError(`There is no column ${cell['r']}.`)
    while (cells.length < column) cells.push('')
    cells.push(cellText(cell, texts.take(), workbook))
  }
  const reader: XmlReader = {
    ...texts,
    opened(name, attributes) {
      texts.opened(name)
      if (name === 'row') {
        line = Number(attributes['r'] ?? line + 1)
        cells = []
      }
      if (name === 'c') cell = attributes
    },
    closed(name) {
      texts.closed(name)
      if (name === 'c') endCell()
      if (name !== 'row') return
      rows.push({ line, cells: cells.slice(0, cells.findLastIndex((text) => text.trim() !== '') + 1) })
    },
  }
  return {
    reader,
    /** The rows that have become whole since it was asked last. */
    take(): FileRow[] {
      const whole = rows
      rows = []
      return whole
    },
  }
}
