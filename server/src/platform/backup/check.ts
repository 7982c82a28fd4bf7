import { stat } from 'node:fs/promises'
import { listMigrations } from '../db/migrate.ts'
import { BackupError, BackupFileError, type FileFault } from './backup-error.ts'
import { readHeader, type BackupReader, type Header } from './format.ts'
import { orReadOn, passOver, reading, requireGzip, requireKnown, requireSums, type Copied } from './read.ts'

const damaged = 'This backup is damaged: its content is not what was written. Take another one.'
const sentences: Record<FileFault, string> = {
  cut: 'This backup is cut off: its end is missing. Take another one.',
  damaged,
  sums_differ: damaged,
  foreign: 'This file is no backup of Inventory Manager.',
}

type CheckedTable = { name: string; rows: number; bytes: number }

export type Checked = {
  madeAt: string
  version: string
  /** The newest migration of its database. */
  newest: string
  /** How many migrations of this program it does not have yet. */
  behind: number
  tables: CheckedTable[]
  /** Bytes of the file. */
  bytes: number
}

type Read = { header: Header; tables: CheckedTable[] }

async function readAll(reader: BackupReader): Promise<Read> {
  const header = await readHeader(reader)
  const copied: Copied[] = []
  const tables: CheckedTable[] = []
  for (const { name } of header.tables) {
    let bytes = 0
    const table = await passOver(reader, name, (length) => (bytes += length))
    copied.push(table)
    tables.push({ name, rows: table.rows, bytes })
  }
  await requireSums(reader, copied)
  return { header, tables }
}

/**
 * Reads a file through, never more of it in memory than one piece; throws BackupError with a sentence where it is not a
 * whole backup.
 */
export async function readThrough(file: string, signal?: AbortSignal): Promise<Read> {
  try {
    await requireGzip(file)
    return await reading(file, (reader, source) => orReadOn(source, () => readAll(reader)), signal)
  } catch (error) {
    if (!(error instanceof BackupFileError)) throw error
    throw new BackupError(sentences[error.fault], { cause: error })
  }
}

/** The same, and throws BackupError too where this program could not restore it. Needs no database. */
export async function checkBackup(file: string, migrations: string): Promise<Checked> {
  const { header, tables } = await readThrough(file)
  await requireKnown(header, migrations)
  return {
    madeAt: header.made_at,
    version: header.product_version,
    newest: header.migrations.at(-1)?.name ?? '',
    behind: (await listMigrations(migrations)).length - header.migrations.length,
    tables,
    bytes: (await stat(file)).size,
  }
}
