import { choiceOf, encodingOf, type Encoding } from '../lib/encoding.ts'
import { createCsvReader } from './csv-pieces.ts'
import { FileFault } from './file-fault.ts'
import type { FilePieces, FileRow } from './file-rows.ts'

/** A file to be imported: its first rows to be looked at, and all of them in pieces. */
export type ImportFile = {
  name: string
  first: FileRow[]
  pieces: () => FilePieces
  source: File
  /** The sheet of a workbook that is read, and all there are; null of other files. */
  sheets: { chosen: string; all: readonly string[] } | null
  /** How a text file is taken to be encoded; null where the file tells. */
  encoding: Encoding | null
}

/** How somebody wants a file to be read. */
export type Asked = { sheet: string } | { encoding: Encoding }

/** Enough for a heading below some lines of a title, and rows below that. */
const firstRows = 12

async function readFirst(pieces: FilePieces): Promise<FileRow[]> {
  const first: FileRow[] = []
  for await (const { rows } of pieces) {
    first.push(...rows.slice(0, firstRows - first.length))
    if (first.length === firstRows) break
  }
  return first
}

async function* csvPieces(file: File, encoding: Encoding): FilePieces {
  const reader = file.stream().getReader()
  const decoder = new TextDecoder(encoding)
  const csv = createCsvReader()
  let bytes = 0
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    bytes += read.value.length
    const rows = csv.push(decoder.decode(read.value, { stream: true }))
    yield { rows, share: bytes / file.size, separator: csv.separator() }
  }
  const rows = [...csv.push(decoder.decode()), ...csv.end()]
  yield { rows, share: 1, separator: csv.separator() }
}

/** The sheet that was asked for, or the first that is not empty. */
async function openSheet(source: File, asked: string | null): Promise<ImportFile> {
  const { openWorkbook } = await import('./workbook.ts')
  const { sheets: all, rowsOf } = await openWorkbook(source)
  for (const chosen of asked === null ? all : [asked]) {
    const first = await readFirst(rowsOf(chosen))
    if (first.length > 0) {
      const name = all.length > 1 ? `${source.name} (${chosen})` : source.name
      return { name, first, pieces: () => rowsOf(chosen), source, sheets: { chosen, all }, encoding: null }
    }
  }
  throw new FileFault(asked === null ? 'The workbook is empty.' : `The sheet ${asked} is empty.`)
}

async function openWorkbookFile(source: File, sheet: string | null): Promise<ImportFile> {
  try {
    return await openSheet(source, sheet)
  } catch (error) {
    if (error instanceof FileFault) throw error
    throw new FileFault('The workbook cannot be read. Save it again as XLSX or CSV.', { cause: error })
  }
}

async function beginsWith(file: File, signature: readonly number[]): Promise<boolean> {
  const bytes = new Uint8Array(await file.slice(0, signature.length).arrayBuffer())
  return bytes.length === signature.length && signature.every((byte, index) => bytes[index] === byte)
}

const zipSignature = [0x50, 0x4b, 0x03, 0x04]
/** Of workbooks of old, and of newer ones with a password. */
const compoundSignature = [0xd0, 0xcf, 0x11, 0xe0]

async function openCsv(source: File, asked: Encoding | null): Promise<ImportFile> {
  const encoding = asked ?? (await encodingOf(source, navigator.language))
  const pieces = () => csvPieces(source, encoding)
  const first = await readFirst(pieces())
  if (first.length === 0) throw new FileFault('The file is empty.')
  return { name: source.name, first, pieces, source, sheets: null, encoding: asked ?? choiceOf(encoding) }
}

/**
 * Opens a CSV file or a sheet of a workbook, whatever its name ends with: as is likeliest where nothing is asked for. Throws
 * FileFault with a sentence where it cannot be read.
 */
export async function openImportFile(source: File, asked: Asked | null): Promise<ImportFile> {
  if (await beginsWith(source, compoundSignature)) {
    throw new FileFault('Save the workbook as XLSX without a password, or as CSV, first.')
  }
  if (/\.xlsx$/i.test(source.name) || (await beginsWith(source, zipSignature))) {
    return await openWorkbookFile(source, asked !== null && 'sheet' in asked ? asked.sheet : null)
  }
  if (/\.xls$/i.test(source.name)) throw new FileFault('Save the workbook as XLSX or CSV first.')
  return await openCsv(source, asked !== null && 'encoding' in asked ? asked.encoding : null)
}
