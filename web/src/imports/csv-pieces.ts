import { CsvError, parse } from 'csv-parse/browser/esm/sync'
import {
  bareCell,
  brokenQuoteLine,
  csvOptions,
  endOfRecords,
  hasFirstLines,
  separatorOf,
  withLineFeeds,
} from '../lib/csv.ts'
import { FileFault } from './file-fault.ts'
import type { FileRow } from './file-rows.ts'

/** A first line that says what separates, as spreadsheets of western languages take it. */
const separatorLine = /^\uFEFF?\s*"?sep=([,;\t])"?[ \t]*\n/i

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
          rows.push({ line: lines + context.lines, cells: record.map(bareCell) })
          return null
        },
      })
    } catch (error) {
      if (!(error instanceof CsvError)) throw error
      throw new FileFault(`The quotes at line ${lines + brokenQuoteLine(text, by)} do not match.`, {
        cause: error,
      })
    }
    lines += text.split('\n').length - 1
    return rows
  }

  /** Which sign separates: the one that the file names, or that its first lines have; null where more of them must come. */
  function findSeparator(): string | null {
    const named = separatorLine.exec(waiting)
    if (named !== null) {
      waiting = waiting.slice(named[0].length)
      lines += named[0].split('\n').length - 1
      return named[1] ?? null
    }
    const whole = waiting.slice(0, waiting.lastIndexOf('\n') + 1)
    return hasFirstLines(whole) ? separatorOf(whole) : null
  }

  return {
    /** The rows that are whole by now. */
    push(piece: string): FileRow[] {
      // A last CR may be the half of a CRLF.
      waiting = (waiting + piece).replaceAll(/\r\n|\r(?!$)/g, '\n')
      separator ??= findSeparator()
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
      separator ??= separatorOf(waiting)
      return waiting === '' ? [] : read(waiting, separator)
    },
    /** What separates the cells; null while not enough of the file is there to say it. */
    separator: () => separator,
  }
}
