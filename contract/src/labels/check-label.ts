import { defaultDpi, labelDots, moduleDotsOf, quietModules } from './bars.ts'
import { encodeCode128, isPrintableAscii, prefixModules } from './code128.ts'
import type { Symbology } from './symbologies.ts'
import { labelSizes, type LabelSize, type LabelSizeKey } from './sizes.ts'

export interface LabelRefusal {
  code: 'empty' | 'unprintable' | 'outer_space' | 'too_long'
  message: string
}

/** Label sizes from the smallest on, so that the first that fits wastes least. */
const smallestFirst = Object.values(labelSizes).toReversed()

const leastModuleDots = moduleDotsOf[defaultDpi].least

/**
 * Null when the barcode prints and scans on this label size, else why not. Decided at modules of 2 dots, 203 dpi; the
 * same characters fit at 300 dpi. A barcode of any length that can be stored fits every size as a QR or Data Matrix.
 */
export function checkLabel(
  barcode: string,
  size: LabelSizeKey,
  symbology: Symbology = 'code128',
): LabelRefusal | null {
  if (barcode === '') return { code: 'empty', message: 'Barcode is empty.' }
  if (!isPrintableAscii(barcode)) return { code: 'unprintable', message: unprintable(barcode) }
  if (barcode !== barcode.trim()) {
    return { code: 'outer_space', message: `Barcode "${barcode}" starts or ends with a space.` }
  }
  if (symbology !== 'code128') return null
  const { modules } = encodeCode128(barcode)
  if (modules <= mostModules(labelSizes[size])) return null
  return { code: 'too_long', message: tooLong(barcode, modules, labelSizes[size]) }
}

/** What any barcode of a size may hold: `characters` of printable ASCII, or an even number of `digits`. */
export function labelCapacity(size: LabelSizeKey): { characters: number; digits: number } {
  const fits = (text: string) => longestFitting(text, labelSizes[size])
  return { characters: fits('A'.repeat(99)), digits: fits('0'.repeat(99)) }
}

function mostModules(size: LabelSize): number {
  return Math.floor(labelDots({ size, dpi: defaultDpi }) / leastModuleDots) - 2 * quietModules
}

/** Characters of the longest beginning of a text that fits. */
function longestFitting(text: string, size: LabelSize): number {
  return 1 + prefixModules(text).findLastIndex((modules) => modules <= mostModules(size))
}

function unprintable(barcode: string): string {
  const char = Array.from(barcode).find((char) => !isPrintableAscii(char)) ?? ''
  const hex = (char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
  return `Barcode "${barcode}" contains "${char}" (U+${hex}), which cannot be printed as a barcode. Use letters A-Z a-z, digits and ASCII symbols.`
}

function tooLong(barcode: string, modules: number, size: LabelSize): string {
  const better = smallestFirst.find((other) => modules <= mostModules(other))
  if (better === undefined) {
    const most = labelCapacity('4x1.5')
    return `Barcode "${barcode}" is too long for any label size (${barcode.length} characters; a 4 x 1.5 in label holds ${most.characters}, or ${most.digits} digits). It fits as a QR code or Data Matrix.`
  }
  const dots = (modules + 2 * quietModules) * leastModuleDots
  const need = Math.ceil((dots / defaultDpi) * 100) / 100
  const most = longestFitting(barcode, size)
  return `Barcode "${barcode}" is too long for a ${size.width} x ${size.height} in label: it needs ${need} in, the label has ${size.width} in. Use the ${better.name} ${better.width} x ${better.height} in label or shorten the barcode (up to ${most} characters fit).`
}
