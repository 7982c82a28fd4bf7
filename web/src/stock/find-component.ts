import { componentDetail } from '@inventory-manager/contract/stock/component-endpoints'
import { maxBarcodeLength } from '@inventory-manager/contract/values'
import { ApiError } from '../api/api-error.ts'
import { call } from '../api/client.ts'

/** The component that has exactly this barcode, also where it is retired; null where none has it. */
export async function findComponent(barcode: string, options: { signal?: AbortSignal } = {}) {
  if (barcode === '' || barcode.length > maxBarcodeLength) return null
  try {
    return await call(componentDetail, { query: { barcode } }, options)
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return null
    throw error
  }
}
