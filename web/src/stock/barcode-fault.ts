import { countMessages } from '@inventory-manager/contract/counting/messages'
import { maxBarcodeLength } from '@inventory-manager/contract/values'

/** What keeps a code from being a component's barcode; null where nothing does. */
export function barcodeFault(code: string): string | null {
  if (code === '') return 'Scan or type a barcode.'
  return code.length > maxBarcodeLength ? countMessages.codeTooLong(maxBarcodeLength, code.length) : null
}
