import type { ImportField } from '@inventory-manager/contract/imports/rules'
import type { QuantityField } from '@inventory-manager/contract/locations'

/** The words that name a field, also in German, French and Spanish; the first that fits counts. */
const words: readonly [RegExp, ImportField][] = [
  [
    /desc|name|title|\btext|text\b|bezeichnung|beschreibung|d[ée]signation|libell|^nom(?!\p{L})/iu,
    'description',
  ],
  [/\b(sku|bar ?codes?|ean|upc|gtin|code[ -]?barres?|c[oó]digo de barras|strichcode)\b/i, 'barcode'],
  [/quarantine|blocked|on[ _-]?hold|gesperrt/i, 'quarantine_quantity'],
  [/primary|\bmain\b|hauptlager/i, 'primary_quantity'],
  [/secondary|overflow|\breserve\b/i, 'secondary_quantity'],
  [/fulfil/i, 'fulfillment_quantity'],
  [/distribution/i, 'distribution_quantity'],
  [/^stock[ _-]?(code|id|no\.?|number)(?!\p{L})/iu, 'barcode'],
  [/^(artikel|material|teile?)[ _-]?(code|id|nr\.?|nummer|no\.?)?(?!\p{L})/iu, 'barcode'],
  [
    /^(id|code|item|article|product|component|part|r[ée]f(\.|[ée]rence|erencia)?|c[oó]digo)(?!\p{L})/iu,
    'barcode',
  ],
]

const anyQuantity =
  /^(quantity|qty|stock|count|amount|pieces|on[ _-]?hand|available|inventory|menge|anzahl|(lager)?bestand|st[üu]ck|quantit[ée]|qt[ée]|cantidad|existencias)(?!\p{L})/iu
const unwanted =
  /total|last[ _-]?count|reserved|reserviert|\b(value|price|cost|unit|min|max|minimum|maximum|date)\b/i

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
