import { getLocation } from '@inventory-manager/contract/locations'
import { importComponents } from '@inventory-manager/contract/stock/endpoints'
import { useState } from 'react'
import { call } from '../api/client.ts'
import { useOnce } from '../api/once.ts'
import type { KnownComponents } from './known-components.ts'
import { createStoredProducts, type Storing } from './stored-products.ts'

/** Stores the products of one screen before their labels are made. */
export function useProductStoring() {
  const once = useOnce()
  const [stored] = useState(createStoredProducts)

  return {
    isStored: (storing: Storing) => stored.missing(storing).length === 0,
    /** Stores what is not stored yet. Throws ApiError; then it can be tried again and is done once. */
    async store(storing: Storing, known: KnownComponents): Promise<void> {
      const { quantityField } = getLocation(storing.location)
      for (const { existing, products } of stored.missing(storing)) {
        stored.begin(products, known)
        const body = products.map(({ barcode, description, quantity }) => ({
          barcode,
          description,
          [quantityField]: quantity,
        }))
        const input = { query: { existing }, body }
        await once(input, (idempotencyKey) => call(importComponents, input, { idempotencyKey }))
        stored.finish(products, storing)
      }
    },
    /** After the labels are made: what is typed next is stored anew. */
    clear: () => stored.clear(),
  }
}
