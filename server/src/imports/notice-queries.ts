import { stockFields } from '@inventory-manager/contract/stock/places'
import { sql, type RawBuilder } from 'kysely'

/** What a row of a file of these columns lacks that has a barcode alone. */
export function lackOf(fields: readonly string[]): 'description' | 'all' {
  return fields.includes('description') ? 'description' : 'all'
}

const isOfStock = (name: string) => stockFields.some(({ field }) => field === name)

/** Whether a row that is judged has a barcode alone: no description or, in a file of stock alone, none of that. */
export function isBare(fields: readonly string[]): RawBuilder<boolean> {
  if (lackOf(fields) === 'description') return sql<boolean>`description = ''`
  const others = fields.filter((field) => field !== 'barcode')
  if (others.length === 0 || !others.every(isOfStock)) return sql<boolean>`false`
  const quantities = sql.join(stockFields.map(({ field }) => sql.ref(field)))
  return sql<boolean>`num_nonnulls(${quantities}) = 0`
}
