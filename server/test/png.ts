import { inflateSync } from 'node:zlib'
import type { Picture } from './printer.ts'

/** Reads a PNG without interlacing (ISO/IEC 15948) as black and white. */
export function readPng(file: Buffer): Picture {
  const chunks = chunksOf(file)
  const find = (kind: string) =>
    Buffer.concat(chunks.filter((chunk) => chunk.kind === kind).map(({ data }) => data))
  const head = find('IHDR')
  const palette = find('PLTE')
  const width = head.readUInt32BE(0)
  const height = head.readUInt32BE(4)
  const depth = head.readUInt8(8)
  const channels = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }[head.readUInt8(9)] ?? 1
  const rows = unfilter(inflateSync(find('IDAT')), { width, height, bits: depth * channels })
  const data = new Uint8Array(width * height * 4)
  for (let dot = 0; dot < width * height; dot += 1) {
    const row = rows[Math.floor(dot / width)] ?? Buffer.alloc(0)
    const raw = sample(row, { place: (dot % width) * channels, depth })
    const shade = palette.length > 0 ? (palette[raw * 3] ?? 255) : (raw / (2 ** depth - 1)) * 255
    data.fill(shade < 128 ? 0 : 255, dot * 4, dot * 4 + 4)
  }
  return { width, height, data }
}

function chunksOf(file: Buffer): { kind: string; data: Buffer }[] {
  const chunks: { kind: string; data: Buffer }[] = []
  for (let at = 8; at < file.length; at += 12 + file.readUInt32BE(at)) {
    const data = file.subarray(at + 8, at + 8 + file.readUInt32BE(at))
    chunks.push({ kind: file.toString('latin1', at + 4, at + 8), data })
  }
  return chunks
}

function sample(row: Buffer, { place, depth }: { place: number; depth: number }): number {
  if (depth === 8) return row[place] ?? 0
  if (depth === 16) return row.readUInt16BE(place * 2)
  const bit = place * depth
  return ((row[bit >> 3] ?? 0) >> (8 - depth - (bit & 7))) & (2 ** depth - 1)
}

/** Undoes the filters of the rows (9.2). */
function unfilter(
  data: Buffer,
  { width, height, bits }: { width: number; height: number; bits: number },
): Buffer[] {
  const step = Math.max(1, bits >> 3)
  const length = Math.ceil((width * bits) / 8)
  const rows: Buffer[] = []
  let before = Buffer.alloc(length)
  for (let place = 0; place < height; place += 1) {
    const start = place * (length + 1)
    const filter = data[start] ?? 0
    const row = Buffer.from(data.subarray(start + 1, start + 1 + length))
    for (let byte = 0; byte < length; byte += 1) {
      const left = row[byte - step] ?? 0
      const above = before[byte] ?? 0
      const corner = byte < step ? 0 : (before[byte - step] ?? 0)
      const guess = [0, left, above, (left + above) >> 1, paeth(left, above, corner)][filter] ?? 0
      row[byte] = ((row[byte] ?? 0) + guess) & 255
    }
    rows.push(row)
    before = row
  }
  return rows
}

function paeth(left: number, above: number, corner: number): number {
  const guess = left + above - corner
  const distances = [left, above, corner].map((value) => Math.abs(guess - value))
  const least = Math.min(...distances)
  return [left, above, corner][distances.indexOf(least)] ?? 0
}
