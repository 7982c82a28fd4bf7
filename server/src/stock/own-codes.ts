import type { Tx } from '../platform/db/database.ts'
import { AppError } from '../platform/http/app-error.ts'
import { findTakenMeanwhile, lockAliases } from './alias-queries.ts'

/**
 * At the end of a transaction that has made components: none of their barcodes may have become another barcode of a component since
 * that was looked at, nor the other writing of a UPC. Whoever gives barcodes waits from here on. Throws 'barcode_taken'.
 */
export async function requireOwnCodes(tx: Tx): Promise<void> {
  await lockAliases(tx)
  refuseTaken(await findTakenMeanwhile(tx))
}

/** Refuses what would give a code to one component that has become another's meanwhile. Throws 'barcode_taken'. */
export function refuseTaken(taken: { code: string; other: string } | null): void {
  if (taken === null) return
  const { code, other } = taken
  throw new AppError('barcode_taken', {
    sentence: `Meanwhile ${code} has become a barcode of ${other}. Nothing was changed: look again, then decide.`,
  })
}
