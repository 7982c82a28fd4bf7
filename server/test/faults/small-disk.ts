import { execFileSync } from 'node:child_process'
import { mkdtemp, open, rm, type FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { errorCode } from '../../src/platform/error-code.ts'

/** A disk of a few megabytes of its own. */
export type SmallDisk = {
  folder: string
  /** Leaves no room for one more byte. */
  fill(): Promise<void>
  /** Takes away what filled it. */
  makeRoom(): Promise<void>
  remove(): Promise<void>
}

/** Whether there was room for so many bytes. */
async function fits(handle: FileHandle, bytes: number): Promise<boolean> {
  try {
    await handle.write(Buffer.alloc(bytes))
    return true
  } catch (error) {
    if (errorCode(error) === 'ENOSPC') return false
    throw error
  }
}

async function fill(file: string): Promise<void> {
  const handle = await open(file, 'w')
  for (const bytes of [1024 * 1024, 4096, 1]) {
    while (await fits(handle, bytes));
  }
  await handle.close()
}

/** A small disk, or why there can be none. */
export async function makeSmallDisk(megabytes: number): Promise<SmallDisk | { reason: string }> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    return { reason: 'only root on Linux can make a small disk' }
  const folder = await mkdtemp(join(tmpdir(), 'inventory-manager-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'inventory-manager-faults', folder], {
      stdio: 'pipe',
    })
  } catch (error) {
    await rm(folder, { recursive: true })
    return {
      reason: `no small disk could be made: ${error instanceof Error ? error.message : String(error)}`,
    }
  }
  const filler = join(folder, 'filler')
  return {
    folder,
    fill: () => fill(filler),
    makeRoom: () => rm(filler),
    async remove() {
      execFileSync('umount', [folder])
      await rm(folder, { recursive: true })
    },
  }
}
