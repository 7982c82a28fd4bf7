/** Words as a sentence lists them: 'A', 'A and B', 'A, B and C'; '' of none. */
export function inWords(words: readonly string[]): string {
  const last = words.at(-1) ?? ''
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} and ${last}`
}
