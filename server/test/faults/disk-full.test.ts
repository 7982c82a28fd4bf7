import { chown } from 'node:fs/promises'
import { stdout } from 'node:process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asker } from '../test-app.ts'
import { startMortalDatabase, type MortalDatabase } from './database.ts'
import { judge, openFloor, startLoad } from './floor.ts'
import { makeNode, type Node } from './node.ts'
import { makeSmallDisk } from './small-disk.ts'

const nothing = { lost: [], doubled: [], unasked: [] }
const none = { history: nothing, audit: nothing, wrongStock: 0, unexpected: [] }

const disk = await makeSmallDisk(48)
/** Room for some segments of the write-ahead log, of 16 MB each. */
const logDisk = await makeSmallDisk(128)
if ('reason' in disk) stdout.write(`faults: a full disk is not tried, for ${disk.reason}\n`)

// Registered first, so that it comes last: the databases must let go of the disks before.
afterAll(async () => {
  for (const one of [disk, logDisk]) if ('folder' in one) await one.remove()
})

const databases: MortalDatabase[] = []
const nodes: Node[] = []
const loads: { stop(): Promise<void> }[] = []
afterAll(async () => {
  // Also where a test has failed: people who insist would go on for ever.
  for (const load of loads) await load.stop()
  for (const node of nodes) await node.remove()
  for (const database of databases) await database.stop()
})

async function startOn(database: MortalDatabase, url: string) {
  const node = await makeNode(url)
  nodes.push(node)
  await node.start()
  const floor = await openFloor(node.url)
  const { token } = floor.admin
  const ask = asker(node.url)
  return {
    node,
    floor,
    ask,
    token,
    importRows: (prefix: string) =>
      ask({
        path: '/api/components/import',
        token,
        body: Array.from({ length: 5_000 }, (_, index) => ({
          barcode: `${prefix}-${index}`,
          description: 'x'.repeat(200),
        })),
      }),
    faults: async () => {
      const { history, audit, wrongStock } = await judge(database, url, floor)
      return { history, audit, wrongStock, unexpected: floor.unexpected }
    },
  }
}

describe('a full disk', () => {
  let database: MortalDatabase
  beforeAll(async () => {
    database = await startMortalDatabase()
    databases.push(database)
  })

  it.skipIf('reason' in disk)(
    'of the data stops what would need room, breaks nothing, and is over when there is room',
    async () => {
      if ('reason' in disk) throw new Error(disk.reason)
      const { uid, gid } = database.user
      await chown(disk.folder, uid, gid)
      const url = await database.create('full_disk', disk.folder)
      const { node, floor, ask, token, importRows, faults } = await startOn(database, url)

      await disk.fill()
      const load = await startLoad(floor, { urls: [node.url], people: 4, seed: 1 })
      loads.push(load)
      const refused = await importRows('FULL')
      expect([refused.status, refused.body]).toMatchObject([503, { code: 'unavailable' }])
      const read = await ask({ method: 'GET', path: '/api/dashboard', token })
      expect(read.status).toBe(200)

      await disk.makeRoom()
      const before = floor.acknowledged.length
      expect((await importRows('FULL')).status).toBe(200)
      await expect.poll(() => floor.acknowledged.length, { timeout: 30_000 }).toBeGreaterThan(before + 20)
      await load.stop()
      expect(await faults()).toEqual(none)
      expect(node.output().match(/is ready/g)).toHaveLength(1)
    },
    120_000,
  )
})

describe('a full disk of the write-ahead log', () => {
  it.skipIf('reason' in logDisk)(
    'costs nothing that was acknowledged, and all goes on by itself when there is room',
    async () => {
      if ('reason' in logDisk) throw new Error(logDisk.reason)
      const database = await startMortalDatabase({ logFolder: logDisk.folder })
      databases.push(database)
      const url = await database.create('full_log')
      const { node, floor, ask, token, importRows, faults } = await startOn(database, url)

      const load = await startLoad(floor, { urls: [node.url], people: 4, seed: 2 })
      loads.push(load)
      // As for a replica that is away: nothing of the log is used again.
      await database.read(url, "select pg_create_physical_replication_slot('away', true)")
      await logDisk.fill()
      let [imported, refused] = [0, 0]
      // PostgreSQL ends in a panic, recovers as far as there is room, and ends again.
      while (refused < 3) {
        const { status, body, headers } = await importRows(`LOG-${imported}`)
        if (status === 200) {
          imported += 1
          continue
        }
        refused += 1
        expect([status, body]).toMatchObject([503, { code: 'unavailable' }])
        expect(headers.get('retry-after')).toMatch(/^\d+$/)
      }
      expect(await database.log()).toMatch(/PANIC: .*No space left on device/)
      const read = await ask({ method: 'GET', path: '/api/dashboard', token })
      expect([200, 503]).toContain(read.status)

      await logDisk.makeRoom()
      const before = floor.acknowledged.length
      // What a service manager does with a database that has ended for good; nobody touches the program.
      await database.startAgain()
      await expect.poll(() => floor.acknowledged.length, { timeout: 30_000 }).toBeGreaterThan(before + 20)
      await database.read(url, "select pg_drop_replication_slot('away')")
      expect((await importRows(`LOG-${imported}`)).status).toBe(200)
      await load.stop()
      expect(await faults()).toEqual(none)
      const [kept] = await database.read(
        url,
        "select count(*)::integer as rows from components where tenant_id = $1 and barcode like 'LOG-%'",
        [floor.admin.tenantId],
      )
      expect(kept).toEqual({ rows: 5_000 * (imported + 1) })
      expect(node.output().match(/is ready/g)).toHaveLength(1)
      stdout.write(
        `faults: a full disk of the log; ${floor.acknowledged.length} acknowledged, ${floor.retries} sent again, 0 lost, 0 doubled\n`,
      )
    },
    180_000,
  )
})
