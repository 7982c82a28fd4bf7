import { z } from 'zod'
import { BackupError } from './backup-error.ts'

/*
 * A backup is one gzip stream: a line of JSON (the header); for each table of it, in its order, rows in PostgreSQL's
 * text form of COPY, cut into chunks of four bytes of length (big-endian) and that many bytes, a length of 0 at the
 * end; and a last line of JSON (the manifest), which says what must have come before.
 */

export const header = z.object({
  format: z.literal('inventory-manager-backup'),
  format_version: z.literal(1),
  product_version: z.string(),
  made_at: z.iso.datetime(),
  /** The database's schema: its migrations, oldest first. */
  migrations: z.array(z.object({ name: z.string(), hash: z.string() })).min(1),
  /** In an order in which each table comes after those it refers to. */
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()).min(1) })),
})

export type Header = z.output<typeof header>

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

export type Reader = {
  /** The next line as the schema reads it; throws BackupError where it is something else. */
  readLine: <T>(schema: z.ZodType<T>) => Promise<T>
  /** The chunks of the next table. */
  readChunks: () => AsyncGenerator<Buffer>
  /** Throws BackupError when anything follows. */
  requireEnd: () => Promise<void>
}

const damaged = () => new BackupError('This backup is damaged or not complete. Nothing of it was restored.')

/** Reads a backup's parts in order, never more of it in memory than one chunk. */
export function createReader(source: AsyncIterable<Buffer>): Reader {
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
    while (held.length < length) if (!(await more())) throw damaged()
    return take(length)
  }

  return {
    async readLine(schema) {
      let end = held.indexOf(lineFeed)
      while (end === -1) {
        if (held.length > longestLine || !(await more())) throw damaged()
        end = held.indexOf(lineFeed)
      }
      const text = take(end + 1).toString('utf8')
      try {
        return schema.parse(JSON.parse(text))
      } catch (cause) {
        throw new BackupError('This file is no backup of Inventory Manager that this version can read.', {
          cause,
        })
      }
    },
    async *readChunks() {
      for (;;) {
        const length = (await read(4)).readUInt32BE()
        if (length === 0) return
        if (length > longestChunk) throw damaged()
        yield await read(length)
      }
    },
    async requireEnd() {
      if (held.length > 0 || (await more())) throw damaged()
    },
  }
}
