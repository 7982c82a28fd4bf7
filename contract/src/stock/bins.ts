let order: Intl.Collator | undefined

/** Compares names of bins as people walk: A-2 before A-10, in capitals or not; what lies in none, '', comes last. */
export function compareBins(one: string, other: string): number {
  if (one === '' || other === '') return Number(one === '') - Number(other === '')
  order ??= new Intl.Collator('en', { numeric: true, sensitivity: 'base' })
  return order.compare(one, other)
}

/** Small letters of any script, and no punctuation, as a class of a pattern. */
export const letters = 'a-z\u00df-\u1fff\u2c00-\u2fff\u3040-\ufdff\u{10000}-\u{2ffff}'

/** The last sign of a name and the first behind it, where they are of one number or one word: A1 is not where A10 is. */
const goesOn = new RegExp(`^(?:[0-9]{2}|[${letters}]{2})$`, 'u')

/** Tells whether a bin is one of some, or belongs to one: 'A-03-2' to 'A' and to 'a-03', and not to 'A-0'. Of both '' is none. */
export function within(names: readonly string[]): (bin: string) => boolean {
  const wanted = names.map((name) => name.toLowerCase())
  return (bin) => {
    const own = bin.toLowerCase()
    return wanted.some((name) => {
      if (name === '') return own === ''
      return own.startsWith(name) && !goesOn.test(own.slice(name.length - 1, name.length + 1))
    })
  }
}
