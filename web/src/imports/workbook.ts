import { FileFault } from './file-fault.ts'
import type { FilePieces } from './file-rows.ts'
import { formatOf, type NumberFormat } from './number-formats.ts'
import { createRowsReader, createStringsReader, unescapeText, type Workbook } from './sheet-cells.ts'
import { readXml, type Attributes, type XmlReader } from './xml.ts'
import { openZip, type Zip } from './zip.ts'

type Sheet = { name: string; path: string }

export type OpenWorkbook = {
  /** The sheets that are to be seen, in their order. */
  sheets: readonly string[]
  /** The rows of a sheet that say something. */
  rowsOf: (sheet: string) => FilePieces
}

/** What is held in memory of a workbook, in characters: its strings, and a row of a sheet. */
const mostHeld = 200_000_000

function checkHeld(characters: number): void {
  if (characters > mostHeld) throw new FileFault('The workbook is too large. Save it as CSV.')
}

/** Reads a whole part of a workbook. */
async function readPart(zip: Zip, path: string, reader: XmlReader): Promise<void> {
  let held = 0
  for await (const { characters } of readXml(zip, path, reader)) {
    held += characters
    checkHeld(held)
  }
}

type Relation = { id: string; type: string; path: string }

/** What a part of the workbook refers to. */
async function relationsOf(zip: Zip, part: string): Promise<Relation[]> {
  const folder = part.slice(0, part.lastIndexOf('/') + 1)
  const relations: Relation[] = []
  await readPart(zip, `${folder}_rels/${part.slice(folder.length)}.rels`, {
    opened(name, { Id: id = '', Type: type = '', Target: target = '' }) {
      if (name !== 'Relationship') return
      const { pathname } = new URL(target, `zip:///${folder}`)
      relations.push({
        id,
        type: type.replace(/^.*\//, ''),
        path: decodeURIComponent(pathname).replace(/^\/+/, ''),
      })
    },
  })
  return relations
}

/** The sheet of an element, where it is to be seen; those of charts have no rows. */
function sheetOf(attributes: Attributes, relations: readonly Relation[]): Sheet | undefined {
  const [, id] = Object.entries(attributes).find(([name]) => name.endsWith(':id')) ?? []
  const relation = relations.find((candidate) => candidate.id === id)
  const { name = '', state = 'visible' } = attributes
  if (relation?.type !== 'worksheet' || state !== 'visible') return undefined
  return { name: unescapeText(name), path: relation.path }
}

/** The formats of cells by the numbers of their styles. */
async function formatsOf(zip: Zip, path: string): Promise<NumberFormat[]> {
  const codes = new Map<number, string>()
  const ids: number[] = []
  let isOfCells = false
  await readPart(zip, path, {
    opened(name, { numFmtId: id, formatCode: code = '' }) {
      if (name === 'cellXfs') isOfCells = true
      if (name === 'numFmt') codes.set(Number(id), code)
      if (name === 'xf' && isOfCells) ids.push(Number(id ?? 0))
    },
    closed(name) {
      if (name === 'cellXfs') isOfCells = false
    },
  })
  return ids.map((id) => formatOf(id, codes.get(id)))
}

async function* readRows(zip: Zip, { path }: Sheet, workbook: Workbook): FilePieces {
  const whole = createRowsReader(workbook)
  let held = 0
  for await (const { characters, share } of readXml(zip, path, whole.reader)) {
    const rows = whole.take()
    held = rows.length > 0 ? 0 : held + characters
    checkHeld(held)
    yield { rows: rows.filter(({ cells }) => cells.length > 0), share, separator: null }
  }
}

/** Days that dates of Excel for Mac of old are counted later. */
const macDays = 1462

/** Opens a workbook (ECMA-376), whose sheets are then read piece by piece. Throws where it is none. */
export async function openWorkbook(file: Blob): Promise<OpenWorkbook> {
  const zip = await openZip(file)
  const main = (await relationsOf(zip, '')).find(({ type }) => type === 'officeDocument')
  if (main === undefined) throw new RangeError('This is no workbook.')
  const relations = await relationsOf(zip, main.path)
  const pathOf = (type: string) => relations.find((relation) => relation.type === type)?.path ?? ''
  const sheets: Sheet[] = []
  let firstDay = 0
  await readPart(zip, main.path, {
    opened(name, attributes) {
      if (name === 'workbookPr' && /^(?:1|true)$/.test(attributes['date1904'] ?? '')) firstDay = macDays
      const sheet = name === 'sheet' ? sheetOf(attributes, relations) : undefined
      if (sheet !== undefined) sheets.push(sheet)
    },
  })
  const strings: string[] = []
  await readPart(zip, pathOf('sharedStrings'), createStringsReader(strings))
  const workbook: Workbook = { strings, formats: await formatsOf(zip, pathOf('styles')), firstDay }
  return {
    sheets: sheets.map(({ name }) => name),
    rowsOf(name) {
      const sheet = sheets.find((candidate) => candidate.name === name)
      if (sheet === undefined) throw new RangeError(`There is no sheet ${name}.`)
      return readRows(zip, sheet, workbook)
    },
  }
}
