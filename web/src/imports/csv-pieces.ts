import { CsvError, parse } from 'csv-parse/browser/esm/sync'
import { brokenQuoteLine, csvOptions, endOfRecords, separatorOf, withLineFeeds } from '../lib/csv.ts'

export type FileRow = { line: number; cells: string[] }

/** Why a file cannot be read; the message is for the person who chose it. */
export class FileFault extends Error {}

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

  function read(text: string, by: string): FileRow[] {
    const rows: FileRow[] = []
    try {
      parse(text, {
        bom: lines === 0,
        ...csvOptions(by),
        on_record: (record: string[], context) => {
          rows.push({ line: lines + context.lines, cells: record.map(bare) })
          return null
        },
      })
    } catch (error) {
      if (!(error instanceof CsvError)) throw error
      throw new FileFault(`The quotes at line ${lines + brokenQuoteLine(text, by)} do not match.`)
    }
    lines += text.split('\n').length - 1
    return rows
  }

  return {
    /** The rows that are whole by now. */
    push(piece: string): FileRow[] {
      // A last CR may be the half of a CRLF.
      waiting = (waiting + piece).replaceAll(/\r\n|\r(?!$)/g, '\n')
      // Which sign separates is seen by the first line that says something.
      if (waiting.trimStart().includes('\n')) separator ??= separatorOf(waiting)
      const end = separator === null ? 0 : endOfRecords(waiting, separator)
      if (separator === null || end === 0) {
        if (waiting.length > mostWaiting) throw new FileFault(`The quotes after line ${lines} do not match.`)
        return []
      }
      const whole = waiting.slice(0, end)
      waiting = waiting.slice(end)
      return read(whole, separator)
    },
    /** What is left, when nothing more comes. */
    end(): FileRow[] {
      waiting = withLineFeeds(waiting)
      return waiting === '' ? [] : read(waiting, separator ?? separatorOf(waiting))
    },
  }
}
