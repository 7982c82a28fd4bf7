import {
  createSignFinder,
  isOpenAmount,
  readPieces,
  readUnitCost,
  type DecimalSign,
} from '@inventory-manager/contract/amounts'
import { formatAmount } from '../lib/numbers.ts'
import type { ImportFile } from './import-file.ts'

/**
 * The signs before the decimals of columns of a file, each by the whole column (contract/src/amounts.ts). Where that says nothing, the
 * `others` that are asked with it say it. Where none does it is a comma in a file with semicolons, as spreadsheets write where commas
 * stand in numbers, and else a point.
 */
export async function findDecimalSigns(
  { pieces }: Pick<ImportFile, 'pieces'>,
  { columns, signal }: { columns: readonly number[]; signal: AbortSignal },
): Promise<(column: number, ...others: number[]) => DecimalSign> {
  const finders = new Map(columns.map((column) => [column, createSignFinder()]))
  let separator: string | null = null
  for await (const piece of pieces()) {
    signal.throwIfAborted()
    for (const { cells } of piece.rows) {
      for (const [column, finder] of finders) finder.add(cells[column] ?? '')
    }
    separator = piece.separator
  }
  const usual = separator === ';' ? ',' : '.'
  return (...asked) =>
    asked.map((column) => finders.get(column)?.find() ?? null).find((sign) => sign !== null) ?? usual
}

/** How a cost that may be thousands as well as decimals is read, in words. */
export function readAsWords(text: string, sign: DecimalSign): string {
  const cost = readUnitCost(text, sign)
  return `${text} is read as ${typeof cost === 'number' ? formatAmount(cost) : text}`
}

/** A cell of unit costs as the server takes it, to which what may be thousands as well as decimals, such as 1.234, has decimals behind a point. */
export function unitCostCell(text: string, sign: DecimalSign): string {
  const cost = readUnitCost(text, sign)
  return typeof cost === 'number' && isOpenAmount(text) ? String(cost) : text
}

/** How a number of pieces that may be thousands as well as decimals is read, in words. */
export function piecesAsWords(text: string, sign: DecimalSign): string {
  return `${text} is read as ${readPieces(text, sign) ?? 'no whole number'}`
}

/** A cell of pieces as the server takes it, which is digits alone; what says no whole number stays as it is, for the server to name. */
export function piecesCell(text: string, sign: DecimalSign): string {
  const cell = text.trim()
  return /^\d*$/.test(cell) ? text : String(readPieces(cell, sign) ?? text)
}
