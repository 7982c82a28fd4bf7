import type { LocationCode } from '@inventory-manager/contract/locations'
import { useEffect, useState, type Dispatch, type SetStateAction } from 'react'
import { ownKey, readOwner } from '../api/token.ts'
import type { Encoding } from '../lib/encoding.ts'
import { keepInTab } from '../lib/tab.ts'

/** `choice`: how its letters are read, where it does not tell by itself. */
export type CsvFile = { name: string; text: string; source: File; choice: Encoding | null }
export type ProductInput = { typed: string; file: CsvFile | null }

/** As much as any tab has room for beside what else it keeps; more than that comes from a file. */
const mostKept = 500_000

/** What a person gives for a location. Their typed lines stay in the tab until labels are made of them, whatever is opened or loaded meanwhile. */
export function useProductInput(
  location: LocationCode,
): [ProductInput, Dispatch<SetStateAction<ProductInput>>] {
  const [key] = useState(() => ownKey(`typed_products_${location}`, readOwner()))
  const [input, setInput] = useState<ProductInput>(() => ({
    typed: sessionStorage.getItem(key) ?? '',
    file: null,
  }))
  const { typed } = input
  useEffect(() => {
    if (typed === '' || typed.length > mostKept) sessionStorage.removeItem(key)
    else keepInTab(key, typed)
  }, [key, typed])
  return [input, setInput]
}
