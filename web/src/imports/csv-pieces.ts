import { CsvError, parse } from 'csv-parse/browser/esm/sync'
import { separatorOf, withLineFeeds } from '../lib/csv.ts'

export type FileRow = { line: number; cells: string[] }

/** Why a file cannot be read; the message is for the person who chose it. */
export class FileFault extends Error {}

/** Where the last whole record of a text ends; 0 where none does. Quotes hold line breaks together. */
function endOfRecords(text: string): number {
  let quoted = false
  let end = 0
  for (let index = 0; index < text.length; index += 1) {
    const sign = text[index]
    if (sign === '"') quoted = !quoted
    else if (sign === '\n' && !quoted) end = index + 1
  }
  return end
}

/** An apostrophe that this program's own exports put before what a spreadsheet would run. */
function bare(cell: string): string {
  return /^'[=+\-@]/.test(cell) ? cell.slice(1) : cell
}

const mostWaiting = 4_000_000

/** Reads CSV that arrives in pieces, so that a file of any length is read in flat memory. */
export function createCsvReader() {
  let waiting = ''
  let lines = 0
  let separator: string | null = null

  function read(text: string): FileRow[] {
    const rows: FileRow[] = []
    try {
      parse(text, {
        bom: lines === 0,
        delimiter: separator ?? ',',
        record_delimiter: '\n',
        trim: true,
        relax_column_count: true,
        skip_empty_lines: true,
        skip_records_with_empty_values: true,
        on_record: (record: string[], context) => {
          rows.push({ line: lines + context.lines, cells: record.map(bare) })
          return null
        },
      })
    } catch (error) {
      if (!(error instanceof CsvError)) throw error
      const at: unknown = error['lines']
      throw new FileFault(`The quotes at line ${lines + (typeof at === 'number' ? at : 1)} do not match.`)
    }
    lines += text.split('\n').length - 1
    return rows
  }

  return {
    /** The rows that are whole by now. */
    push(piece: string): FileRow[] {
      // A last CR may be the half of a CRLF.
      waiting = (waiting + piece).replaceAll(/\r\n|\r(?!$)/g, '\n')
      const end = endOfRecords(waiting)
      if (end === 0) {
        if (waiting.length > mostWaiting) throw new FileFault(`The quotes after line ${lines} do not match.`)
        return []
      }
      const whole = waiting.slice(0, end)
      waiting = waiting.slice(end)
      separator ??= separatorOf(whole)
      return read(whole)
    },
    /** What is left, when nothing more comes. */
    end(): FileRow[] {
      waiting = withLineFeeds(waiting)
      separator ??= separatorOf(waiting)
      return waiting === '' ? [] : read(waiting)
    },
  }
}
