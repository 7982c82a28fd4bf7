import { piecesFaults, readPiecesTyped } from '@inventory-manager/contract/stock/typed-pieces'

/** What is wrong with a field for a number of pieces that may be empty; null where nothing is. */
export function optionalNumberFault(text: string): string | null {
  return text === '' || readPiecesTyped(text) !== null ? null : piecesFaults.optional
}
