import { FileFault } from './file-fault.ts'
import type { FileRow } from './csv-pieces.ts'
import { attribute, elements, rowCells, stringOf, type NumberFormat, type Workbook } from './sheet-cells.ts'
import { openZip, zippedText, type Zip } from './zip.ts'

type Sheet = { name: string; path: string }

export type OpenWorkbook = {
  /** The sheets that are to be seen, in their order. */
  sheets: readonly string[]
  /** The rows of a sheet that say something, with the share of it that is read. */
  rowsOf: (sheet: string) => AsyncGenerator<{ rows: FileRow[]; share: number }, void, undefined>
}

/** What is held in memory of a workbook: its strings, and a row of a sheet. */
const mostHeld = 200_000_000

async function wholeText(zip: Zip, path: string): Promise<string> {
  let whole = ''
  for await (const { text } of zippedText(zip, path)) {
    whole += text
    if (whole.length > mostHeld) throw new FileFault('The workbook is too large. Save it as CSV.')
  }
  return whole
}

const idOf = attribute('Id')
const typeOf = attribute('Type')
const targetOf = attribute('Target')

type Relation = { id: string; type: string; path: string }

/** What a part of the workbook refers to. */
async function relationsOf(zip: Zip, part: string): Promise<Relation[]> {
  const folder = part.slice(0, part.lastIndexOf('/') + 1)
  const xml = await wholeText(zip, `${folder}_rels/${part.slice(folder.length)}.rels`)
  return Array.from(xml.matchAll(elements('Relationship')), ([, attributes = '']) => {
    const target = targetOf(attributes) ?? ''
    const { pathname } = new URL(target, `zip:///${folder}`)
    return {
      id: idOf(attributes) ?? '',
      type: (typeOf(attributes) ?? '').replace(/^.*\//, ''),
      path: decodeURIComponent(pathname).replace(/^\/+/, ''),
    }
  })
}

const nameOf = attribute('name')
const stateOf = attribute('state')
const relationOf = attribute('\\w+:id')

/** The sheets that are to be seen; those of charts have no rows. */
function sheetsOf(xml: string, relations: readonly Relation[]): Sheet[] {
  return Array.from(xml.matchAll(elements('sheet'))).flatMap(([, attributes = '']) => {
    const relation = relations.find(({ id }) => id === relationOf(attributes))
    const isSeen = (stateOf(attributes) ?? 'visible') === 'visible'
    if (relation?.type !== 'worksheet' || !isSeen) return []
    return [{ name: nameOf(attributes) ?? '', path: relation.path }]
  })
}

const formatIdOf = attribute('numFmtId')
const formatCodeOf = attribute('formatCode')
/** The formats of dates and times that every spreadsheet has (ECMA-376, 18.8.30), by their first and last number. */
const dateFormats: readonly [number, number][] = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
  [71, 81],
]

/** What numbers of a format are; what is in quotes, brackets or behind a sign is no part of the number. */
function formatOf(id: number, code: string | undefined): NumberFormat {
  if (code === undefined) {
    return { kind: dateFormats.some(([first, last]) => id >= first && id <= last) ? 'date' : 'plain' }
  }
  const [positive = ''] = code.replaceAll(/"[^"]*"|\[[^\]]*\]|[\\_*]./g, '').split(';')
  if (/^00+$/.test(positive)) return { kind: 'padded', digits: positive.length }
  return { kind: /[dmyhs]/i.test(positive) && !/general/i.test(positive) ? 'date' : 'plain' }
}

function formatsOf(xml: string): NumberFormat[] {
  const codes = new Map<number, string>()
  for (const [, attributes = ''] of xml.matchAll(elements('numFmt'))) {
    codes.set(Number(formatIdOf(attributes)), formatCodeOf(attributes) ?? '')
  }
  const [cellFormats] = xml.matchAll(elements('cellXfs'))
  return Array.from((cellFormats?.[2] ?? '').matchAll(elements('xf')), ([, attributes = '']) => {
    const id = Number(formatIdOf(attributes) ?? 0)
    return formatOf(id, codes.get(id))
  })
}

const numberOfRow = attribute('r')

/** Where the last row that is whole ends. */
function endOfRows(xml: string): number {
  let end = xml.lastIndexOf('row>')
  while (end >= 0 && !/<\/(?:\w+:)?$/.test(xml.slice(Math.max(0, end - 40), end))) {
    end = end === 0 ? -1 : xml.lastIndexOf('row>', end - 1)
  }
  return end < 0 ? 0 : end + 'row>'.length
}

async function* readRows(
  zip: Zip,
  { path }: Sheet,
  workbook: Workbook,
): AsyncGenerator<{ rows: FileRow[]; share: number }, void, undefined> {
  let waiting = ''
  let line = 0
  for await (const { text, share } of zippedText(zip, path)) {
    waiting += text
    if (waiting.length > mostHeld) throw new FileFault('The workbook is too large. Save it as CSV.')
    const end = endOfRows(waiting)
    const rows: FileRow[] = []
    for (const [, attributes = '', content = ''] of waiting.slice(0, end).matchAll(elements('row'))) {
      line = Number(numberOfRow(attributes) ?? line + 1)
      const cells = rowCells(content, workbook)
      if (cells.length > 0) rows.push({ line, cells })
    }
    waiting = waiting.slice(end)
    yield { rows, share }
  }
}

/** Days that dates of Excel for Mac of old are counted later. */
const macDays = 1462

/** Opens a workbook (ECMA-376), whose sheets are then read piece by piece. Throws where it is none. */
export async function openWorkbook(file: Blob): Promise<OpenWorkbook> {
  const zip = await openZip(file)
  const main = (await relationsOf(zip, '')).find(({ type }) => type === 'officeDocument')
  if (main === undefined) throw new RangeError('This is no workbook.')
  const xml = await wholeText(zip, main.path)
  const relations = await relationsOf(zip, main.path)
  const partOf = async (type: string) => {
    const part = relations.find((relation) => relation.type === type)
    return part === undefined ? '' : await wholeText(zip, part.path)
  }
  const strings = await partOf('sharedStrings')
  const workbook: Workbook = {
    strings: Array.from(strings.matchAll(elements('si')), ([, , content = '']) => stringOf(content)),
    formats: formatsOf(await partOf('styles')),
    firstDay: /date1904\s*=\s*["'](?:1|true)/.test(xml) ? macDays : 0,
  }
  const sheets = sheetsOf(xml, relations)
  return {
    sheets: sheets.map(({ name }) => name),
    rowsOf(name) {
      const sheet = sheets.find((candidate) => candidate.name === name)
      if (sheet === undefined) throw new RangeError(`There is no sheet ${name}.`)
      return readRows(zip, sheet, workbook)
    },
  }
}
