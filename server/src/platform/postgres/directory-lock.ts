import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import type { OsUser } from './os-user.ts'
import { openOwned } from './owned-file.ts'

/** flock(1) of util-linux. Where there is none, as on macOS and Windows, there are no containers that share a directory. */
const flock = ['/usr/bin/flock', '/bin/flock'].find((path) => existsSync(path))

/** What a server writes to its log that found its directory held. */
export const heldComplaint = 'this directory is held by another server'

/** By 1 flock(1) says that it is held; by another number that there are no locks here, as on some network disks. */
const script = `"$0" -n 3; [ $? -eq 1 ] && { echo 'FATAL:  ${heldComplaint}' >&2; exit 1; }; exec "$@"`

/** What a server that is started holds its directory by; null where there is no flock(1). */
export async function openLock(file: string, user: OsUser | null): Promise<FileHandle | null> {
  return flock === undefined ? null : await openOwned(file, user)
}

/**
 * The command of a server that holds its directory as long as any process of it lives, by a lock of the kernel on what it is
 * given as descriptor 3. Unlike process numbers, that is seen from another container or, over NFS, another machine (flock(2)).
 */
export function holdingCommand(program: string, args: string[]): [program: string, args: string[]] {
  return flock === undefined ? [program, args] : ['/bin/sh', ['-c', script, flock, program, ...args]]
}

/** Whether a server holds a directory, wherever it runs, as far as that can be known here. */
export async function isHeld(file: string): Promise<boolean> {
  if (flock === undefined || !existsSync(file)) return false
  return await new Promise((resolve) => {
    execFile(flock, ['-n', '-s', file, 'true'], (error) => resolve(error?.code === 1))
  })
}
