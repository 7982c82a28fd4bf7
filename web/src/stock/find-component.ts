import { componentDetail } from '@inventory-manager/contract/stock/component-endpoints'
import { maxBarcodeLength } from '@inventory-manager/contract/values'
import { isNotFound } from '../api/api-error.ts'
import { call } from '../api/client.ts'

/** The component that has exactly this barcode, also where it is retired; null where none has it. */
export async function findComponent(barcode: string, options: { signal?: AbortSignal } = {}) {
  if (barcode === '' || barcode.length > maxBarcodeLength) return null
  try {
    return await call(componentDetail, { query: { barcode } }, options)
  } catch (error) {
    if (isNotFound(error)) return null
    throw error
  }
}
