import { inWords } from '../in-words.ts'
import { maxBinLength } from '../values.ts'

/** How many names of bins are chosen at once. */
export const mostBins = 50

export const tooManyBins = `Name at most ${mostBins} bins.`

/** What is wrong with names of bins; null for nothing. */
export function faultOfBins(names: readonly string[]): string | null {
  if (names.length > mostBins) return tooManyBins
  const isTooLong = names.some((name) => name.length > maxBinLength)
  return isTooLong ? `The name of a bin has at most ${maxBinLength} characters.` : null
}

/** Names without those that were there before, in capitals or not. */
export function eachOnce(names: readonly string[]): string[] {
  const known = new Map(names.toReversed().map((name) => [name.toLowerCase(), name]))
  return names.filter((name) => known.get(name.toLowerCase()) === name && known.delete(name.toLowerCase()))
}

/** The bins that a text names, as people type them: 'A, B-1' or a line for each. */
export function readBins(typed: string): string[] {
  return eachOnce(typed.split(/[,;\n]/).map((name) => name.trim())).filter((name) => name !== '')
}

/** As `readBins` reads them; what lies in none has no name there. */
export function writeBins(names: readonly string[]): string {
  return names.filter((name) => name !== '').join(', ')
}

/** The bins of some names in a sentence: 'bin A', 'bins A, B and what has no bin'. */
export function binsInWords(names: readonly string[]): string {
  const named = names.filter((name) => name !== '')
  const words = [
    ...named.map((name, place) => (place === 0 ? `${named.length === 1 ? 'bin' : 'bins'} ${name}` : name)),
    ...(named.length < names.length ? ['what has no bin'] : []),
  ]
  return inWords(words)
}
