import { randomBytes } from 'node:crypto'
import { link, open, rename, rm, stat } from 'node:fs/promises'
import { errorCode } from '../error-code.ts'
import { BackupError } from './backup-error.ts'

const forbidden = 'no permission. Choose another folder, or run this as another user.'
const full = 'its disk is full. Free some space, or choose another folder.'

/** Why a backup cannot be written, by the system's code of the error. */
const reasons: Record<string, string> = {
  ENOENT: 'its folder is not there. Make the folder, or choose another.',
  ENOTDIR: 'a file is where its folder should be. Choose another folder.',
  EACCES: forbidden,
  EPERM: forbidden,
  EROFS: forbidden,
  ENOSPC: full,
  EDQUOT: full,
}

/** A fault of the file system in words, where they are known. */
export function explainWriting(error: unknown, file: string): unknown {
  const reason = reasons[errorCode(error) ?? '']
  return reason === undefined
    ? error
    : new BackupError(`${file} cannot be written: ${reason}`, { cause: error })
}

const takenAlready = (file: string) =>
  new BackupError(`There is a file ${file} already. Choose another name.`)

async function requireFree(file: string): Promise<void> {
  try {
    await stat(file)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return
    throw error
  }
  throw takenAlready(file)
}

/** What file systems that know no links, as of memory sticks, say of one. */
const withoutLinks = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'])

/** Gives a whole file its name, and never another's: of two that are made at once the second is refused. */
async function giveName(partial: string, file: string): Promise<void> {
  try {
    await link(partial, file)
  } catch (error) {
    if (errorCode(error) === 'EEXIST') throw takenAlready(file)
    if (!withoutLinks.has(errorCode(error) ?? '')) throw error
    await requireFree(file)
    await rename(partial, file)
  }
}

/** Until it is on the disk, a copy is none. */
async function sync(file: string): Promise<void> {
  const handle = await open(file, 'r+')
  await handle.sync()
  await handle.close()
}

/**
 * Makes a file that is there under its name only when `write` has written all of it, under another name of its own, and it
 * is on the disk. Throws BackupError with a sentence where the file is there already or cannot be written.
 */
export async function writeWhole(file: string, write: (partial: string) => Promise<void>): Promise<void> {
  const partial = `${file}.${randomBytes(4).toString('hex')}.partial`
  try {
    await requireFree(file)
    try {
      await write(partial)
      await sync(partial)
      await giveName(partial, file)
    } finally {
      await rm(partial, { force: true })
    }
  } catch (error) {
    throw explainWriting(error, file)
  }
}
