/** Each word is looked for by itself; who pastes a whole description is found by its beginning. */
const mostWords = 8

/** The words of a text that is searched for, in small letters: each has to stand somewhere, in whichever order. None of an empty text. */
export function soughtWords(typed: string): string[] {
  const words = typed.toLowerCase().split(/\s+/)
  return [...new Set(words)].filter((word) => word !== '').slice(0, mostWords)
}
