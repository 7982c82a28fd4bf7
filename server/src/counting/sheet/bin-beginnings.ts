/** Signs outside of ASCII whose small letter begins with one of it: the Kelvin sign and the dotted capital I. */
const capitalsOf: Partial<Record<string, string>> = { k: '\u212a', i: '\u0130' }

/**
 * What all bins that belong to a name (`within`) begin with, at least, where only the letters of ASCII are made small, as in the index of
 * bins; '' where that says nothing.
 */
export function beginningsOf(name: string): string[] {
  const plain = /^[ -~]*/.exec(name.toLowerCase())?.[0] ?? ''
  const others = plain.split('').flatMap((letter, place) => {
    const capital = capitalsOf[letter]
    return capital === undefined ? [] : [plain.slice(0, place) + capital]
  })
  return [plain, ...others]
}

/** The first text, by its code points, that is behind all that begin with one. */
export function behindAll(beginning: string): string {
  const last = beginning.codePointAt(beginning.length - 1)
  if (last === undefined) return ''
  return beginning.slice(0, -1) + String.fromCodePoint(last + 1)
}
