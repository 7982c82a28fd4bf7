import { createHash } from 'node:crypto'
import type { Font, Subset } from 'fontkit'
import type { Sign } from './shaping.ts'
import { pdfNumber } from './pdf-number.ts'
import { addObject, addStream, type PdfFile } from './pdf-file.ts'

/** The part of a font that one PDF uses. */
interface EmbeddedFont {
  /** Its name in the pages' resources. */
  name: string
  subset: Subset
  /** What each glyph of the subset stands for, by its number there (CID). */
  signs: Map<number, Sign>
  /** The codes of the signs seen, as they are written. */
  codes: Map<Sign, string>
}

/** The most rows of one block of a CMap. */
const rowsPerBlock = 100

/** The fonts of one PDF, each taken in with its first sign. */
export type EmbeddedFonts = Map<Font, EmbeddedFont>

/** Operators that show signs one after another (ISO 32000-1, 9.4.3); each glyph is a code of two bytes. */
export function showSigns(fonts: EmbeddedFonts, signs: readonly Sign[], fontSize: number): string {
  let operators = ''
  let current: EmbeddedFont | null = null
  for (const sign of signs) {
    const font = embed(fonts, sign.font)
    if (font !== current) {
      operators += `${current === null ? '' : '>Tj'}/${font.name} ${pdfNumber(fontSize)} Tf<`
      current = font
    }
    operators += font.codes.get(sign) ?? takeIn(font, sign)
  }
  return current === null ? '' : `${operators}>Tj`
}

/** Takes a sign into the subset and gives its code as it is written. */
function takeIn(font: EmbeddedFont, sign: Sign): string {
  const code = font.subset.includeGlyph(sign.glyph)
  font.signs.set(code, sign)
  const written = hex(code)
  font.codes.set(sign, written)
  return written
}

/** Writes the fonts that were used and gives the font entries of the pages' resources. */
export function writeFonts(file: PdfFile, fonts: EmbeddedFonts): string {
  return Array.from(
    fonts,
    ([font, embedded]) => `/${embedded.name} ${writeFont(file, font, embedded)} 0 R`,
  ).join('')
}

function embed(fonts: EmbeddedFonts, font: Font): EmbeddedFont {
  const known = fonts.get(font)
  if (known !== undefined) return known
  const embedded: EmbeddedFont = {
    name: `F${fonts.size + 1}`,
    subset: font.createSubset(),
    signs: new Map(),
    codes: new Map(),
  }
  fonts.set(font, embedded)
  return embedded
}

/** Writes a composite font over a TrueType subset whose glyph numbers are the codes (9.7) and gives its number. */
function writeFont(file: PdfFile, font: Font, { subset, signs }: EmbeddedFont): number {
  const program = subset.encode()
  const name = `/${subsetTag(program)}+${font.postscriptName}`
  const fontFile = addStream(file, program, `/Length1 ${program.length}`)
  const descriptor = addObject(file, fontDescriptor(font, name, fontFile))
  const widths = Array.from(signs, ([code, sign]) => `${code}[${pdfNumber(sign.advance * 1000)}]`).join('')
  const descendant = addObject(
    file,
    `<</Type/Font/Subtype/CIDFontType2/BaseFont${name}/CIDToGIDMap/Identity` +
      '/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>' +
      `/FontDescriptor ${descriptor} 0 R/W[${widths}]>>`,
  )
  const toUnicode = addStream(file, unicodeMap(signs))
  return addObject(
    file,
    `<</Type/Font/Subtype/Type0/BaseFont${name}/Encoding/Identity-H` +
      `/DescendantFonts[${descendant} 0 R]/ToUnicode ${toUnicode} 0 R>>`,
  )
}

/** Table 122; lengths in thousandths of the font size. Flag 4: the font has its own codes. */
function fontDescriptor(font: Font, name: string, fontFile: number): string {
  const scaled = (length: number) => pdfNumber((length * 1000) / font.unitsPerEm)
  const box = [font.bbox.minX, font.bbox.minY, font.bbox.maxX, font.bbox.maxY].map(scaled).join(' ')
  const heights = `/Ascent ${scaled(font.ascent)}/Descent ${scaled(font.descent)}/CapHeight ${scaled(font.capHeight ?? font.ascent)}`
  return `<</Type/FontDescriptor/FontName${name}/Flags 4/FontBBox[${box}]/ItalicAngle 0${heights}/StemV 80/FontFile2 ${fontFile} 0 R>>`
}

/** Six capitals that tell this subset from others of its font (9.6.4). */
function subsetTag(program: Uint8Array): string {
  const bytes = createHash('sha256').update(program).digest().subarray(0, 6)
  return String.fromCharCode(...bytes.map((byte) => 65 + (byte % 26)))
}

/** The ToUnicode CMap (9.10.3), by which text can be searched and copied. */
function unicodeMap(signs: ReadonlyMap<number, Sign>): string {
  const rows = Array.from(signs, ([code, sign]) => `<${hex(code)}><${utf16Hex(sign.text)}>`)
  const blocks = Array.from({ length: Math.ceil(rows.length / rowsPerBlock) }, (_, block) => {
    const part = rows.slice(block * rowsPerBlock, (block + 1) * rowsPerBlock)
    return `${part.length} beginbfchar\n${part.join('\n')}\nendbfchar\n`
  })
  return `/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo <</Registry (Adobe) /Ordering (UCS) /Supplement 0>> def
/CMapName /Adobe-Identity-UCS def
/CMapType 2 def
1 begincodespacerange
<0000><FFFF>
endcodespacerange
${blocks.join('')}endcmap
CMapName currentdict /CMap defineresource pop
end
end
`
}

function utf16Hex(text: string): string {
  return Array.from({ length: text.length }, (_, place) => hex(text.charCodeAt(place))).join('')
}

function hex(code: number): string {
  return code.toString(16).toUpperCase().padStart(4, '0')
}
