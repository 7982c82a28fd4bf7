import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import http from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { root } from './script.mjs'

// What open streams of news cost one node: memory, and how fast others count meanwhile. After `npm run build`, on Linux:
//   node scripts/measure-streams.mjs [streams] [scans]

const streams = Number(process.argv[2] ?? 500)
const scans = Number(process.argv[3] ?? 2_000)
const port = 3_987
const url = `http://127.0.0.1:${port}`
const agent = new http.Agent({ keepAlive: true, maxSockets: Infinity })

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

/** Megabytes the node holds. @param {number} pid */
function memoryOf(pid) {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Math.round(Number(kilobytes) / 1024)
}

const dataDir = await mkdtemp(join(tmpdir(), 'inventory-manager-streams-'))
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

const email = `measure-${randomUUID()}@example.com`
const adminPasscode = 'correct horse battery'
const company = { companyName: 'Measure', contactEmail: email, contactName: 'Meg', adminPasscode }
await ask('/api/auth/register-tenant', { ...company, plan: 'enterprise' })
const { token } = await ask('/api/auth/login', { email, passcode: adminPasscode })
const rows = Array.from({ length: 5_000 }, (_, index) => ({ barcode: `M-${index}`, primary_quantity: 3 }))
await ask('/api/components/import', rows, token)

let next = 0
/** Counts as eight people do who never pause; gives scans per second and the slow end of the answers' times. */
async function countAll() {
  /** @type {number[]} */
  const times = []
  const begun = performance.now()
  const person = async () => {
    for (let done = 0; done < scans / 8; done += 1) {
      next += 1
      const timestamp = new Date().toISOString()
      const body = { barcode: `M-${next % 5_000}`, quantity: 3, location: 'PRIMARY', session: 'm', timestamp }
      const start = performance.now()
      await ask('/api/components/update-with-tracking', body, token)
      times.push(performance.now() - start)
    }
  }
  await Promise.all(Array.from({ length: 8 }, person))
  const perSecond = Math.round((scans / (performance.now() - begun)) * 1000)
  const slow = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? 0
  return `${perSecond} scans a second, 95 % answered within ${slow.toFixed(0)} ms`
}

await countAll()
const pid = node.pid ?? 0
const before = memoryOf(pid)
console.log(`no stream: ${await countAll()}; ${before} MB`)

let received = 0
const open = await Promise.all(
  Array.from(
    { length: streams },
    () =>
      new Promise((resolve, reject) => {
        const request = http.get(`${url}/api/events`, {
          agent,
          headers: { authorization: `Bearer ${token}` },
        })
        request.on('error', reject)
        request.on('response', (response) => {
          response.on('data', (piece) => (received += String(piece).split('\nevent: count').length - 1))
          response.once('data', () => resolve(request))
        })
      }),
  ),
)
await new Promise((resolve) => setTimeout(resolve, 2_000))
console.log(`${streams} streams open: ${memoryOf(pid)} MB`)
console.log(`${streams} streams: ${await countAll()}; ${memoryOf(pid)} MB`)
await new Promise((resolve) => setTimeout(resolve, 2_000))
console.log(`${received} of ${streams * scans} events arrived; ${memoryOf(pid)} MB`)
for (const request of open) request.destroy()
await new Promise((resolve) => setTimeout(resolve, 1_000))
console.log(`no stream: ${await countAll()}; ${memoryOf(pid)} MB`)

node.kill('SIGINT')
await once(node, 'exit')
await rm(dataDir, { recursive: true, force: true })
