import type { ImportField } from '@inventory-manager/contract/imports/rules'
import type { QuantityField } from '@inventory-manager/contract/locations'

const words: readonly [RegExp, ImportField][] = [
  [/quarantine|blocked|on[ _-]?hold/i, 'quarantine_quantity'],
  [/primary|main/i, 'primary_quantity'],
  [/secondary|overflow|reserve/i, 'secondary_quantity'],
  [/fulfil/i, 'fulfillment_quantity'],
  [/distribution/i, 'distribution_quantity'],
  [/desc|name|title|text|bezeichnung/i, 'description'],
  [/^(id|sku|bar ?code|code|ean|upc|gtin|item|article|product|component|part)\b/i, 'barcode'],
]

const anyQuantity = /^(quantity|qty\.?|stock|count|amount|pieces|on[ _-]?hand|available)\b/i
const unwanted = /total|last[ _-]?count/i

export type Guessing = { here: QuantityField; offered: readonly ImportField[] }

/**
 * What the columns of a file mean by their heads; null for one that says nothing. A bare quantity is that of `here`.
 * No field is guessed twice, and none that is not offered.
 */
export function guessFields(heads: readonly string[], { here, offered }: Guessing): (ImportField | null)[] {
  const taken = new Set<ImportField>()
  return heads.map((head) => {
    const text = head.trim()
    if (unwanted.test(text)) return null
    const found = words.find(([pattern]) => pattern.test(text))?.[1]
    const field = found ?? (anyQuantity.test(text) ? here : null)
    if (field === null || taken.has(field) || !offered.includes(field)) return null
    taken.add(field)
    return field
  })
}

/** For a file without heads: barcode, then description, then the quantity of `here`. */
export function fieldsByPlace(columns: number, here: QuantityField): (ImportField | null)[] {
  const usual: ImportField[] = columns === 2 ? ['barcode', here] : ['barcode', 'description', here]
  return Array.from({ length: columns }, (_, index) => usual[index] ?? null)
}
