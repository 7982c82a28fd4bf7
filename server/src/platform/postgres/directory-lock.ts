import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'

/** flock(1) of util-linux. Where there is none, as on macOS and Windows, there are no containers that share a directory. */
const flock = ['/usr/bin/flock', '/bin/flock'].find((path) => existsSync(path))

/** What a server writes to its log that found its directory held. */
export const heldComplaint = 'this directory is held by another server'

const script = `"$0" -n 3 || { echo 'FATAL:  ${heldComplaint}' >&2; exit 1; }; exec "$@"`

/** What a server that is started holds its directory by; null where there is no flock(1). */
export async function openLock(file: string): Promise<FileHandle | null> {
  return flock === undefined ? null : await open(file, 'a', 0o600)
}

/**
 * The command of a server that holds its directory as long as any process of it lives, by a lock of the kernel on what it is
 * given as descriptor 3. Unlike process numbers, that is seen from another container or, over NFS, another machine (flock(2)).
 */
export function holdingCommand(program: string, args: string[]): [program: string, args: string[]] {
  return flock === undefined ? [program, args] : ['/bin/sh', ['-c', script, flock, program, ...args]]
}

/** Whether a server holds a directory, wherever it runs. */
export async function isHeld(file: string): Promise<boolean> {
  if (flock === undefined || !existsSync(file)) return false
  return await new Promise((resolve, reject) => {
    execFile(flock, ['-n', '-s', file, 'true'], (error) => {
      // 1 is that it is held; anything else, such as a file of somebody else, that it cannot be known.
      if (error === null || error.code === 1) resolve(error !== null)
      else reject(error)
    })
  })
}
