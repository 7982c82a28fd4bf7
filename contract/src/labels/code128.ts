/** Bar and space widths in modules of the values 0 to 105, then the stop pattern (ISO/IEC 15417, table 1). */
const patterns = `
  212222 222122 222221 121223 121322 131222 122213 122312 132212 221213 221312 231212 112232 122132 122231 113222
  123122 123221 223211 221132 221231 213212 223112 312131 311222 321122 321221 312212 322112 322211 212123 212321
  232121 111323 131123 131321 112313 132113 132311 211313 231113 231311 112133 112331 132131 113123 113321 133121
  313121 211331 231131 213113 213311 213131 311123 311321 331121 312113 312311 332111 314111 221411 431111 111224
  111422 121124 121421 141122 141221 112214 112412 122114 122411 142112 142211 241211 221114 413111 241112 134111
  111242 121142 121241 114212 124112 124211 411212 421112 421211 212141 214121 412121 111143 111341 131141 114113
  114311 411113 411311 113141 114131 311141 411131 211412 211214 211232 2331112`
  .trim()
  .split(/\s+/)
  .map((pattern) => Array.from(pattern, Number))

const toCodeC = 99
const toCodeB = 100
const startB = 104
const startC = 105
const stop = 106

/** Modules of start, checksum and stop together, and of each symbol character between start and checksum. */
const frameModules = 35
const modulesPerCharacter = 11

export interface Code128 {
  /** Length of the symbol in modules, without quiet zones. */
  modules: number
  /** Widths of bars and spaces in turn, in modules, starting and ending with a bar. */
  widths: number[]
}

/** The shortest way to have encoded a text up to some place and to stand there in one code set. */
interface Route {
  length: number
  value: number
  before: Route | null
}

interface Place {
  b: Route
  c: Route
}

const nowhere: Route = { length: Infinity, value: stop, before: null }

/** True for the texts a label can carry: one or more of the 95 printable ASCII characters. */
export function isPrintableAscii(text: string): boolean {
  return /^[ -~]+$/.test(text)
}

/**
 * Encodes printable ASCII as the shortest possible Code 128 symbol (ISO/IEC 15417).
 * Code set A is never needed: it has nothing printable that B lacks, at the same length.
 * Throws a RangeError for any other text; `checkLabel` finds those first.
 */
export function encodeCode128(text: string): Code128 {
  if (!isPrintableAscii(text)) throw new RangeError('Code 128 labels hold printable ASCII only.')
  const values = valuesOf(shortest(routes(text).at(-1)))
  let sum = 0
  for (const [place, value] of values.entries()) sum += value * Math.max(place, 1)
  const widths: number[] = []
  for (const value of [...values, sum % 103, stop]) widths.push(...(patterns[value] ?? []))
  return { modules: symbolModules(values.length - 1), widths }
}

/** Modules of the symbol of every beginning of a printable text: entry n is for its first n + 1 characters. */
export function prefixModules(text: string): number[] {
  return routes(text)
    .slice(1)
    .map((place) => symbolModules(shortest(place).length - 1))
}

function symbolModules(characters: number): number {
  return frameModules + modulesPerCharacter * characters
}

/** Dynamic programming over the text: the best routes to each place between two characters. */
function routes(text: string): Place[] {
  const places: Place[] = [{ b: step(null, startB), c: step(null, startC) }]
  for (let end = 1; end <= text.length; end += 1) {
    const b = step(places[end - 1]?.b ?? nowhere, text.charCodeAt(end - 1) - 32)
    const pair = digitPair(text, end)
    const c = pair === null ? nowhere : step(places[end - 2]?.c ?? nowhere, pair)
    places.push({ b: shorter(b, step(c, toCodeB)), c: shorter(c, step(b, toCodeC)) })
  }
  return places
}

function step(before: Route | null, value: number): Route {
  return { length: (before?.length ?? 0) + 1, value, before }
}

function shorter(a: Route, b: Route): Route {
  return a.length <= b.length ? a : b
}

function shortest(place: Place | undefined): Route {
  return place === undefined ? nowhere : shorter(place.b, place.c)
}

/** The number 0 to 99 whose two digits end at `end`, or null when there are no two digits. */
function digitPair(text: string, end: number): number | null {
  const tens = digit(text.charCodeAt(end - 2))
  const ones = digit(text.charCodeAt(end - 1))
  return tens === null || ones === null ? null : tens * 10 + ones
}

function digit(charCode: number): number | null {
  return charCode >= 48 && charCode <= 57 ? charCode - 48 : null
}

function valuesOf(last: Route): number[] {
  const values: number[] = []
  for (let route: Route | null = last; route !== null; route = route.before) values.push(route.value)
  return values.reverse()
}
