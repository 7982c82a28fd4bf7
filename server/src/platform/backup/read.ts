import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline as connect } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { listMigrations } from '../db/migrate.ts'
import { errorCode } from '../error-code.ts'
import { BackupError, BackupFileError } from './backup-error.ts'
import {
  countRows,
  createReader,
  manifest,
  readHeader,
  type BackupReader,
  type Header,
  type Manifest,
} from './format.ts'

/** Why a file cannot be read, by the system's code of the error. */
const unreadable: Record<string, string> = {
  ENOENT: 'There is no such file.',
  ENOTDIR: 'There is no such file.',
  EISDIR: 'This is a folder. Name a file.',
  EACCES: 'This file cannot be read: no permission. Run this as the user who made it.',
  EPERM: 'This file cannot be read: no permission. Run this as the user who made it.',
}

/** Errors of the stream, in words. */
function explain(error: unknown): unknown {
  const code = errorCode(error) ?? ''
  const sentence = unreadable[code]
  if (sentence !== undefined) return new BackupError(sentence, { cause: error })
  if (code === 'Z_BUF_ERROR' || code === 'ERR_STREAM_PREMATURE_CLOSE') {
    return new BackupFileError('cut', { cause: error })
  }
  return code === 'Z_DATA_ERROR' ? new BackupFileError('damaged', { cause: error }) : error
}

/** Throws BackupError where this program does not know how to read that schema. */
export async function requireKnown(backup: Header, folder: string): Promise<void> {
  const known = new Map((await listMigrations(folder)).map(({ name, hash }) => [name, hash]))
  const other = backup.migrations.find(({ name, hash }) => known.get(name) !== hash)
  if (other === undefined) return
  throw new BackupError(
    `This backup was made by another version (${backup.product_version}, ${other.name}) than this one can read. Restore it with that version or a newer one.`,
  )
}

export type Copied = Manifest['tables'][number]

/** Hands the next table's rows to `take`, which returns how many there were; returns name, count and SHA-256. */
export async function readTable(
  reader: BackupReader,
  name: string,
  take: (chunks: AsyncGenerator<Buffer>) => Promise<number>,
): Promise<Copied> {
  const hash = createHash('sha256')
  async function* hashed(): AsyncGenerator<Buffer> {
    for await (const chunk of reader.readChunks()) {
      hash.update(chunk)
      yield chunk
    }
  }
  return { name, rows: await take(hashed()), sha256: hash.digest('hex') }
}

/** Reads over a table; `note` is told how long each piece was. */
export async function passOver(
  reader: BackupReader,
  name: string,
  note: (bytes: number) => void = () => undefined,
): Promise<Copied> {
  return await readTable(reader, name, async (chunks) => {
    let rows = 0
    for await (const chunk of chunks) {
      rows += countRows(chunk)
      note(chunk.length)
    }
    return rows
  })
}

/** Reads the end; throws BackupFileError where what was copied is not what the manifest there says was written. */
export async function requireSums(reader: BackupReader, copied: readonly Copied[]): Promise<void> {
  const wanted = await reader.readLine(manifest)
  await reader.requireEnd()
  if (JSON.stringify(copied) !== JSON.stringify(wanted.tables)) throw new BackupFileError('sums_differ')
}

/** What every gzip stream begins with. */
const beginning = Buffer.from([0x1f, 0x8b])

/** Throws BackupError where the file cannot be read, and BackupFileError where it is of another kind. */
export async function requireGzip(file: string): Promise<void> {
  try {
    const handle = await open(file)
    try {
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(2), 0, 2)
      if (bytesRead === 0) throw new BackupFileError('cut')
      if (!buffer.subarray(0, bytesRead).equals(beginning.subarray(0, bytesRead))) {
        throw new BackupFileError('foreign')
      }
    } finally {
      await handle.close()
    }
  } catch (error) {
    throw explain(error)
  }
}

/** Reads the file while `work` takes from it, and ends when both have. */
export async function reading<T>(
  file: string,
  work: (reader: BackupReader, source: AsyncIterable<Buffer>) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const working: Promise<T>[] = []
  const take = async (source: AsyncIterable<Buffer>) => {
    const taking = work(createReader(source), source)
    working.push(taking)
    await taking
  }
  const options = signal === undefined ? {} : { signal }
  const reads = pipeline(createReadStream(file), createGunzip(), take, options)
  const [read] = await Promise.allSettled([reads])
  const failed = [...(await Promise.allSettled(working)), read].find((end) => end.status === 'rejected')
  if (failed !== undefined) throw explain(failed.reason)
  const [result] = await Promise.all(working)
  if (result === undefined) throw new Error('The backup was read, but nothing took it.')
  return result
}

/** Reads on to the end where work on the content failed: gzip's own sum tells damage from what was written so. */
export async function orReadOn<T>(source: AsyncIterable<Buffer>, work: () => Promise<T>): Promise<T> {
  const [done] = await Promise.allSettled([work()])
  if (done.status === 'fulfilled') return done.value
  const rest = source[Symbol.asyncIterator]()
  for (let next = await rest.next(); next.done !== true;) next = await rest.next()
  throw done.reason
}

/** Throws BackupError where a file is no backup that this program could restore, as far as its first line tells. */
export async function requireReadable(file: string, migrations: string): Promise<void> {
  await requireGzip(file)
  // Whoever reads from it is told its faults.
  const source = connect(createReadStream(file), createGunzip(), () => undefined)
  try {
    await requireKnown(await readHeader(createReader(source)), migrations)
  } catch (error) {
    throw explain(error)
  } finally {
    source.destroy()
  }
}
