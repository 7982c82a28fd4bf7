import { PassThrough, Readable } from 'node:stream'
import yazl from 'yazl'
import type { Cell, Table } from './table.ts'

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packages = 'http://schemas.openxmlformats.org/package/2006'
const media = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** The most rows a sheet may have (ECMA-376; Excel's own limit); more go on another. */
const rowsOfSheet = 1_048_576
const cellLength = 32_767

/** What XML 1.0 cannot hold: control characters but tab and line ends, lone surrogates, two that are none. */
const unwritable = /(?![\t\n\r])[\p{Cc}\p{Cs}\uFFFE\uFFFF]/gu
/** What readers take for a character that XML cannot hold (ECMA-376, 22.9.2.19), where it is text; CR is one, which XML makes a line feed. */
const escapes = /_(?=x[\dA-Fa-f]{4}_)|\r/g
const marks: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

function escaped(text: string): string {
  return text
    .slice(0, cellLength)
    .replaceAll(unwritable, '\uFFFD')
    .replaceAll(escapes, (sign) => (sign === '_' ? '_x005F_' : '_x000D_'))
    .replaceAll(/[&<>]/g, (mark) => marks[mark] ?? '')
}

/** The letters of a column, from 0: A to Z, AA and so on. */
function lettersOf(column: number): string {
  const last = String.fromCharCode(65 + (column % 26))
  return column < 26 ? last : `${lettersOf(Math.floor(column / 26) - 1)}${last}`
}

/** Text is written as text, so that no code loses its zeros and nothing is run as a formula. */
function cellXml(cell: Cell, { place, style }: { place: string; style: number }): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return `<c r="${place}"><v>${cell}</v></c>`
  const text = `<is><t xml:space="preserve">${escaped(cell)}</t></is>`
  return `<c r="${place}" s="${style}" t="inlineStr">${text}</c>`
}

function rowXml(cells: readonly Cell[], { row, style }: { row: number; style: number }): string {
  const xml = cells.map((cell, column) => cellXml(cell, { place: `${lettersOf(column)}${row}`, style }))
  return `<row r="${row}">${xml.join('')}</row>`
}

const sheetStart =
  `${declaration}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0">` +
  '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>' +
  '<sheetFormatPr defaultRowHeight="15" baseColWidth="18"/><sheetData>'

const styles =
  `${declaration}<styleSheet xmlns="${main}">` +
  '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>' +
  '<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>' +
  '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
  '<borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs>' +
  '<cellXfs count="3"><xf xfId="0"/><xf xfId="0" numFmtId="49" applyNumberFormat="1"/>' +
  '<xf xfId="0" numFmtId="49" fontId="1" applyNumberFormat="1" applyFont="1"/></cellXfs></styleSheet>'

function numbered(count: number, part: (number: number) => string): string {
  return Array.from({ length: count }, (_, index) => part(index + 1)).join('')
}

/** The parts that say what is in the file (ECMA-376, part 2), for a number of sheets. */
function frame(name: string, sheets: number): Record<string, string> {
  const type = `${relations.replace('/relationships', '')}/relationships`
  return {
    '[Content_Types].xml':
      `${declaration}<Types xmlns="${packages}/content-types">` +
      '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
      `<Override PartName="/xl/workbook.xml" ContentType="${media}.sheet.main+xml"/>` +
      `<Override PartName="/xl/styles.xml" ContentType="${media}.styles+xml"/>` +
      numbered(
        sheets,
        (n) => `<Override PartName="/xl/worksheets/sheet${n}.xml" ContentType="${media}.worksheet+xml"/>`,
      ) +
      '</Types>',
    '_rels/.rels':
      `${declaration}<Relationships xmlns="${packages}/relationships">` +
      `<Relationship Id="rId1" Type="${type}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml':
      `${declaration}<workbook xmlns="${main}" xmlns:r="${relations}"><sheets>` +
      numbered(
        sheets,
        (n) => `<sheet name="${escaped(n === 1 ? name : `${name} ${n}`)}" sheetId="${n}" r:id="rId${n}"/>`,
      ) +
      '</sheets></workbook>',
    'xl/_rels/workbook.xml.rels':
      `${declaration}<Relationships xmlns="${packages}/relationships">` +
      numbered(
        sheets,
        (n) => `<Relationship Id="rId${n}" Type="${type}/worksheet" Target="worksheets/sheet${n}.xml"/>`,
      ) +
      `<Relationship Id="rId${sheets + 1}" Type="${type}/styles" Target="styles.xml"/></Relationships>`,
    'xl/styles.xml': styles,
  }
}

/** The rows of a table one by one, with a look ahead: whether another comes. */
async function* rowsOf({ pieces }: Table): AsyncGenerator<Cell[], void, undefined> {
  for await (const rows of pieces) yield* rows
}

const pieceLength = 64 * 1024

/**
 * Writes a table as a workbook into a stream, in flat memory: rows go straight into the file's zip. A table longer than
 * a sheet may be goes on in further sheets. The stream fails where the table does.
 */
export function writeXlsx(table: Table, { sheetRows = rowsOfSheet } = {}): Readable {
  const zip = new yazl.ZipFile()
  // The zip's own stream is not one that can be broken off.
  const output = zip.outputStream.pipe(new PassThrough())
  const rows = rowsOf(table)
  const fail = (error: unknown) =>
    void output.destroy(error instanceof Error ? error : new Error('Not written.'))

  async function* sheet(number: number): AsyncGenerator<string, void, undefined> {
    let piece = sheetStart + rowXml(table.heads, { row: 1, style: 2 })
    let written = 1
    let ended = false
    while (!ended && written < sheetRows) {
      const next = await rows.next()
      if (next.done === true) ended = true
      else {
        written += 1
        piece += rowXml(next.value, { row: written, style: 1 })
      }
      if (piece.length > pieceLength) {
        yield piece
        piece = ''
      }
    }
    yield `${piece}</sheetData></worksheet>`
    if (ended) finish(number)
    else addSheet(number + 1)
  }

  function addSheet(number: number): void {
    const source = Readable.from(sheet(number))
    source.on('error', fail)
    zip.addReadStream(source, `xl/worksheets/sheet${number}.xml`)
  }

  function finish(sheets: number): void {
    for (const [path, xml] of Object.entries(frame(table.name, sheets))) {
      zip.addBuffer(Buffer.from(xml), path)
    }
    zip.end()
  }

  zip.on('error', fail)
  addSheet(1)
  return output
}
