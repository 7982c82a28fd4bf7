import { createImport, stageRows } from '@inventory-manager/contract/imports/endpoints'
import { isOpenAmount, type DecimalSign } from '@inventory-manager/contract/amounts'
import { maxCellLength, type ImportField } from '@inventory-manager/contract/imports/rules'
import { ApiError, isPassing } from '../api/api-error.ts'
import { call } from '../api/client.ts'
import type { Once } from '../api/once.ts'
import { rest } from '../lib/rest.ts'
import { ownLocationNames } from '../session/place-names.ts'
import { findDecimalSigns, piecesAsWords, piecesCell, readAsWords, unitCostCell } from './cost-decimals.ts'
import { createMerging } from './by-location.ts'
import { isThere, type Meaning } from './column-meanings.ts'
import type { FileRow, StagedRow } from './file-rows.ts'
import type { ImportFile } from './import-file.ts'
import { sliceOf } from './slices.ts'
import { toldName } from './told-name.ts'

/** What was chosen of a file. */
export type Choices = {
  /** What each column means; null for one that is not imported. */
  fields: readonly (Meaning | null)[]
  hasHeads: boolean
  /** Which row is the heading, from 0; what stands above it, such as a title, is left out with it. */
  headAt: number
  existing: 'set' | 'keep'
  retired: 'bring_back' | 'leave_out'
  /** The sign before the decimals of unit costs and quantities; null where their columns tell it. */
  decimals: DecimalSign | null
}

export type Plan = Choices & {
  file: ImportFile
  /** What may be said in the plan of the company. */
  offered: readonly ImportField[]
}

/** How many cells a row of the file may have; null of a sheet, where notes may stand behind the columns. */
function widthOf({ file, fields, hasHeads, headAt }: Plan): number | null {
  if (file.sheets !== null) return null
  const heading = hasHeads ? (file.first[headAt]?.cells.length ?? 0) : fields.length
  return Math.max(heading, fields.findLastIndex((field) => field !== null) + 1)
}

/** The first cell behind the last column of a row that says something: of a text that holds separators and no quotes. */
function surplusOf({ cells }: FileRow, width: number | null): string[] {
  const surplus = width === null ? undefined : cells.slice(width).find((cell) => cell.trim() !== '')
  return surplus === undefined ? [] : [surplus]
}

/** `waits` while the server does not answer and a slice is to be sent again. */
export type Progress = { rows: number; share: number; waits: boolean }

/** How long a slice is retried, in ms. */
const patienceMs = 60_000
const firstPauseMs = 1_000

/** Repeats the work while the server is unreachable, for a minute at most; any other error is thrown at once. */
async function patiently(
  work: () => Promise<unknown>,
  { signal, onWait }: { signal: AbortSignal; onWait: () => void },
): Promise<void> {
  let endsAt: number | null = null
  for (let pauseMs = firstPauseMs; ; pauseMs *= 2) {
    try {
      await work()
      return
    } catch (error) {
      endsAt ??= performance.now() + patienceMs
      // Whoever is signed out does not come back by waiting.
      const isSignedOut = error instanceof ApiError && error.status === 401
      if (!isPassing(error) || isSignedOut || performance.now() > endsAt) throw error
      onWait()
      await rest(pauseMs, signal)
      signal.throwIfAborted()
    }
  }
}

/** The columns of a file that are imported, and their places. */
function columnsOf({ fields }: Plan): { field: Meaning; index: number }[] {
  return fields.flatMap((field, index) => (field === null ? [] : [{ field, index }]))
}

/** What of a file is a number of pieces. */
export const isOfPieces = (field: Meaning | null) =>
  field !== null && /_(quantity|minimum)$|^(quantity|minimum)_there$/.test(field)

/** How a cell of numbers is sent, and in words how one that may be thousands as well as decimals is read. */
type NumberColumn = { send: (text: string) => string; say: (text: string) => string }

/**
 * The columns of numbers that are sent otherwise than they stand, by their places. A workbook has its numbers of pieces as such; what is text
 * there stays.
 */
async function numberColumnsOf(plan: Plan, signal: AbortSignal): Promise<Map<number, NumberColumn>> {
  const { fields, file, decimals } = plan
  const costs = fields.indexOf('unit_cost')
  const pieces = columnsOf(plan)
    .filter(({ field }) => file.sheets === null && isOfPieces(field))
    .map(({ index }) => index)
  const columns = costs === -1 ? pieces : [costs, ...pieces]
  // The file is read once more only where its columns must tell it.
  const signOf =
    columns.length === 0 || decimals !== null
      ? () => decimals ?? '.'
      : await findDecimalSigns(file, { columns, signal })
  const numbers = new Map<number, NumberColumn>()
  for (const column of pieces) {
    const sign = signOf(column, costs)
    numbers.set(column, {
      send: (text) => piecesCell(text, sign),
      say: (text) => `${piecesAsWords(text, sign)}, as the columns of numbers show.`,
    })
  }
  if (costs !== -1) {
    const sign = signOf(costs)
    numbers.set(costs, {
      send: (text) => unitCostCell(text, sign),
      say: (text) => `${readAsWords(text, sign)}, as the column of unit costs shows.`,
    })
  }
  return numbers
}

/** Tells once of costs and once of pieces how the first was read that may be thousands as well as decimals, where the columns decided that. */
function createTelling({ decimals, fields }: Plan, onReadAs: (words: string) => void) {
  const told = new Set<string>()
  return (text: string, index: number, { say }: NumberColumn): void => {
    const kind = fields[index] === 'unit_cost' ? 'costs' : 'pieces'
    if (decimals !== null || told.has(kind) || !isOpenAmount(text)) return
    told.add(kind)
    onReadAs(say(text.trim()))
  }
}

/** What is sent of rows of the file. `onReadAs`: is told how numbers were read that may be thousands as well as decimals. */
async function rowsToSend(
  plan: Plan,
  { signal, onReadAs }: { signal: AbortSignal; onReadAs: (words: string) => void },
): Promise<(row: FileRow) => FileRow> {
  const width = widthOf(plan)
  const columns = columnsOf(plan)
  const numbers = await numberColumnsOf(plan, signal)
  const tell = createTelling(plan, onReadAs)
  return (row) => {
    const cells = columns.map(({ index }) => {
      const cell = row.cells[index] ?? ''
      const number = numbers.get(index)
      if (number === undefined) return cell
      tell(cell, index, number)
      return number.send(cell)
    })
    return {
      line: row.line,
      cells: [...cells, ...surplusOf(row, width)].map((cell) => cell.slice(0, maxCellLength)),
    }
  }
}

type Staging = { fields: ImportField[]; pieces: AsyncGenerator<{ rows: StagedRow[]; share: number }> }

/** The rows below the heading as they are sent, and what their cells mean. */
async function stagingOf(
  plan: Plan,
  telling: { signal: AbortSignal; onReadAs: (words: string) => void },
): Promise<Staging> {
  const given = await rowsToSend(plan, telling)
  const columns = columnsOf(plan).map(({ field }) => field)
  const merging = columns.some(isThere)
    ? createMerging({ columns, offered: plan.offered, ownNames: ownLocationNames() })
    : null

  async function* pieces() {
    let skip = plan.hasHeads ? plan.headAt + 1 : 0
    for await (const piece of plan.file.pieces()) {
      telling.signal.throwIfAborted()
      const rows = piece.rows.slice(skip).map(given)
      skip = Math.max(0, skip - piece.rows.length)
      if (merging === null) yield { rows, share: piece.share }
      else for (const row of rows) merging.add(row)
    }
    if (merging !== null) yield { rows: merging.end(), share: 1 }
  }

  const fields = merging?.fields ?? columns.filter((field) => !isThere(field))
  return { fields, pieces: pieces() }
}

/**
 * Stages the rows of a file slice by slice and gives the import's id, and how its columns decided that numbers such as 1.234 are read; nothing changes yet. Only one slice is held at a
 * time, and sent again while the server is away. `onBegun` learns the id first, so that whoever stops it can drop what is staged.
 */
export async function upload(
  plan: Plan,
  {
    once,
    owner,
    signal,
    onBegun,
    onProgress,
  }: {
    once: Once
    /** Who has chosen the file, as `company/user`: nobody else sends it. */
    owner: string
    signal: AbortSignal
    onBegun: (id: string) => void
    onProgress: (progress: Progress) => void
  },
): Promise<{ id: string; readAs: string | null }> {
  const readAs: string[] = []
  const onReadAs = (words: string) => readAs.push(words)
  const { fields, pieces } = await stagingOf(plan, { signal, onReadAs })
  const body = {
    name: toldName(plan.file.name),
    fields,
    existing: plan.existing,
    retired: plan.retired,
    awaits_end: true,
  }
  // Not cut off by the signal: an import whose id nobody learned would stay open.
  const begun = await once(body, (idempotencyKey) =>
    call(createImport, { body }, { timeoutMs: 15_000, idempotencyKey, owner }),
  )
  const { id } = begun.import
  onBegun(id)
  signal.throwIfAborted()

  let [rows, share] = [0, 0]
  let waiting: StagedRow[] = []
  const send = async (slice: StagedRow[], last: boolean) => {
    const stage = () => call(stageRows, { params: { id }, body: { rows: slice, last } }, { signal, owner })
    await patiently(stage, { signal, onWait: () => onProgress({ rows, share, waits: true }) })
    rows += slice.length
  }

  for await (const piece of pieces) {
    // Of a file with a line for each location all rows come at once.
    waiting = waiting.concat(piece.rows)
    // What is sent last says so, so that some rows are kept for that.
    for (let slice = sliceOf(waiting); slice.length < waiting.length; slice = sliceOf(waiting)) {
      await send(slice, false)
      waiting = waiting.slice(slice.length)
      share = piece.share
      onProgress({ rows, share, waits: false })
    }
  }
  if (waiting.length > 0) await send(waiting, true)
  onProgress({ rows, share: 1, waits: false })
  return { id, readAs: readAs.length === 0 ? null : readAs.join(' ') }
}
