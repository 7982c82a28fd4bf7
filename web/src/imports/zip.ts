/** A file in a zip: where it begins, and how it is packed. */
type ZipEntry = { isPacked: boolean; packedBytes: number; bytes: number; at: number }

/** A zip file by its directory (APPNOTE 4.3): each file in it is read only where it is asked for. */
export type Zip = { file: Blob; entries: ReadonlyMap<string, ZipEntry> }

const endSignature = 0x06054b50
const endLength = 22
const longestComment = 65_535
const entrySignature = 0x02014b50
const entryLength = 46
const headLength = 30
/** Stands where the number is in the extra field of large files (APPNOTE 4.5.3): some programs always write it there. */
const elsewhere = 0xffffffff
const largeFile = 1

async function viewOf(file: Blob, from: number, to: number): Promise<DataView> {
  return new DataView(await file.slice(from, to).arrayBuffer())
}

/** The numbers in the extra field of large files, in their order. */
function largeNumbers(extra: DataView): number[] {
  for (let at = 0; at + 4 <= extra.byteLength; at += 4 + extra.getUint16(at + 2, true)) {
    if (extra.getUint16(at, true) !== largeFile) continue
    const length = Math.floor(extra.getUint16(at + 2, true) / 8)
    return Array.from({ length }, (_, index) => Number(extra.getBigUint64(at + 4 + index * 8, true)))
  }
  return []
}

function readEntry(directory: DataView): { path: string; entry: ZipEntry; length: number } {
  if (directory.getUint32(0, true) !== entrySignature) throw new RangeError('The directory is damaged.')
  const extraAt = entryLength + directory.getUint16(28, true)
  const extraEnd = extraAt + directory.getUint16(30, true)
  const { buffer, byteOffset } = directory
  const large = largeNumbers(new DataView(buffer, byteOffset + extraAt, extraEnd - extraAt))
  const numberAt = (at: number) => {
    const number = directory.getUint32(at, true)
    return number === elsewhere ? (large.shift() ?? number) : number
  }
  // In the order in which they stand in the extra field.
  const bytes = numberAt(24)
  const packedBytes = numberAt(20)
  const at = numberAt(42)
  return {
    path: new TextDecoder().decode(new Uint8Array(buffer, byteOffset + entryLength, extraAt - entryLength)),
    entry: { isPacked: directory.getUint16(10, true) !== 0, packedBytes, bytes, at },
    length: extraEnd + directory.getUint16(32, true),
  }
}

/** Opens a zip; throws a RangeError where it is none. */
export async function openZip(file: Blob): Promise<Zip> {
  const tail = await viewOf(file, Math.max(0, file.size - endLength - longestComment), file.size)
  let end = tail.byteLength - endLength
  while (end >= 0 && tail.getUint32(end, true) !== endSignature) end -= 1
  if (end < 0) throw new RangeError('This is no zip file.')
  const start = tail.getUint32(end + 16, true)
  const directory = await viewOf(file, start, start + tail.getUint32(end + 12, true))
  const entries = new Map<string, ZipEntry>()
  for (let at = 0; at < directory.byteLength;) {
    const { path, entry, length } = readEntry(new DataView(directory.buffer, at))
    entries.set(path, entry)
    at += length
  }
  return { file, entries }
}

/** The text of a file in a zip, piece by piece, with the share of it that is read; nothing where there is no such file. */
export async function* zippedText(
  { file, entries }: Zip,
  path: string,
): AsyncGenerator<{ text: string; share: number }, void, undefined> {
  const entry = entries.get(path)
  if (entry === undefined) return
  const head = await viewOf(file, entry.at, entry.at + headLength)
  const from = entry.at + headLength + head.getUint16(26, true) + head.getUint16(28, true)
  const packed = file.slice(from, from + entry.packedBytes).stream()
  const stream = entry.isPacked ? packed.pipeThrough(new DecompressionStream('deflate-raw')) : packed
  const reader = stream.getReader()
  const decoder = new TextDecoder()
  let bytes = 0
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      bytes += read.value.length
      yield { text: decoder.decode(read.value, { stream: true }), share: Math.min(1, bytes / entry.bytes) }
    }
  } finally {
    await reader.cancel()
  }
}
