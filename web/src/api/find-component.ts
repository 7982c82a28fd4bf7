import { componentDetail } from '@inventory-manager/contract/stock/component-endpoints'
import { maxBarcodeLength } from '@inventory-manager/contract/values'
import { isNotFound } from './api-error.ts'
import { call } from './client.ts'

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

/** The own barcode of the component that has the first of some codes that any has, also where it is retired; null where none has. */
export async function findFirst(codes: readonly string[], signal: AbortSignal): Promise<string | null> {
  for (const code of codes) {
    const found = await findComponent(code, { signal })
    if (found !== null) return found.barcode
  }
  return null
}
