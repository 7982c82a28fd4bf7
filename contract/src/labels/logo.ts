import { z } from '../zod.ts'
import type { PrinterDpi } from './bars.ts'
import { pointsPerInch } from './sizes.ts'

/** A picture in black and white, from the top; '1' is black. */
export type LabelLogo = readonly string[]

/** The most dots it may have: 0.3 in high and 1.2 in wide at 300 dpi. */
export const labelLogoLimits = { width: 360, height: 96 } as const

const dots = new RegExp(`^[01]{1,${labelLogoLimits.width}}$`)

/** A picture for labels as a client gives it: rows of one length, not all of them white. */
export const labelLogo = z.array(z.string().check(z.regex(dots, 'must be 1 to 360 signs 0 or 1.'))).check(
  z.minLength(1),
  z.maxLength(labelLogoLimits.height),
  z.refine((rows) => rows.every(({ length }) => length === rows[0]?.length), 'Rows must have one length.'),
  z.refine((rows) => rows.some((row) => row.includes('1')), 'The picture is empty.'),
  z.meta({ examples: [['0110', '1001', '0110']] }),
)

/** A logo on a label in whole dots of the printer; lengths in points from the label's top left corner. */
export interface PlacedLogo {
  x: number
  y: number
  /** The side of a dot. */
  dot: number
  rows: LabelLogo
}

/** Lower, a logo is a blot. */
const leastHeight = 14

interface Box {
  x: number
  y: number
  width: number
  height: number
}

/** Puts a logo into the top left corner of a free area, as large as that allows; null where it would be too small. */
export function placeLogo(logo: LabelLogo, box: Box, dpi: PrinterDpi): PlacedLogo | null {
  const dot = pointsPerInch / dpi
  const [columns, lines] = [logo[0]?.length ?? 0, logo.length]
  const [left, top] = [Math.ceil(box.x / dot), Math.ceil(box.y / dot)]
  const widest = Math.floor((box.x + box.width) / dot) - left
  const highest = Math.floor((box.y + box.height) / dot) - top
  const scale = Math.min(widest / columns, highest / lines)
  const [width, height] = [Math.floor(columns * scale), Math.floor(lines * scale)]
  if (box.height < leastHeight || width < 1 || height < 1) return null
  return { x: left * dot, y: top * dot, dot, rows: scaled(logo, { width, height }) }
}

/** What was scaled before: every label of a job shows the same. */
const known = new WeakMap<LabelLogo, Map<string, LabelLogo>>()

function scaled(logo: LabelLogo, size: { width: number; height: number }): LabelLogo {
  const sizes = known.get(logo) ?? new Map<string, LabelLogo>()
  known.set(logo, sizes)
  const key = `${size.width} ${size.height}`
  const rows = sizes.get(key) ?? resample(logo, size)
  sizes.set(key, rows)
  return rows
}

/** Each dot is black where half of what it covers is. */
function resample(logo: LabelLogo, { width, height }: { width: number; height: number }): LabelLogo {
  const columns = logo[0]?.length ?? 0
  return Array.from({ length: height }, (_, row) => {
    const [top, bottom] = span(row, logo.length / height)
    return Array.from({ length: width }, (__, column) => {
      const [left, right] = span(column, columns / width)
      let black = 0
      for (let y = top; y < bottom; y += 1) {
        for (let x = left; x < right; x += 1) if (logo[y]?.charAt(x) === '1') black += 1
      }
      return 2 * black >= (bottom - top) * (right - left) ? '1' : '0'
    }).join('')
  })
}

/** The places that the nth of equal parts covers, at least one. */
function span(nth: number, part: number): [first: number, after: number] {
  const first = Math.floor(nth * part)
  return [first, Math.max(first + 1, Math.floor((nth + 1) * part))]
}
