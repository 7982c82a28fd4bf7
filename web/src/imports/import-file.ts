import { encodingOf, type Encoding } from '../lib/encoding.ts'
import { createCsvReader, FileFault, type FileRow } from './csv-pieces.ts'

/** A file to be imported: its first rows to be looked at, and all of them in pieces. */
export type ImportFile = {
  name: string
  first: FileRow[]
  /** Rows with the share of the file that is read, from 0 to 1. */
  pieces: () => AsyncGenerator<{ rows: FileRow[]; share: number }, void, undefined>
}

const firstRows = 5

async function* csvPieces(
  file: File,
  encoding: Encoding,
): AsyncGenerator<{ rows: FileRow[]; share: number }, void, undefined> {
  const reader = file.stream().getReader()
  const decoder = new TextDecoder(encoding)
  const csv = createCsvReader()
  let bytes = 0
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    bytes += read.value.length
    yield { rows: csv.push(decoder.decode(read.value, { stream: true })), share: bytes / file.size }
  }
  yield { rows: [...csv.push(decoder.decode()), ...csv.end()], share: 1 }
}

/** The largest workbook that is read: it is held in memory as a whole, unlike CSV. */
const mostWorkbookBytes = 30_000_000
const rowsOfPiece = 5_000

/** A cell as text: codes and quantities as they are, days as ISO dates. */
function textOf(value: unknown): string {
  if (value instanceof Date) return value.toISOString().slice(0, 10)
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : ''
}

async function openWorkbook(file: File): Promise<ImportFile> {
  if (file.size > mostWorkbookBytes) {
    throw new FileFault('A workbook may have at most 30 MB. Save it as CSV, which may be of any size.')
  }
  const { readSheet } = await import('read-excel-file/browser')
  const data = await readSheet(file).catch((error: unknown) => {
    throw new FileFault('The workbook cannot be read. Save it again as XLSX or CSV.', { cause: error })
  })
  const rows = data.map((cells, index) => ({ line: index + 1, cells: cells.map(textOf) }))
  const filled = rows.filter(({ cells }) => cells.some((cell) => cell.trim() !== ''))
  return {
    name: file.name,
    first: filled.slice(0, firstRows),
    async *pieces() {
      for (let at = 0; at < filled.length; at += rowsOfPiece) {
        const piece = filled.slice(at, at + rowsOfPiece)
        yield await Promise.resolve({ rows: piece, share: (at + piece.length) / filled.length })
      }
    },
  }
}

/** Opens a CSV file or workbook; throws FileFault with a sentence where it cannot be read. */
export async function openImportFile(file: File): Promise<ImportFile> {
  if (/\.xlsx$/i.test(file.name)) return await openWorkbook(file)
  if (/\.xls$/i.test(file.name)) throw new FileFault('Save the workbook as XLSX or CSV first.')
  const encoding = await encodingOf(file)
  const first: FileRow[] = []
  for await (const { rows } of csvPieces(file, encoding)) {
    first.push(...rows.slice(0, firstRows - first.length))
    if (first.length === firstRows) break
  }
  if (first.length === 0) throw new FileFault('The file is empty.')
  return { name: file.name, first, pieces: () => csvPieces(file, encoding) }
}
