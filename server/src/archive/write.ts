import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type yazl from 'yazl'
import type { Tx } from '../platform/db/database.ts'
import { archiveFormat, archiveVersion, manifestFile, type ArchivedFile, type Manifest } from './manifest.ts'
import { getCompanyName, listColumns, readLines } from './queries.ts'
import { archivedTables, type ArchivedTable } from './tables.ts'

type Source = { tx: Tx; signal: AbortSignal }

/** The lines of a table; `file` is filled as they are read. */
async function* linesOf(
  { tx, signal }: Source,
  file: ArchivedFile,
  { weight = 'light' }: ArchivedTable,
): AsyncGenerator<string, void, undefined> {
  const hash = createHash('sha256')
  for await (const lines of readLines(tx, { table: file.name, columns: file.columns, weight })) {
    signal.throwIfAborted()
    const text = `${lines.join('\n')}\n`
    hash.update(text)
    file.rows += lines.length
    file.bytes += Buffer.byteLength(text)
    yield text
  }
  file.sha256 = hash.digest('hex')
}

async function describe(tx: Tx, { name, without = [] }: ArchivedTable): Promise<ArchivedFile> {
  const columns = await listColumns(tx, name)
  return {
    name,
    file: `tables/${name}.ndjson`,
    columns: columns.filter((column) => !without.includes(column)),
    rows: 0,
    bytes: 0,
    sha256: '',
  }
}

/**
 * Writes everything a company has into a zip, one table after another in flat memory, the manifest last; the
 * caller ends the zip, whose output must be read for this to go on. Throws the signal's reason when that aborts.
 */
export async function writeArchive(
  { tx, signal }: Source,
  { zip, program }: { zip: yazl.ZipFile; program: string },
): Promise<void> {
  const manifest: Manifest = {
    format: archiveFormat,
    version: archiveVersion,
    program,
    created_at: new Date().toISOString(),
    company: { id: tx.tenantId, name: await getCompanyName(tx) },
    tables: [],
  }
  let current: Readable | undefined
  // Without its reader a source would wait for ever.
  signal.addEventListener('abort', () => current?.destroy(new Error('Nobody reads the archive any more.')))
  for (const table of archivedTables) {
    const file = await describe(tx, table)
    // Where it aborted meanwhile, no later source hears of it.
    signal.throwIfAborted()
    await new Promise<void>((resolve, reject) => {
      const source = Readable.from(linesOf({ tx, signal }, file, table))
      source.on('end', resolve)
      source.on('error', reject)
      current = source
      zip.addReadStream(source, file.file)
    })
    manifest.tables.push(file)
  }
  zip.addBuffer(Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`), manifestFile)
}
