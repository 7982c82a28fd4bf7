import { open, stat, statfs, type FileHandle } from 'node:fs/promises'
import { errorCode } from '../error-code.ts'
import type { OsUser } from './os-user.ts'
import { openOwned } from './owned-file.ts'

const megabyte = 1024 * 1024
const largestLog = 10 * megabyte

/** Opens the server's log for appending, emptied when it has grown large. */
export async function openLog(file: string, user: OsUser | null): Promise<FileHandle> {
  const handle = await openOwned(file, user)
  try {
    if ((await handle.stat()).size > largestLog) await handle.truncate(0)
    return handle
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** The log's size; it grows while the server is busy starting. 0 when there is no log. */
export async function logSize(file: string): Promise<number> {
  try {
    return (await stat(file)).size
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return 0
    throw error
  }
}

/** What the server wrote to its log since it had the given size. */
export async function readLogFrom(file: string, position: number): Promise<string> {
  const handle = await open(file, 'r')
  try {
    const buffer = Buffer.alloc(64 * 1024)
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, position)
    return buffer.toString('utf8', 0, bytesRead)
  } finally {
    await handle.close()
  }
}

/** The line that tells why: the last error if there is one, else the last line; without time and process number. */
export function lastComplaint(text: string): string | null {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const line =
    lines.findLast((candidate) => /FATAL:|PANIC:|error:|error while loading/i.test(candidate)) ?? lines.at(-1)
  if (line === undefined) return null
  return line.replace(/^.*?(?:(?:FATAL|PANIC|LOG|DETAIL|HINT):\s+|initdb: )/, '').trim()
}

/** Says so when the disk is all but full: then PostgreSQL cannot even log why it failed. */
export async function describeFullDisk(directory: string): Promise<string | null> {
  const { bavail, bsize } = await statfs(directory)
  return bavail * bsize < megabyte ? 'No space left on device' : null
}
