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

/** A trade item number of 14 digits; `isOfContents`: of what lies in a logistic unit, such as a pallet, which is no piece of it itself. */
type Found = { gtin: string; isOfContents: boolean }

const found = (identifier: string, gtin: string): Found => ({ gtin, isOfContents: identifier === '02' })

/** A Digital Link's GTIN (GS1 Digital Link: URI Syntax), which stands in its path. */
function inLink(text: string): Found | null {
  const gtin = /^https?:\/\/[^?#]*\/01\/(\d{8}|\d{12,14})(?:[/?#]|$)/i.exec(text)?.[1]
  return gtin === undefined ? null : found('01', gtin.padStart(14, '0'))
}

/** The GTIN of elements as decoders write them for people. */
function inBrackets(text: string): Found | null {
  const [, identifier, gtin] = /\((0[12])\)(\d{14})/.exec(text.startsWith('(') ? text : '') ?? []
  return identifier === undefined || gtin === undefined ? null : found(identifier, gtin)
}

/** The GTIN of elements one behind the other, up to one whose length is not known. */
function inPart(part: string): Found | null {
  let rest = part
  while (rest !== '') {
    const [, identifier, gtin] = /^(0[12])(\d{14})(?=\d|$)/.exec(rest) ?? []
    if (identifier !== undefined && gtin !== undefined) return found(identifier, gtin)
    const element = rest
    const length = predefined.find(([each]) => each.test(element))?.[1]
    if (length === undefined) return null
    rest = rest.slice(2 + length)
  }
  return null
}

function inElements(text: string): Found | null {
  for (const part of text.split(groupSeparator)) {
    const inThis = inPart(part)
    if (inThis !== null) return inThis
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
function inShort(text: string): Found | null {
  const [form, whole] = (/^[01]\d{7}$/.test(text) && suppressed.find(([each]) => each.test(text))) || []
  if (form === undefined || whole === undefined) return null
  return found('01', text.replace(form, whole).padStart(14, '0'))
}

/** The GTIN that digits alone are: the same article bears 13 in EAN-13 and 14 in ITF-14 (GS1 General Specifications, 3.3.2). */
function inDigits(text: string): Found | null {
  return /^(?:\d{8}|\d{12,14})$/.test(text) ? found('01', text.padStart(14, '0')) : null
}

/** What a scan may say of itself. `isMarked`: nothing but GS1 is written so. */
type Carried = Found & { isMarked: boolean }

function carriedBy(text: string): Carried[] {
  const bare = text.replace(symbologyIdentifier, '')
  const marked = inLink(bare) ?? inBrackets(bare)
  const isMarked = marked !== null || bare !== text || bare.includes(groupSeparator)
  const all = marked === null ? [inElements(bare), inShort(bare), inDigits(bare)] : [marked]
  return all.flatMap((each) => (each !== null && isChecked(each.gtin) ? [{ ...each, isMarked }] : []))
}

/** A GTIN of 14 digits as the shorter code that it is on the goods: of 8 or 13 digits, or of 14 on an outer case. */
function shortened(gtin: string): string {
  return gtin.startsWith('000000') ? gtin.slice(6) : gtin.replace(/^0/, '')
}

const writingsOf = (gtin: string) => [shortened(gtin), gtin]

/** All writings of the trade item numbers that a scan may carry. */
export function numbersIn(scanned: string): string[] {
  return carriedBy(scanned.trim()).flatMap(({ gtin }) => writingsOf(gtin))
}

/** Whether two codes are the same digits, but for zeros before them. */
export function hasOtherZeros(one: string, other: string): boolean {
  const [digits, others] = [one, other].map((code) => /^0*(\d+)$/.exec(code.trim())?.[1])
  return digits !== undefined && digits === others && one.trim() !== other.trim()
}

export type TradeItem = { code: string; isOfContents: boolean }

/**
 * The trade item number in what was scanned, which may be an element string with lot and expiry, as it comes from a scanner or
 * from a decoder, a Digital Link, or the number with more or fewer zeros before it: in the writing that is known, else as it is on the
 * goods. Null where it carries none, or may be another code and nobody knows the number.
 */
export function tradeItemIn(scanned: string, isKnownCode: (code: string) => boolean): TradeItem | null {
  const all = carriedBy(scanned.trim())
  for (const { gtin, isOfContents } of all) {
    const known = writingsOf(gtin).find(isKnownCode)
    if (known !== undefined) return { code: known, isOfContents }
  }
  const [marked] = all.filter(({ isMarked }) => isMarked)
  return marked === undefined ? null : { code: shortened(marked.gtin), isOfContents: marked.isOfContents }
}
