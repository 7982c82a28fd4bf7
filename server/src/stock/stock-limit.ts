import { wholeNumber } from '@inventory-manager/contract/numbers'
import { maxQuantity } from '@inventory-manager/contract/values'
import { isOutOfRange } from '../platform/db/errors.ts'
import { AppError } from '../platform/http/app-error.ts'

/** How a sentence goes on that says what would bring stock there. */
export const aboveStockLimit = `above ${wholeNumber(maxQuantity)}, which is more than can be kept`

/** Throws 'stock_limit', with what is said of it if anything, where work that adds to stock would bring it above what can be kept. */
export async function withinStockLimit<T>(
  work: () => Promise<T>,
  said: { sentence?: string } = {},
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw isOutOfRange(error) ? new AppError('stock_limit', { ...said, cause: error }) : error
  }
}
