import { z } from 'zod'
import { BackupError, BackupFileError, type FileFault } from './backup-error.ts'

/*
 * A backup is one gzip stream: a line of JSON (the header); for each table of it, in its order, rows in PostgreSQL's
 * text form of COPY, cut into chunks of four bytes of length (big-endian) and that many bytes, a length of 0 at the
 * end; and a last line of JSON (the manifest), which says what must have come before.
 */

const formatVersion = 1

const header = z.object({
  format: z.literal('inventory-manager-backup'),
  format_version: z.literal(formatVersion),
  product_version: z.string(),
  made_at: z.iso.datetime(),
  /** The database's schema: its migrations, oldest first. */
  migrations: z.array(z.object({ name: z.string(), hash: z.string() })).min(1),
  /** In an order in which each table comes after those it refers to. */
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()).min(1) })),
})

export type Header = z.output<typeof header>

/** What the first line of every version of the format says. */
const anyHeader = z.looseObject({
  format: z.literal('inventory-manager-backup'),
  format_version: z.int(),
  product_version: z.string(),
})

export const manifest = z.object({
  tables: z.array(z.object({ name: z.string(), rows: z.int(), sha256: z.string() })),
})

export type Manifest = z.output<typeof manifest>

const longestLine = 4 * 1024 * 1024
const longestChunk = 64 * 1024 * 1024
const lineFeed = 0x0a

/** How many rows a chunk of COPY's text form ends. */
export function countRows(chunk: Buffer): number {
  let rows = 0
  for (let at = chunk.indexOf(lineFeed); at !== -1; at = chunk.indexOf(lineFeed, at + 1)) rows += 1
  return rows
}

export const endOfTable = Buffer.alloc(4)

export function line(value: unknown): Buffer {
  return Buffer.from(`${JSON.stringify(value)}\n`)
}

/** The length that goes before a chunk. */
export function lengthOf(chunk: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(chunk.length)
  return length
}

export type BackupReader = {
  /** The next line as the schema reads it; throws BackupError where it is something else. */
  readLine: <T>(schema: z.ZodType<T>) => Promise<T>
  /** The chunks of the next table. */
  readChunks: () => AsyncGenerator<Buffer>
  /** Throws BackupError when anything follows. */
  requireEnd: () => Promise<void>
}

const faulty = (fault: FileFault) => new BackupFileError(fault)

/** The schema's reading of a value; what is something else is no backup. */
function parse<T>(schema: z.ZodType<T>, value: () => unknown): T {
  try {
    return schema.parse(value())
  } catch (cause) {
    throw new BackupFileError('foreign', { cause })
  }
}

/** Reads a backup's parts in order, never more of it in memory than one chunk. */
export function createReader(source: AsyncIterable<Buffer>): BackupReader {
  const chunks = source[Symbol.asyncIterator]()
  let held: Buffer = Buffer.alloc(0)

  async function more(): Promise<boolean> {
    const next = await chunks.next()
    if (next.done === true) return false
    held = held.length === 0 ? next.value : Buffer.concat([held, next.value])
    return true
  }

  function take(length: number): Buffer {
    const taken = held.subarray(0, length)
    held = held.subarray(length)
    return taken
  }

  async function read(length: number): Promise<Buffer> {
    while (held.length < length) if (!(await more())) throw faulty('cut')
    return take(length)
  }

  return {
    async readLine(schema) {
      let end = held.indexOf(lineFeed)
      while (end === -1) {
        if (held.length > longestLine) throw faulty('damaged')
        if (!(await more())) throw faulty('cut')
        end = held.indexOf(lineFeed)
      }
      const text = take(end + 1).toString('utf8')
      return parse(schema, () => JSON.parse(text))
    },
    async *readChunks() {
      for (;;) {
        const length = (await read(4)).readUInt32BE()
        if (length === 0) return
        if (length > longestChunk) throw faulty('damaged')
        yield await read(length)
      }
    },
    async requireEnd() {
      if (held.length > 0 || (await more())) throw faulty('damaged')
    },
  }
}

/** The first line; throws BackupError where another version of the format follows. */
export async function readHeader(reader: BackupReader): Promise<Header> {
  const any = await reader.readLine(anyHeader)
  if (any.format_version > formatVersion) {
    throw new BackupError(
      `This backup was made by a newer version (${any.product_version}) in a format that this one does not know. Restore it with that version or a newer one.`,
    )
  }
  return parse(header, () => any)
}
