import { execFileSync } from 'node:child_process'
import { chown, mkdtemp, open, rm, type FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stdout } from 'node:process'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { asker } from '../test-app.ts'
import { startMortalDatabase, type MortalDatabase } from './database.ts'
import { judge, openFloor, startLoad } from './floor.ts'
import { makeNode, type Node } from './node.ts'

const megabytes = 48
const nothing = { lost: [], doubled: [], unasked: [] }

/** A disk of a few megabytes, or why there can be none. */
async function makeSmallDisk(): Promise<{ folder: string } | { reason: string }> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    return { reason: 'only root on Linux can make a small disk' }
  const folder = await mkdtemp(join(tmpdir(), 'inventory-manager-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'inventory-manager-faults', folder], {
      stdio: 'pipe',
    })
    return { folder }
  } catch (error) {
    await rm(folder, { recursive: true })
    return {
      reason: `no small disk could be made: ${error instanceof Error ? error.message : String(error)}`,
    }
  }
}

const disk = await makeSmallDisk()
if ('reason' in disk) stdout.write(`faults: a full disk is not tried, for ${disk.reason}\n`)

// Registered first, so that it comes last: the database must let go of the disk before.
afterAll(async () => {
  if (!('folder' in disk)) return
  execFileSync('umount', [disk.folder])
  await rm(disk.folder, { recursive: true })
})

let database: MortalDatabase
let node: Node | undefined
beforeAll(async () => {
  database = await startMortalDatabase()
})
afterAll(async () => {
  await node?.remove()
  await database.stop()
})

/** Whether there was room for so many bytes. */
async function fits(handle: FileHandle, bytes: number): Promise<boolean> {
  try {
    await handle.write(Buffer.alloc(bytes))
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') return false
    throw error
  }
}

/** Writes until there is no room for one more byte. */
async function fill(file: string): Promise<void> {
  const handle = await open(file, 'w')
  for (const bytes of [1024 * 1024, 4096, 1]) {
    while (await fits(handle, bytes));
  }
  await handle.close()
}

it.skipIf('reason' in disk)(
  'a full disk stops what would need room, breaks nothing, and is over when there is room',
  async () => {
    if ('reason' in disk) throw new Error(disk.reason)
    const { uid, gid } = database.user
    await chown(disk.folder, uid, gid)
    const url = await database.create('full_disk', disk.folder)
    node = await makeNode(url)
    await node.start()
    const floor = await openFloor(node.url)
    const ask = asker(node.url)
    const token = floor.admin.token

    const filler = join(disk.folder, 'filler')
    await fill(filler)
    const load = await startLoad(floor, { urls: [node.url], people: 4, seed: 1 })
    const rows = Array.from({ length: 5_000 }, (_, index) => ({
      barcode: `FULL-${index}`,
      description: 'x'.repeat(200),
    }))
    const refused = await ask({ path: '/api/components/import', token, body: rows })
    expect([refused.status, refused.body]).toMatchObject([503, { code: 'unavailable' }])
    const read = await ask({ method: 'GET', path: '/api/dashboard', token })
    expect(read.status).toBe(200)

    await rm(filler)
    const before = floor.acknowledged.length
    const taken = await ask({ path: '/api/components/import', token, body: rows })
    expect(taken.status).toBe(200)
    await expect.poll(() => floor.acknowledged.length, { timeout: 30_000 }).toBeGreaterThan(before + 20)
    await load.stop()
    const { history, audit, wrongStock } = await judge(database, url, floor)
    expect({ history, audit, wrongStock, unexpected: floor.unexpected }).toEqual({
      history: nothing,
      audit: nothing,
      wrongStock: 0,
      unexpected: [],
    })
    expect(node.output().match(/is ready/g)).toHaveLength(1)
  },
  120_000,
)
