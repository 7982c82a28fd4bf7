import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import yauzl from 'yauzl'
import { SentenceError } from '../platform/sentence-error.ts'
import { splitLines } from './lines.ts'
import { manifest as manifestSchema, manifestFile, type ArchivedFile, type Manifest } from './manifest.ts'

/** Why an archive cannot be restored; the message is for the operator. */
export class RestoreError extends SentenceError {}

type Archive = { zip: yauzl.ZipFile; entries: Map<string, yauzl.Entry> }

/** An archive that is open to be read. */
export type OpenArchive = {
  manifest: Manifest
  /** The lines of a table, some at a time; throws RestoreError at the end where they are not what the manifest says. */
  linesOf: (file: ArchivedFile) => AsyncGenerator<string[], void, undefined>
  close: () => void
}

async function openZip(path: string): Promise<yauzl.ZipFile> {
  return await new Promise((resolve, reject) => {
    yauzl.open(path, { lazyEntries: true, autoClose: false }, (error, zip) => {
      if (error === null) resolve(zip)
      else reject(new RestoreError(`${path} is no archive that can be read: ${error.message}`))
    })
  })
}

const damaged = (cause: unknown) =>
  new RestoreError('The archive is damaged. Nothing of it was restored.', { cause })

async function listEntries(zip: yauzl.ZipFile): Promise<Map<string, yauzl.Entry>> {
  const entries = new Map<string, yauzl.Entry>()
  return await new Promise((resolve, reject) => {
    zip.on('entry', (entry: yauzl.Entry) => {
      entries.set(entry.fileName, entry)
      zip.readEntry()
    })
    zip.on('end', () => resolve(entries))
    zip.on('error', (error) => reject(damaged(error)))
    zip.readEntry()
  })
}

async function textOf({ zip, entries }: Archive, name: string): Promise<Readable> {
  const entry = entries.get(name)
  if (entry === undefined) throw new RestoreError(`The archive has no ${name}.`)
  return await new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => {
      if (error === null) resolve(stream.setEncoding('utf8'))
      else reject(damaged(error))
    })
  })
}

async function* piecesOf(archive: Archive, name: string): AsyncGenerator<string, void, undefined> {
  const text = await textOf(archive, name)
  try {
    for await (const piece of text) yield String(piece)
  } catch (error) {
    throw damaged(error)
  }
}

function parseManifest(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw damaged(error)
  }
}

/** In characters. It has some 20 kB. */
const longestManifest = 1024 * 1024

async function readManifest(archive: Archive): Promise<Manifest> {
  let text = ''
  for await (const piece of piecesOf(archive, manifestFile)) {
    text += piece
    if (text.length > longestManifest) {
      throw new RestoreError('The manifest of the archive is longer than 1 MiB, which no archive needs.')
    }
  }
  const parsed = manifestSchema.safeParse(parseManifest(text))
  if (parsed.success) return parsed.data
  throw new RestoreError('The manifest of the archive is not one that this version can read.')
}

const linesAtATime = 2_000
/** What is sent to the database in one statement; a longer line goes alone. */
const bytesAtATime = 4 * 1024 * 1024

async function* readLines(archive: Archive, file: ArchivedFile): AsyncGenerator<string[], void, undefined> {
  const hash = createHash('sha256')
  let rows = 0
  let lines: string[] = []
  let bytes = 0
  for await (const line of splitLines(piecesOf(archive, file.file))) {
    hash.update(`${line}\n`)
    rows += 1
    const length = Buffer.byteLength(line)
    if (lines.length === linesAtATime || (lines.length > 0 && bytes + length > bytesAtATime)) {
      yield lines
      lines = []
      bytes = 0
    }
    lines.push(line)
    bytes += length
  }
  if (lines.length > 0) yield lines
  if (rows === file.rows && hash.digest('hex') === file.sha256) return
  throw new RestoreError(`${file.file} is not what the manifest says: the archive is damaged or was changed.`)
}

/** Opens an archive and reads its manifest; throws RestoreError. */
export async function openArchive(path: string): Promise<OpenArchive> {
  const zip = await openZip(path)
  const archive = { zip, entries: await listEntries(zip) }
  return {
    manifest: await readManifest(archive),
    linesOf: (file) => readLines(archive, file),
    close: () => zip.close(),
  }
}
