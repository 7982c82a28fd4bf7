/** What the bytes of a text file stand for, as TextDecoder names it. */
export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'

async function isUtf8(file: Blob): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const reader = file.stream().getReader()
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      decoder.decode(read.value, { stream: true })
    }
    decoder.decode()
    return true
  } catch (error) {
    if (error instanceof TypeError) return false
    throw error
  } finally {
    reader.releaseLock()
  }
}

/**
 * How a text file is encoded: UTF-16 where it says so at its start, UTF-8 where it is some, else Windows-1252, in which
 * spreadsheets of western languages save CSV. Reads in pieces, so a file may be of any size.
 */
export async function encodingOf(file: Blob): Promise<Encoding> {
  const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer())
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  // Some programs leave the mark away: the first sign of a file is one of ASCII then.
  if (first !== undefined && second === 0) return 'utf-16le'
  if (first === 0) return 'utf-16be'
  return (await isUtf8(file)) ? 'utf-8' : 'windows-1252'
}

/** The whole text of a file, however it is encoded. */
export async function readText(file: Blob): Promise<string> {
  return new TextDecoder(await encodingOf(file)).decode(await file.arrayBuffer())
}
