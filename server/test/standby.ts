import { chmod, chown, cp, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import pg from 'pg'
import { startEmbeddedPostgres } from '../src/platform/postgres/embedded-postgres.ts'

/** A PostgreSQL and another that follows it by streaming replication, on one machine. */
export type ServerPair = {
  ownerUrl: string
  replicaUrl: string
  /** Runs a statement as the replica's owner. */
  atReplica(statement: string): Promise<Record<string, unknown>[]>
  stopReplica(): Promise<void>
  stop(): Promise<void>
}

const log = () => undefined
/** No durability over a crash, but a commit waits for its place in the log, which is what replicas follow. */
const settings = { fsync: 'off', full_page_writes: 'off' }

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return client
}

/** Copies a running server's files as PostgreSQL's own manual says, and makes the copy one that follows. */
async function copyRunning(url: string, from: string, to: string): Promise<void> {
  const client = await connect(url)
  await client.query(`select pg_backup_start('replica', true)`)
  const left = new Set(['postmaster.pid', 'postmaster.opts', 'pg_wal', 'pg_replslot'])
  await cp(from, to, { recursive: true, filter: (path) => !left.has(basename(path)) })
  for (const folder of ['pg_wal', 'pg_replslot'])
    await cp(join(from, folder), join(to, folder), { recursive: true })
  const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)')
  await client.end()
  const { hostname, port, username, password } = new URL(url)
  const files = {
    backup_label: rows[0]?.labelfile ?? '',
    'standby.signal': '',
    'postgresql.auto.conf': `primary_conninfo = 'host=${hostname} port=${port} user=${username} password=${password}'\n`,
  }
  for (const [name, content] of Object.entries(files))
    await writeFile(join(to, name), content, { mode: 0o644 })
  const { uid, gid } = await stat(from)
  if (process.getuid?.() === 0) for (const name of Object.keys(files)) await chown(join(to, name), uid, gid)
}

export async function startServerPair(): Promise<ServerPair> {
  const folder = await mkdtemp(join(tmpdir(), 'inventory-manager-pair-'))
  await chmod(folder, 0o711)
  const [first, second] = [join(folder, 'first'), join(folder, 'second')]
  const primary = await startEmbeddedPostgres({ dataDir: first, settings, log })
  await copyRunning(primary.url, first, second)
  const replica = await startEmbeddedPostgres({ dataDir: second, settings, log })
  const client = await connect(replica.url)
  client.on('error', log)
  return {
    ownerUrl: primary.url,
    replicaUrl: replica.url,
    atReplica: async (statement) => (await client.query<Record<string, unknown>>(statement)).rows,
    async stopReplica() {
      await client.end()
      await replica.stop()
    },
    async stop() {
      await primary.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
