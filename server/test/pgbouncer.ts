import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from './free-port.ts'

/** PgBouncer's program where the machine has it; null elsewhere. */
export const pgbouncer = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/opt/homebrew/bin/pgbouncer'].find(
  (path) => existsSync(path),
)

async function answers(port: number): Promise<boolean> {
  return await new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}

/** Puts the real PgBouncer, in transaction mode and with few connections of its own, before a database. */
export async function startPgbouncer(
  databaseUrl: string,
  { serverConnections = 2 }: { serverConnections?: number } = {},
): Promise<{ url: string; stop: () => Promise<void> }> {
  if (pgbouncer === undefined) throw new Error('PgBouncer is not installed.')
  const { hostname, port, username, password, pathname } = new URL(databaseUrl)
  const folder = await mkdtemp(join(tmpdir(), 'inventory-manager-pgbouncer-'))
  await chmod(folder, 0o755)
  const listenPort = await freePort()
  const users = join(folder, 'users.txt')
  await writeFile(users, `"${decodeURIComponent(username)}" "${decodeURIComponent(password)}"\n`)
  await writeFile(
    join(folder, 'pgbouncer.ini'),
    `[databases]
* = host=${hostname} port=${port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listenPort}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
pool_mode = transaction
default_pool_size = ${serverConnections}
max_client_conn = 200
server_reset_query =
`,
  )
  const asUser = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  const child = spawn(pgbouncer, ['-q', ...asUser, join(folder, 'pgbouncer.ini')], { stdio: 'ignore' })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const deadline = Date.now() + 10_000
  while (!(await answers(listenPort))) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error('PgBouncer did not start.')
    await sleep(50)
  }
  return {
    url: `postgres://${username}:${password}@127.0.0.1:${listenPort}${pathname}`,
    async stop() {
      child.kill('SIGKILL')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}
