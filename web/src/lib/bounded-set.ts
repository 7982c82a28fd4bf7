/** Adds to a set that forgets its oldest entries beyond a number. False where the entry was in it. */
export function remember<T>(known: Set<T>, entry: T, most: number): boolean {
  if (known.has(entry)) return false
  known.add(entry)
  for (const oldest of known) {
    if (known.size <= most) break
    known.delete(oldest)
  }
  return true
}
