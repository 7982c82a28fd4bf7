import { promisify } from 'node:util'
import { deflate, deflateSync } from 'node:zlib'

/**
 * A PDF 1.7 file in the making, written front to back (ISO 32000-1, 7.5). Small objects are packed into object
 * streams. Only two numbers are kept for each object, and the bytes since the last `takeBytes`.
 */
export interface PdfFile {
  /** Bytes made so far, taken or not. */
  length: number
  chunks: Buffer[]
  /** Where object n lies: its offset in the file, or its index in the object stream `containers[n]`. */
  places: number[]
  /** Number of the object stream of object n, 0 when it lies in the file itself. */
  containers: number[]
  /** The objects of the object stream that is being filled. */
  packed: { number: number; body: string }[]
}

const objectsPerStream = 100

/** On another thread, for the one stream that grows with the number of labels. */
const deflateAside = promisify(deflate)

export function openPdf(): PdfFile {
  const file: PdfFile = { length: 0, chunks: [], places: [0], containers: [0], packed: [] }
  // The comment of four high bytes marks the file as binary (7.5.2).
  append(file, Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1'))
  return file
}

/** Gives an object its number, under which it can be named before it is written. */
export function reserveObject(file: PdfFile): number {
  file.containers.push(0)
  return file.places.push(0) - 1
}

/** Writes an object that is no stream; `body` is ASCII. */
export function writeObject(file: PdfFile, number: number, body: string): void {
  file.packed.push({ number, body })
  if (file.packed.length === objectsPerStream) writePacked(file)
}

/** Writes a compressed stream, with further entries for its dictionary, and gives its number. */
export function addStream(file: PdfFile, data: string | Uint8Array, entries = ''): number {
  const number = reserveObject(file)
  writeStream(file, number, { data: deflateSync(data), entries })
  return number
}

/** Writes an object that is no stream under the next free number, and gives that. */
export function addObject(file: PdfFile, body: string): number {
  const number = reserveObject(file)
  writeObject(file, number, body)
  return number
}

/** Writes a comment of ASCII on a line of its own, between two objects. */
export function addComment(file: PdfFile, text: string): void {
  append(file, Buffer.from(`%${text}\n`, 'latin1'))
}

/** Ends the file with its cross-reference stream (7.5.8). */
export async function closePdf(file: PdfFile, catalog: number): Promise<void> {
  if (file.packed.length > 0) writePacked(file)
  const start = file.length
  const number = reserveObject(file)
  // The table lists its own place too.
  file.places[number] = start
  const entries = `/Type/XRef/Size ${file.places.length}/W[1 5 2]/Root ${catalog} 0 R`
  writeStream(file, number, { data: await deflateAside(crossReferences(file)), entries })
  append(file, Buffer.from(`startxref\n${start}\n%%EOF\n`, 'latin1'))
}

/** The bytes made since the last call. */
export function takeBytes(file: PdfFile): Buffer {
  const bytes = Buffer.concat(file.chunks)
  file.chunks = []
  return bytes
}

/** `data` is compressed already. */
function writeStream(file: PdfFile, number: number, stream: { data: Buffer; entries: string }): void {
  file.places[number] = file.length
  const dictionary = `<</Filter/FlateDecode/Length ${stream.data.length}${stream.entries}>>`
  append(file, Buffer.from(`${number} 0 obj\n${dictionary}stream\n`, 'latin1'))
  append(file, stream.data)
  append(file, Buffer.from('\nendstream\nendobj\n', 'latin1'))
}

function append(file: PdfFile, bytes: Buffer): void {
  file.chunks.push(bytes)
  file.length += bytes.length
}

/** Writes the waiting objects as one object stream (7.5.7). */
function writePacked(file: PdfFile): void {
  const { packed } = file
  let offsets = ''
  let bodies = ''
  for (const { number, body } of packed) {
    offsets += `${number} ${bodies.length} `
    bodies += `${body} `
  }
  const container = addStream(
    file,
    offsets + bodies,
    `/Type/ObjStm/N ${packed.length}/First ${offsets.length}`,
  )
  for (const [index, { number }] of packed.entries()) {
    file.places[number] = index
    file.containers[number] = container
  }
  file.packed = []
}

/** Rows of 8 bytes: kind (0 free, 1 in the file, 2 packed), offset or container, index. */
function crossReferences(file: PdfFile): Buffer {
  const rows = Buffer.alloc(file.places.length * 8)
  for (const [number, place] of file.places.entries()) {
    const container = file.containers[number] ?? 0
    const row = number * 8
    rows.writeUInt8(container === 0 ? 1 : 2, row)
    rows.writeUIntBE(container === 0 ? place : container, row + 1, 5)
    rows.writeUInt16BE(container === 0 ? 0 : place, row + 6)
  }
  // Object 0 is always free (7.5.4).
  rows.writeUInt8(0, 0)
  rows.writeUInt16BE(65_535, 6)
  return rows
}
