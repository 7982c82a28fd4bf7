import { randomUUID } from 'node:crypto'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { freePort } from '../../e2e/program.ts'
import { anyIndex, items, skuOf, type Peer } from './peer.ts'
import { runCommand, startProcess } from './process.ts'

const version = '2.21.2'
const atOnce = 8

type Admin = { origin: string; headers: Record<string, string> }

async function post({ origin, headers }: Admin, path: string, body: unknown): Promise<unknown> {
  const reply = await fetch(`${origin}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  const text = await reply.text()
  if (!reply.ok) throw new Error(`Medusa answered ${path} with ${reply.status}: ${text.slice(0, 300)}`)
  const parsed: unknown = JSON.parse(text)
  return parsed
}

const identified = z.object({ id: z.string() })

async function signIn(origin: string, admin: { email: string; password: string }): Promise<Admin> {
  const { token } = z
    .object({ token: z.string() })
    .parse(await post({ origin, headers: {} }, '/auth/user/emailpass', admin))
  return { origin, headers: { authorization: `Bearer ${token}` } }
}

/** Items with one level each at a place; their ids, in the order of the codes. */
async function makeItems(admin: Admin, location: string): Promise<string[]> {
  const made = z.object({ inventory_item: identified })
  const ids: string[] = []
  for (let from = 0; from < items; from += atOnce) {
    const indexes = Array.from({ length: atOnce }, (_, place) => from + place)
    const calls = indexes.map(async (index) => {
      const level = { location_id: location, stocked_quantity: index % 300 }
      const title = `Component number ${index} steel bracket`
      const body = { sku: skuOf(index), title, location_levels: [level] }
      return made.parse(await post(admin, '/admin/inventory-items', body)).inventory_item.id
    })
    ids.push(...(await Promise.all(calls)))
  }
  return ids
}

/** A shop's inventory: setting a level writes that level alone. The id of what is counted is known beforehand. */
export const medusa: Peer = {
  name: 'Medusa',
  dependencies: {
    '@medusajs/medusa': version,
    '@medusajs/framework': version,
    '@medusajs/cli': version,
    pg: '8.23.1',
  },
  goal: { count: 25, item: 25 },
  async start({ folder, databaseUrl }) {
    await copyFile(join(import.meta.dirname, 'medusa-config.cjs'), join(folder, 'medusa-config.js'))
    const port = String(await freePort())
    const origin = `http://127.0.0.1:${port}`
    const credentials = { email: 'bench@example.com', password: randomUUID() }
    const settings = {
      DATABASE_URL: databaseUrl,
      SECRET: randomUUID(),
      MEDUSA_DISABLE_TELEMETRY: 'true',
      LOG_LEVEL: 'warn',
    }
    const medusaCommand = (...args: string[]) => {
      const cli = join('node_modules', '@medusajs', 'cli', 'cli.js')
      return { args: [cli, ...args], cwd: folder, settings }
    }
    await runCommand(medusaCommand('db:migrate', '--execute-all-links'))
    await runCommand(medusaCommand('user', '-e', credentials.email, '-p', credentials.password))
    const server = await startProcess(
      medusaCommand('start', '-H', '127.0.0.1', '-p', port),
      `${origin}/health`,
    )
    const admin = await signIn(origin, credentials)
    const { stock_location } = z
      .object({ stock_location: identified })
      .parse(await post(admin, '/admin/stock-locations', { name: 'Primary' }))
    const ids = await makeItems(admin, stock_location.id)
    const shown = 'id,sku,title,location_levels.stocked_quantity,location_levels.location_id'
    return {
      origin,
      stop: server.stop,
      count: () => ({
        method: 'POST',
        path: `/admin/inventory-items/${ids[anyIndex()]}/location-levels/${stock_location.id}?fields=id,sku`,
        headers: admin.headers,
        body: { stocked_quantity: Math.floor(Math.random() * 500) },
      }),
      item: () => ({
        method: 'GET',
        path: `/admin/inventory-items?sku=${skuOf(anyIndex())}&limit=1&fields=${shown}`,
        headers: admin.headers,
      }),
    }
  },
}
