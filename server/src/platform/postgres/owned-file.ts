import { constants } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { errorCode } from '../error-code.ts'
import type { OsUser } from './os-user.ts'

/** Opens a file for appending, made where there is none; of the server's user, and of no other to read. */
export async function openOwned(file: string, user: OsUser | null): Promise<FileHandle> {
  const handle = await openOrCreate(file)
  try {
    if (user !== null) await handle.chown(user.uid, user.gid)
    return handle
  } catch (error) {
    await handle.close()
    throw error
  }
}

async function openOrCreate(file: string): Promise<FileHandle> {
  // A link in its place would let another user choose the file that root writes to.
  const noLinks = process.platform === 'win32' ? 0 : constants.O_NOFOLLOW
  const append = constants.O_WRONLY | constants.O_APPEND | noLinks
  try {
    return await open(file, append)
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
    return open(file, append | constants.O_CREAT | constants.O_EXCL, 0o600)
  }
}
