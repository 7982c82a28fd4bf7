import type { LabelLogo, PlacedLogo } from '@inventory-manager/contract/labels/logo'
import { addStream, type PdfFile } from '../../platform/pdf/pdf-file.ts'
import { pdfNumber } from '../../platform/pdf/pdf-number.ts'

/** The logos of one PDF by their dots, each with its name in the pages' resources. */
export type LogoImages = Map<LabelLogo, string>

/** Operators that draw a logo in black, dot upon dot of the printer (ISO 32000-1, 8.9.6.2). */
export function showLogo(
  images: LogoImages,
  { x, y, dot, rows }: PlacedLogo,
  { left, top }: { left: number; top: number },
): string {
  const name = images.get(rows) ?? `L${images.size + 1}`
  images.set(rows, name)
  const [width, height] = [(rows[0]?.length ?? 0) * dot, rows.length * dot]
  const place = [width, 0, 0, height, left + x, top - y - height].map(pdfNumber).join(' ')
  return `q ${place} cm /${name} Do Q`
}

/** Writes the logos that were shown and gives their entry of the pages' resources. */
export function writeLogos(file: PdfFile, images: LogoImages): string {
  if (images.size === 0) return ''
  const entries = Array.from(images, ([rows, name]) => {
    const size = `/Width ${rows[0]?.length ?? 0}/Height ${rows.length}`
    const mask = `/Type/XObject/Subtype/Image${size}/ImageMask true/BitsPerComponent 1/Decode[1 0]`
    return `/${name} ${addStream(file, bitsOf(rows), mask)} 0 R`
  })
  return `/XObject<<${entries.join('')}>>`
}

/** One bit a dot, each row from a full byte on. */
function bitsOf(rows: LabelLogo): Buffer {
  return Buffer.concat(
    rows.map((row) =>
      Buffer.from(row.match(/.{1,8}/g)?.map((bits) => Number.parseInt(bits.padEnd(8, '0'), 2)) ?? []),
    ),
  )
}
