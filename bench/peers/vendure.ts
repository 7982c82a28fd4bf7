import { randomUUID } from 'node:crypto'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { freePort } from '../../e2e/program.ts'
import type { Request } from '../load.ts'
import { anyIndex, items, skuOf, type Peer } from './peer.ts'
import { startProcess } from './process.ts'

const serverFile = 'vendure-server.cjs'
const path = '/admin-api'
const inOneCall = 100

type Admin = { origin: string; headers: Record<string, string> }

const answer = z.object({ data: z.record(z.string(), z.unknown()).nullish(), errors: z.unknown().optional() })

async function ask({ origin, headers }: Admin, query: string, variables: Record<string, unknown> = {}) {
  const reply = await fetch(`${origin}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query, variables }),
  })
  const { data, errors } = answer.parse(await reply.json())
  if (errors !== undefined) throw new Error(`Vendure answered ${JSON.stringify(errors).slice(0, 500)}`)
  return { data: data ?? {}, token: reply.headers.get('vendure-auth-token') }
}

async function signIn(origin: string, admin: { name: string; password: string }): Promise<Admin> {
  const query =
    'mutation ($name: String!, $password: String!) { login(username: $name, password: $password) { __typename } }'
  const { token } = await ask({ origin, headers: {} }, query, admin)
  if (token === null) throw new Error('Vendure gave no token.')
  return { origin, headers: { authorization: `Bearer ${token}` } }
}

const identified = z.object({ id: z.string() })

async function make(admin: Admin, call: string): Promise<string> {
  const { data } = await ask(admin, `mutation { made: ${call} { id } }`)
  return identified.parse(data['made']).id
}

/** What Vendure wants before there may be products: a country, its zone, a tax. Gives the place of the stock. */
async function makeShop(admin: Admin): Promise<string> {
  const country = await make(
    admin,
    'createCountry(input: {code: "US", enabled: true, translations: [{languageCode: en, name: "USA"}]})',
  )
  const zone = await make(admin, `createZone(input: {name: "Zone", memberIds: ["${country}"]})`)
  const tax = await make(admin, 'createTaxCategory(input: {name: "Standard", isDefault: true})')
  const rate = `name: "Rate", enabled: true, value: 0, categoryId: "${tax}", zoneId: "${zone}"`
  await make(admin, `createTaxRate(input: {${rate}})`)
  const zones = `defaultTaxZoneId: "${zone}", defaultShippingZoneId: "${zone}"`
  await ask(admin, `mutation { updateChannel(input: {id: 1, ${zones}}) { __typename } }`)
  const { data } = await ask(admin, '{ stockLocations { items { id } } }')
  const [location] = z.object({ items: z.array(identified) }).parse(data['stockLocations']).items
  if (location === undefined) throw new Error('Vendure has no place for stock.')
  return location.id
}

/** Products of one variant each; the ids of the variants, in the order of the codes. */
async function makeItems(admin: Admin, stockLocationId: string): Promise<string[]> {
  const ids: string[] = []
  for (let from = 0; from < items; from += inOneCall) {
    const indexes = Array.from({ length: inOneCall }, (_, place) => from + place)
    const calls = indexes.map((index) => {
      const text = `languageCode: en, name: "Component number ${index}", slug: "c-${index}", description: ""`
      return `p${index}: createProduct(input: {enabled: true, translations: [{${text}}]}) { id }`
    })
    const products = await ask(admin, `mutation { ${calls.join(' ')} }`)
    const input = indexes.map((index) => ({
      productId: identified.parse(products.data[`p${index}`]).id,
      sku: skuOf(index),
      price: 100,
      trackInventory: 'TRUE',
      stockLevels: [{ stockLocationId, stockOnHand: index % 300 }],
      translations: [{ languageCode: 'en', name: `Component number ${index} steel bracket` }],
    }))
    const made = await ask(
      admin,
      'mutation ($input: [CreateProductVariantInput!]!) { createProductVariants(input: $input) { id } }',
      { input },
    )
    ids.push(
      ...z
        .array(identified)
        .parse(made.data['createProductVariants'])
        .map(({ id }) => id),
    )
  }
  return ids
}

const countText = `mutation ($input: [UpdateProductVariantInput!]!) {
  updateProductVariants(input: $input) { id sku stockLevels { stockOnHand } }
}`

const itemText = `query ($sku: String!) {
  productVariants(options: {filter: {sku: {eq: $sku}}, take: 1}) {
    items { id sku name stockLevels { stockOnHand stockLocationId } }
  }
}`

/** A shop with stock: setting a level writes it and a movement. The id of what is counted is known beforehand. */
export const vendure: Peer = {
  name: 'Vendure',
  dependencies: { '@vendure/core': '3.7.3', pg: '8.23.1', typescript: '5.9.3' },
  overrides: { '@graphql-tools/batch-execute': '10.2.0' },
  goal: { count: 25, item: 25 },
  async start({ folder, databaseUrl }) {
    await copyFile(join(import.meta.dirname, serverFile), join(folder, serverFile))
    const origin = `http://127.0.0.1:${await freePort()}`
    const credentials = { name: 'bench', password: randomUUID() }
    const settings = {
      PORT: new URL(origin).port,
      DATABASE_URL: databaseUrl,
      ADMIN_NAME: credentials.name,
      ADMIN_PASSWORD: credentials.password,
      VENDURE_DISABLE_TELEMETRY: 'true',
    }
    const command = { args: [serverFile], cwd: folder, settings }
    const server = await startProcess(command, `${origin}${path}`)
    const worker = await startProcess({ ...command, settings: { ...settings, ROLE: 'worker' } })
    const admin = await signIn(origin, credentials)
    const stockLocationId = await makeShop(admin)
    const ids = await makeItems(admin, stockLocationId)
    const request = (query: string, variables: Record<string, unknown>): Request => {
      return { method: 'POST', path, headers: admin.headers, body: { query, variables }, failure: '"errors"' }
    }
    return {
      origin,
      count() {
        const stockOnHand = Math.floor(Math.random() * 500)
        const input = [{ id: ids[anyIndex()], stockLevels: [{ stockLocationId, stockOnHand }] }]
        return request(countText, { input })
      },
      item: () => request(itemText, { sku: skuOf(anyIndex()) }),
      async stop() {
        await worker.stop()
        await server.stop()
      },
    }
  },
}
