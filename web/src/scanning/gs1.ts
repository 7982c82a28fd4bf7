/** The group separator that stands for FNC1 behind an element of variable length. */
export const groupSeparator = '\u001D'

/** What scanners may say of the symbol before a GS1 element string (ISO/IEC 15424). */
const symbologyIdentifier = /^\](?:C1|e0|d2|Q3|J1)/

/** Identifiers whose elements need no separator, and the digits behind the first two (GS1 General Specifications, 7.8.4). */
const predefined: readonly [RegExp, number][] = [
  [/^00/, 18],
  [/^03/, 14],
  [/^04/, 16],
  [/^1[1-9]/, 6],
  [/^20/, 2],
  [/^3[1-6]/, 8],
  [/^41/, 14],
]

/** Whether the last of the digits is their check digit (GS1 General Specifications, 7.9). */
function isChecked(digits: string): boolean {
  const sum = Array.from(digits)
    .toReversed()
    .reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3), 0)
  return sum % 10 === 0
}

/** A Digital Link's GTIN (GS1 Digital Link: URI Syntax), which stands in its path. */
function inLink(text: string): string | null {
  return /^https?:\/\/[^?#]*\/01\/(\d{8}|\d{12,14})(?:[/?#]|$)/i.exec(text)?.[1]?.padStart(14, '0') ?? null
}

/** The GTIN of elements as decoders write them for people. */
function inBrackets(text: string): string | null {
  return /\(0[12]\)(\d{14})/.exec(text.startsWith('(') ? text : '')?.[1] ?? null
}

/** The GTIN of elements one behind the other, up to one whose length is not known. */
function inPart(part: string): string | null {
  let rest = part
  while (rest !== '') {
    const found = /^0[12](\d{14})(?=\d|$)/.exec(rest)?.[1]
    if (found !== undefined) return found
    const element = rest
    const length = predefined.find(([identifier]) => identifier.test(element))?.[1]
    if (length === undefined) return null
    rest = rest.slice(2 + length)
  }
  return null
}

function inElements(text: string): string | null {
  for (const part of text.split(groupSeparator)) {
    const found = inPart(part)
    if (found !== null) return found
  }
  return null
}

/** How many zeros the last of the six digits of UPC-E stands for, and behind which digit (GS1 General Specifications, 5.2.2.4.2). */
const suppressed: readonly [RegExp, string][] = [
  [/^(\d{3})(\d{3})([012])(\d)$/, '$1$30000$2$4'],
  [/^(\d{4})(\d\d)3(\d)$/, '$100000$2$3'],
  [/^(\d{5})(\d)4(\d)$/, '$100000$2$3'],
  [/^(\d{6})([5-9])(\d)$/, '$10000$2$3'],
]

/** The GTIN of a UPC-E, which a scanner sends as it stands under the bars. */
function inShort(text: string): string | null {
  const [form, whole] = (/^[01]\d{7}$/.test(text) && suppressed.find(([each]) => each.test(text))) || []
  return form === undefined || whole === undefined ? null : text.replace(form, whole).padStart(14, '0')
}

/** What a scan says of itself. `isMarked`: nothing but GS1 is written so. */
type Carried = { gtin: string; isMarked: boolean }

function carriedBy(text: string): Carried | null {
  const bare = text.replace(symbologyIdentifier, '')
  const marked = inLink(bare) ?? inBrackets(bare)
  const gtin = marked ?? inElements(bare) ?? inShort(bare)
  if (gtin === null || !isChecked(gtin)) return null
  return { gtin, isMarked: marked !== null || bare !== text || bare.includes(groupSeparator) }
}

/** A GTIN of 14 digits as the shorter code that it is on the goods: of 8 or 13 digits, or of 14 on an outer case. */
function shortened(gtin: string): string {
  return gtin.startsWith('000000') ? gtin.slice(6) : gtin.replace(/^0/, '')
}

/**
 * The trade item number in what was scanned, which may be an element string with lot and expiry, as it comes from a scanner or
 * from a decoder, or a Digital Link: in the writing that is known, else as it is on the goods. Null where it carries none, or may be
 * another code and nobody knows the number.
 */
export function gtinIn(scanned: string, isKnownCode: (code: string) => boolean): string | null {
  const carried = carriedBy(scanned.trim())
  if (carried === null) return null
  const short = shortened(carried.gtin)
  const known = [short, carried.gtin].find(isKnownCode)
  return known ?? (carried.isMarked ? short : null)
}
