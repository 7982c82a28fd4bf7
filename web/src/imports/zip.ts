import { BlobReader, configure, ZipReader, type FileEntry } from '@zip.js/zip.js/lib/zip-core-custom.js'

// Of packed pieces as small as these not even the worst unpacks to more than fits in memory.
configure({ useWebWorkers: false, chunkSize: 65_536 })

/** The files in a zip by their paths: each is read only where it is asked for. */
export type Zip = ReadonlyMap<string, FileEntry>

/** Opens a zip; throws where it is none. */
export async function openZip(file: Blob): Promise<Zip> {
  const entries = await new ZipReader(new BlobReader(file), { filenameEncoding: 'utf-8' }).getEntries()
  return new Map(entries.flatMap((entry) => (entry.directory ? [] : [[entry.filename, entry]])))
}

/** The text of a file in a zip, piece by piece, with the share of it that is read. */
export async function* zippedText(
  entry: FileEntry,
): AsyncGenerator<{ text: string; share: number }, void, undefined> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const reader = readable.getReader()
  // A fault that is found before any of it is unpacked does not reach the reader by itself.
  const end = entry.getData(writable).then(async () => await reader.read())
  const next = async () => await Promise.race([reader.read(), end])
  const decoder = new TextDecoder()
  let bytes = 0
  try {
    for (let read = await next(); !read.done; read = await next()) {
      bytes += read.value.length
      yield {
        text: decoder.decode(read.value, { stream: true }),
        share: Math.min(1, bytes / entry.uncompressedSize),
      }
    }
  } finally {
    await reader.cancel()
  }
}
