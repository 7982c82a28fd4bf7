/** What the own font of thermal printers lacks: it has Latin letters and the signs of Windows-1252. */
const lacking = /[^ -~\u00a0-\u024f–—‘’‚“”„†‡•…‰‹›€™]/gu

/** Signs that are written otherwise without a loss: hyphens and minus, primes, fraction slashes, the Greek letter of micro. */
const plain = new Map([
  ['\u2010', '-'],
  ['\u2011', '-'],
  ['\u2212', '-'],
  ['\u2032', "'"],
  ['\u2033', '"'],
  ['\u2044', '/'],
  ['\u2215', '/'],
  ['\u03bc', 'µ'],
])

const signByPlain = (text: string) => Array.from(text, (sign) => plain.get(sign) ?? sign).join('')

const beginsWithDigit = /^\d/

/**
 * A sign as it is written in the signs there are, such as № as No and ℃ as °C; else a question mark. A fraction behind a number is set
 * apart from it, and what else would become a digit of that number is none.
 */
function replaced(sign: string, at: number, line: string): string {
  const text = signByPlain(signByPlain(sign).normalize('NFKC'))
  if (text === '' || new RegExp(lacking.source, 'u').test(text)) return '?'
  const isBehindNumber = /\d/.test(line.slice(at - 1, at))
  if (!isBehindNumber || !beginsWithDigit.test(text) || /\p{Nd}/u.test(sign)) return text
  return text.includes('/') ? ` ${text}` : '?'
}

/** A line as a thermal printer sets it in its own font: what that lacks is written in what it has, or as a question mark. */
export function inPrinterFont(text: string): string {
  return text.replaceAll(lacking, replaced)
}
