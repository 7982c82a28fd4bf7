let order: Intl.Collator | undefined

/** Compares names of bins as people walk: A-2 before A-10, in capitals or not; what lies in none, '', comes last. */
export function compareBins(one: string, other: string): number {
  if (one === '' || other === '') return Number(one === '') - Number(other === '')
  order ??= new Intl.Collator('en', { numeric: true, sensitivity: 'base' })
  return order.compare(one, other)
}
