import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { freePort } from '../../e2e/program.ts'
import type { Request } from '../load.ts'
import { findProgram } from '../programs.ts'
import { anyIndex, items, skuOf, type Peer, type RunningPeer } from './peer.ts'
import { runCommand, startProcess } from './process.ts'

const modules = ['stock', 'stock_inventory_location']
const packages =
  'tryton-server tryton-server-postgresql tryton-modules-stock tryton-modules-stock-inventory-location ' +
  'uwsgi-core uwsgi-plugin-python3'
const inOneCall = 500

const findDebianProgram = (name: string) => findProgram(name, ['/usr/bin'])

function findPrograms(): { admin: string; uwsgi: string } | null {
  const [admin, uwsgi] = [findDebianProgram('trytond-admin'), findDebianProgram('uwsgi_python3')]
  if (admin === null || uwsgi === null) return null
  const imports = modules.map((name) => `trytond.modules.${name}`).join(', ')
  const { status } = spawnSync(join(dirname(admin), 'python3'), ['-c', `import psycopg2, ${imports}`])
  return status === 0 ? { admin, uwsgi } : null
}

/** Who is signed in at a database; `context` goes with every call. */
type Session = { origin: string; path: string; headers: Record<string, string>; context: object }

const answer = z.object({ result: z.unknown(), error: z.unknown().optional() })

function request({ path, headers, context }: Session, method: string, params: unknown[]): Request {
  const body = { id: 1, method: `model.${method}`, params: [...params, context] }
  return { method: 'POST', path, headers, body, failure: '"error":' }
}

async function post(origin: string, { path, headers = {}, body }: Request): Promise<unknown> {
  const reply = await fetch(`${origin}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  const text = await reply.text()
  if (!reply.ok) throw new Error(`Tryton answered ${path} with ${reply.status}: ${text.slice(0, 300)}`)
  const { result, error } = answer.parse(JSON.parse(text))
  if (error !== undefined) throw new Error(`Tryton answered ${JSON.stringify(error).slice(0, 500)}`)
  return result
}

const call = async (session: Session, method: string, params: unknown[]) =>
  await post(session.origin, request(session, method, params))

const ids = z.array(z.number())
const idOnly = z.tuple([z.number()])

async function make(session: Session, model: string, values: object): Promise<number> {
  const [id] = idOnly.parse(await call(session, `${model}.create`, [[values]]))
  return id
}

const signInAnswer = z.tuple([z.number(), z.string()])

async function signIn(place: { origin: string; path: string }, password: string) {
  const body = { id: 1, method: 'common.db.login', params: ['admin', { password }] }
  const [user, key] = signInAnswer.parse(await post(place.origin, { method: 'POST', path: place.path, body }))
  const authorization = `Session ${Buffer.from(`admin:${user}:${key}`).toString('base64')}`
  return { user, session: { ...place, headers: { authorization }, context: {} } }
}

function today() {
  const now = new Date()
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth() + 1, now.getUTCDate()]
  return { __class__: 'date', year, month, day }
}

const one = { __class__: 'Decimal', decimal: '1' }

/** A company of the user's, by which all else goes; gives the same session within it. */
async function makeCompany(session: Session, user: number): Promise<{ company: number; session: Session }> {
  const rates = [['create', [{ date: { ...today(), year: 2020 }, rate: one }]]]
  const currency = await make(session, 'currency.currency', {
    name: 'US Dollar',
    symbol: '$',
    code: 'USD',
    rates,
  })
  const party = await make(session, 'party.party', { name: 'Bench' })
  const company = await make(session, 'company.company', { party, currency })
  await call(session, 'res.user.write', [[user], { companies: [['add', [company]]], company }])
  const context = z.looseObject({}).parse(await call(session, 'res.user.get_preferences', [true]))
  return { company, session: { ...session, context } }
}

/** Products with a code; their ids, in the order of the codes. */
async function makeProducts(session: Session): Promise<number[]> {
  const search = [[['name', '=', 'Unit']], 0, 1, null]
  const [unit] = idOnly.parse(await call(session, 'product.uom.search', search))
  for (let from = 0; from < items; from += inOneCall) {
    const templates = Array.from({ length: inOneCall }, (_, place) => ({
      name: `Component number ${from + place} steel bracket`,
      default_uom: unit,
      list_price: one,
      products: [['create', [{ suffix_code: skuOf(from + place) }]]],
    }))
    await call(session, 'product.template.create', [templates])
  }
  return ids.parse(await call(session, 'product.product.search', [[], 0, null, [['code', 'ASC']]]))
}

type Warehouse = { location: number; inventory: (lines: object[]) => object }

async function findWarehouse(session: Session, company: number): Promise<Warehouse> {
  const search = [[['type', '=', 'warehouse']], 0, 1, null, ['storage_location']]
  const [{ storage_location: location }] = z
    .tuple([z.object({ storage_location: z.number() })])
    .parse(await call(session, 'stock.location.search_read', search))
  const inventory = (lines: object[]) => {
    return { location, date: today(), company, empty_quantity: 'keep', lines: [['create', lines]] }
  }
  return { location, inventory }
}

type Products = { ids: number[]; lines: number[]; held: number[] }

/** First stock of all products, and an inventory that stays open, with its lines in the order of the products. */
async function makeStock(session: Session, { inventory }: Warehouse, products: number[]): Promise<Products> {
  const held = products.map((_, index) => (index % 300) + 1)
  const all = products.map((product, index) => ({ product, quantity: held[index] }))
  for (let from = 0; from < all.length; from += inOneCall) {
    const id = await make(session, 'stock.inventory', inventory(all.slice(from, from + inOneCall)))
    await call(session, 'stock.inventory.confirm', [[id]])
  }
  const open = await make(session, 'stock.inventory', inventory([]))
  const lines = all.map((line) => ({ ...line, inventory: open }))
  return {
    ids: products,
    lines: ids.parse(await call(session, 'stock.inventory.line.create', [lines])),
    held,
  }
}

const anyQuantity = () => Math.floor(Math.random() * 500)

type Requests = Pick<RunningPeer, 'count' | 'otherCounts' | 'item'>

function requestsOf(session: Session, warehouse: Warehouse, products: Products): Requests {
  function countOf(index: number) {
    const line = { product: products.ids[index], quantity: products.held[index] }
    const made = request(session, 'stock.inventory.create', [[warehouse.inventory([line])]])
    const confirm = (reply: string) => {
      const [id] = idOnly.parse(answer.parse(JSON.parse(reply)).result)
      return request(session, 'stock.inventory.confirm', [[id]])
    }
    return { ...made, followUp: confirm }
  }
  function entry() {
    const line = products.lines[anyIndex()]
    return request(session, 'stock.inventory.line.write', [[line], { quantity: anyQuantity() }])
  }
  return {
    count() {
      const index = anyIndex()
      products.held[index] = anyQuantity()
      return countOf(index)
    },
    otherCounts: [
      { how: 'matching', next: () => countOf(anyIndex()), goal: 100 },
      { how: 'entered only', next: entry, goal: 18 },
    ],
    item() {
      const shown = ['code', 'rec_name', 'quantity']
      const search = [[['code', '=', skuOf(anyIndex())]], 0, 1, null, shown]
      return request(session, 'product.product.search_read', search)
    },
  }
}

/** Makes its tables and starts it; gives how to sign in. */
async function startServer({ folder, databaseUrl }: { folder: string; databaseUrl: string }) {
  const programs = findPrograms()
  if (programs === null) throw new Error('Tryton is not installed.')
  const database = new URL(databaseUrl).pathname.slice(1)
  const port = String(await freePort())
  const origin = `http://127.0.0.1:${port}`
  const password = randomUUID()
  const passwordFile = join(folder, 'password')
  const settings = {
    PORT: port,
    TRYTOND_DATABASE_URI: databaseUrl.replace(/^postgres:/, 'postgresql:'),
    TRYTOND_DATABASE_NAMES: database,
    TRYTONPASSFILE: passwordFile,
  }
  const activated = ['--all', '--update', ...modules, '--activate-dependencies']
  const args = ['--database', database, '--email', 'bench@example.com', ...activated]
  await writeFile(passwordFile, password, { mode: 0o600 })
  await runCommand({ program: programs.admin, args, cwd: folder, settings })
  await rm(passwordFile)
  const server = { program: programs.uwsgi, args: ['--ini', join(import.meta.dirname, 'tryton-uwsgi.ini')] }
  const { stop } = await startProcess({ ...server, cwd: folder, settings }, origin)
  return { place: { origin, path: `/${database}/` }, password, stop }
}

/**
 * A stock system of Python: a count is an inventory of one line and its confirmation, which moves the stock. The id of what is
 * counted is known beforehand.
 */
export const tryton: Peer = {
  name: 'Tryton',
  dependencies: {},
  findLack: () =>
    findPrograms() === null
      ? `on Debian it comes with apt-get install --no-install-recommends ${packages}`
      : null,
  goal: { count: 100, item: 25 },
  async start(where) {
    const { place, password, stop } = await startServer(where)
    const admin = await signIn(place, password)
    const { company, session } = await makeCompany(admin.session, admin.user)
    const warehouse = await findWarehouse(session, company)
    const products = await makeStock(session, warehouse, await makeProducts(session))
    const context = { ...session.context, locations: [warehouse.location], stock_date_end: today() }
    const requests = requestsOf({ ...session, context }, warehouse, products)
    return { origin: place.origin, stop, ...requests }
  },
}
