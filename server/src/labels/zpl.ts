import { setImmediate } from 'node:timers/promises'
import { defaultDpi, type LabelBars, type PrinterDpi } from '@inventory-manager/contract/labels/bars'
import { layoutLabel, type LabelItem, type LabelText } from '@inventory-manager/contract/labels/layout'
import type { LabelMatrix } from '@inventory-manager/contract/labels/matrix'
import type { PrintOffset } from '@inventory-manager/contract/labels/sheets'
import { labelSizes, pointsPerInch, type LabelSizeKey } from '@inventory-manager/contract/labels/sizes'
import type { Matrix } from '@inventory-manager/contract/labels/symbologies'

interface ZplOptions {
  size: LabelSizeKey
  dpi?: PrinterDpi | undefined
  offset?: PrintOffset | undefined
  measure: (text: string) => number
  encodeMatrix?: ((barcode: string) => Matrix) | undefined
  signal?: AbortSignal | undefined
}

/** How long the event loop is held at a time. */
const sliceMilliseconds = 8

/**
 * Makes ZPL II of labels, one `^XA…^XZ` for each with its copies, in pieces as they get ready. The symbol is a bitmap
 * of the same dots as in the PDF; the lines are set in the printer's own font. A comment `Labels: n` in the last label
 * of each piece, and so in the last of all, tells how many are made.
 */
export async function* labelZpl(
  labels: Iterable<LabelItem>,
  options: ZplOptions,
): AsyncGenerator<Buffer, void, undefined> {
  const { signal } = options
  let made = 0
  let text = ''
  let sliceEnd = performance.now() + sliceMilliseconds
  for (const { label, isLast } of withLast(labels)) {
    signal?.throwIfAborted()
    made += label.copies ?? 1
    const ends = isLast || performance.now() >= sliceEnd
    text += zplOf(label, options, ends ? `^FXLabels: ${made}^FS\n` : '')
    if (!ends) continue
    yield Buffer.from(text)
    text = ''
    await setImmediate()
    sliceEnd = performance.now() + sliceMilliseconds
  }
}

/** Each label, and whether none comes behind it. */
function* withLast(labels: Iterable<LabelItem>): Generator<{ label: LabelItem; isLast: boolean }, void> {
  let held: LabelItem | null = null
  for (const label of labels) {
    if (held !== null) yield { label: held, isLast: false }
    held = label
  }
  if (held !== null) yield { label: held, isLast: true }
}

/** One label: UTF-8, its exact size in dots, the symbol, the lines, the copies. */
function zplOf(label: LabelItem, options: ZplOptions, comment: string): string {
  const dpi = options.dpi ?? defaultDpi
  const { width, height } = labelSizes[options.size]
  const { symbol, texts } = layoutLabel(label, { ...options, printerFont: true })
  const inDots = (points: number) => Math.round((points * dpi) / pointsPerInch)
  const tops = texts.map((line) => inDots(topOf(line)))
  // What is left of or above the label cannot be asked for: all moves as far as its first part can.
  const corner = {
    x: Math.max(Math.round((options.offset?.x ?? 0) * dpi), -inDots(symbol.x)),
    y: Math.max(Math.round((options.offset?.y ?? 0) * dpi), -Math.min(inDots(symbol.y), ...tops)),
  }
  const at = (x: number, y: number) => `^FO${Math.max(0, corner.x + x)},${corner.y + y}`
  const lines = texts.map((line, place) => {
    // A line in the middle of a narrower block is further to the left.
    const shift = Math.min(0, Math.max(corner.x, -inDots(line.x)))
    const box = symbol.kind === 'bars' ? `^FB${Math.floor(width * dpi) + 2 * shift},1,0,C` : ''
    const x = symbol.kind === 'bars' ? 0 : inDots(line.x)
    return `${at(x, tops[place] ?? 0)}^A0N,${inDots(line.fontSize)}${box}^FH^FD${fieldData(line.text, symbol.kind === 'bars')}^FS`
  })
  const rows = symbol.kind === 'bars' ? barRows(symbol, inDots) : matrixRows(symbol)
  return (
    `^XA^CI28^PW${Math.floor(width * dpi)}^LL${Math.floor(height * dpi)}^LH0,0\n${comment}` +
    `${at(inDots(symbol.x), inDots(symbol.y))}${bitmap(rows)}^FS\n${lines.join('\n')}\n^PQ${label.copies ?? 1}^XZ\n`
  )
}

/** Share of the font size between the top of a line and its baseline. */
const ascent = 0.8

function topOf({ baseline, fontSize }: LabelText): number {
  return baseline - ascent * fontSize
}

/** Text as field data: what steers the printer as hexadecimal UTF-8. */
function fieldData(text: string, inBlock: boolean): string {
  const typed = inBlock ? text.replaceAll('\\', '\\\\') : text
  return typed.replaceAll(/[\^~_]/g, (sign) => `_${hex(sign.charCodeAt(0))}`)
}

interface BitmapRows {
  /** Dots of one row as a text of '1' (black) and '0'. */
  dots: string
  /** How often the row is repeated downwards. */
  times: number
}

function barRows(bars: LabelBars, inDots: (points: number) => number): BitmapRows[] {
  let dots = ''
  for (const { start, width } of bars.stripes) {
    dots = dots.padEnd(start * bars.moduleDots, '0') + '1'.repeat(width * bars.moduleDots)
  }
  return [{ dots, times: inDots(bars.height) }]
}

function matrixRows({ rows, moduleDots }: LabelMatrix): BitmapRows[] {
  return rows.map((row) => ({
    dots: Array.from(row, (module) => module.repeat(moduleDots)).join(''),
    times: moduleDots,
  }))
}

/** A graphic field (^GF) in hexadecimal, in which ':' repeats the row before. */
function bitmap(rows: readonly BitmapRows[]): string {
  const bytesPerRow = Math.ceil((rows[0]?.dots.length ?? 0) / 8)
  const total = bytesPerRow * rows.reduce((sum, { times }) => sum + times, 0)
  const data = rows.map(({ dots, times }) => {
    const bytes = dots.padEnd(bytesPerRow * 8, '0').match(/.{8}/g) ?? []
    return bytes.map((byte) => hex(Number.parseInt(byte, 2))).join('') + ':'.repeat(times - 1)
  })
  return `^GFA,${total},${total},${bytesPerRow},${data.join('')}`
}

function hex(byte: number): string {
  return byte.toString(16).toUpperCase().padStart(2, '0')
}
