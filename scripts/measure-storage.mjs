import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execPath } from 'node:process'
import pg from 'pg'
import { root } from './script.mjs'

// What a component and a count take on the disk, over all tables with their indexes. After `npm run build`:
//   node scripts/measure-storage.mjs [counts]

const counts = Number(process.argv[2] ?? 20_000)
const components = 5_000
const port = 3_986
const url = `http://127.0.0.1:${port}`

/** @param {string} path @param {unknown} body @param {string} [token] */
async function ask(path, body, token) {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
    body: JSON.stringify(body),
  })
  const reply = await response.json()
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${JSON.stringify(reply)}`)
  return reply
}

const dataDir = await mkdtemp(join(tmpdir(), 'inventory-manager-storage-'))
await chmod(dataDir, 0o711)
const node = spawn(execPath, [join(root, 'server/dist/main.js')], {
  env: { ...process.env, PORT: String(port), DATA_DIR: dataDir },
  stdio: 'inherit',
})
while (
  !(await fetch(`${url}/health`).then(
    ({ ok }) => ok,
    () => false,
  ))
) {
  await new Promise((resolve) => setTimeout(resolve, 100))
}
const password = readFileSync(join(dataDir, 'postgres', 'owner-password'), 'utf8').trim()
const [, , , databasePort] = readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')
const owner = new pg.Client(`postgres://postgres:${password}@127.0.0.1:${databasePort}/postgres`)
await owner.connect()

/** Bytes of each table with its indexes, once everything is sealed and tidied up. */
async function sizes() {
  for (;;) {
    const { rows } = await owner.query(
      'select (select count(*) from audit_entries) - (select count(*) from audit_seals) as waiting',
    )
    if (Number(rows[0].waiting) === 0) break
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  await owner.query('vacuum')
  const { rows } = await owner.query(
    `select relname as name, pg_total_relation_size(oid) as bytes from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'r'`,
  )
  return new Map(rows.map(({ name, bytes }) => [name, Number(bytes)]))
}

/** @param {string} what @param {[Map<string, number>, Map<string, number>]} sizes before and after @param {number} of */
function tell(what, [before, after], of) {
  const grown = [...after].map(([name, bytes]) => ({ name, each: (bytes - (before.get(name) ?? 0)) / of }))
  const all = grown.reduce((sum, { each }) => sum + each, 0)
  console.log(`${what}: ${Math.round(all)} bytes`)
  for (const { name, each } of grown.toSorted((a, b) => b.each - a.each).filter((table) => table.each >= 1)) {
    console.log(`  ${name.padEnd(16)} ${Math.round(each)}`)
  }
}

const email = `measure-${randomUUID()}@example.com`
const adminPasscode = 'correct horse battery'
const company = { companyName: 'Measure', contactEmail: email, contactName: 'Meg', adminPasscode }
await ask('/api/auth/register-tenant', { ...company, plan: 'enterprise' })
const { token } = await ask('/api/auth/login', { email, passcode: adminPasscode })
const empty = await sizes()
const rows = Array.from({ length: components }, (_, index) => ({
  barcode: String(4_006_381_000_000 + index),
  description: `Hex bolt M8 stainless, pack ${index}`,
  primary_quantity: 3,
}))
await ask('/api/components/import', rows, token)
const filled = await sizes()
tell('A component with stock at one location', [empty, filled], components)

/** Where the log has got to, in bytes. */
async function logged() {
  const { rows } = await owner.query(`select pg_current_wal_lsn() - '0/0'::pg_lsn as bytes`)
  return Number(rows[0].bytes)
}

let next = 0
/** As the handhelds do, each count with a key of its own. */
async function person() {
  while (next < counts) {
    const barcode = rows[next++ % components]?.barcode
    const timestamp = new Date().toISOString()
    const session = `Monthly_${timestamp.slice(0, 10)}`
    const body = { barcode, quantity: 3, location: 'PRIMARY', source: 'monthly', session, timestamp }
    await ask('/api/components/update-with-tracking', body, token)
  }
}
await owner.query('checkpoint')
const begun = await logged()
await Promise.all(Array.from({ length: 8 }, person))
console.log(`A count writes ${Math.round(((await logged()) - begun) / counts)} bytes of log`)
tell(`A count (of ${counts})`, [filled, await sizes()], counts)

await owner.end()
node.kill('SIGINT')
await once(node, 'exit')
await rm(dataDir, { recursive: true, force: true })
