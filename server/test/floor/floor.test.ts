import { randomUUID } from 'node:crypto'
import { env, stdout } from 'node:process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { listBroken } from '../invariants.ts'
import { makeCompany, makeStaff, startTestApp, type Ask, type Person, type TestApp } from '../test-app.ts'
import {
  act,
  chooseAction,
  forget,
  randomFrom,
  type Action,
  type Answer,
  type Item,
  type Random,
} from './model.ts'

// The same interleavings for the same seed; longer with FLOOR_SECONDS.
const seed = Number(env['FLOOR_SEED'] ?? Date.now() % 1_000_000)
const seconds = Number(env['FLOOR_SECONDS'] ?? 12)
const components = 24
const checkEvery = 12

type Reply = Awaited<ReturnType<TestApp['ask']>>
type Node = { ask: (request: Ask) => Promise<Reply>; close: () => Promise<void> }
/** An acknowledged scan: sent again it must be answered the same. */
type Sent = { request: Ask; session: string; reply: Reply; recorded: boolean }

type Floor = {
  app: TestApp
  nodes: readonly { ask: (request: Ask) => Promise<Reply> }[]
  admin: Person
  crew: readonly Person[]
  items: Map<string, Item>
  sent: Sent[]
}

let app: TestApp
let second: Node
beforeAll(async () => {
  app = await startTestApp()
  second = await app.startSecondNode()
})
afterAll(async () => {
  await second.close()
  await app.close()
})

async function openFloor(): Promise<Floor> {
  const admin = await makeCompany(app)
  const crew = [admin, await makeStaff(app, admin, 'Sam'), await makeStaff(app, admin, 'Olga')]
  const skus = Array.from({ length: components }, (_, index) => `M-${index}`)
  const body = skus.map((barcode) => ({ barcode, primary_quantity: 5 }))
  await app.done({ path: '/api/components/import', token: admin.token, body })
  const items = new Map(
    skus.map((sku) => [sku, { quantity: 5, isCounted: false, open: null } satisfies Item]),
  )
  return { app, nodes: [app, second], admin, crew, items, sent: [] }
}

async function openId({ app: { owner }, admin }: Floor, sku: string): Promise<string> {
  const { rows } = await owner.query<{ id: string }>(
    `select id from discrepancies
     where tenant_id = $1 and sku = $2 and status in ('attempted', 'open', 'recount')`,
    [admin.tenantId, sku],
  )
  return rows[0]?.id ?? randomUUID()
}

async function requestFor(floor: Floor, action: Action, person: Person): Promise<Ask> {
  const key = randomUUID()
  if (action.kind === 'scan') {
    const { sku: barcode, quantity } = action
    const timestamp = new Date().toISOString()
    const body = { barcode, quantity, location: 'PRIMARY', source: 'monthly', session: key, timestamp }
    return { path: '/api/components/update-with-tracking', token: person.token, key, body }
  }
  if (action.kind === 'decide') {
    const body = { ids: [await openId(floor, action.sku)], decision: action.decision, reason: 'Model' }
    return { path: '/api/discrepancies/decide', token: floor.admin.token, key, body }
  }
  if (action.by === 'import') {
    const body = [{ barcode: action.sku, primary_quantity: action.quantity }]
    return { path: '/api/components/import', token: floor.admin.token, key, body }
  }
  const body = { barcode: action.sku, quantity: action.quantity, location: 'PRIMARY' }
  return { path: '/api/components/update-quantity', token: floor.admin.token, key, body }
}

const scanReply = z.object({
  matched: z.boolean(),
  recorded: z.boolean().optional(),
  attempt: z.int().optional(),
})

function answerOf(action: Action, { status, body }: Reply): Answer {
  if (action.kind !== 'scan' || status !== 200) return { status }
  const { matched, recorded, attempt } = scanReply.parse(body)
  return { status, scan: { matched, recorded: recorded ?? matched, attempt: attempt ?? null } }
}

/** The one answer of several; throws where they differ. */
function sameOf(replies: readonly Reply[]): Reply {
  const [first] = replies
  if (first === undefined) throw new Error('Nothing was sent.')
  for (const reply of replies) expect([reply.status, reply.body]).toEqual([first.status, first.body])
  return first
}

/** A request once or, as an impatient device on a bad network sends it, several times over both nodes. */
async function sendCopies({ nodes }: Floor, request: Ask, copies: number): Promise<Reply[]> {
  return await Promise.all(
    Array.from({ length: copies }, (_, copy) => (nodes[copy % nodes.length] ?? app).ask(request)),
  )
}

async function send(floor: Floor, request: Ask, copies: number): Promise<Reply> {
  return sameOf(await sendCopies(floor, request, copies))
}

/** As send, while others change the same: what is refused is kept under no key, and may be judged anew a moment later. */
async function sendAmongOthers(floor: Floor, request: Ask, copies: number): Promise<Reply> {
  const replies = await sendCopies(floor, request, copies)
  const taken = replies.filter(({ status }) => status === 200)
  return sameOf(taken.length > 0 ? taken : replies.slice(0, 1))
}

function keep(floor: Floor, request: Ask, reply: Reply): void {
  if (request.path !== '/api/components/update-with-tracking' || reply.status !== 200) return
  const { matched, recorded } = scanReply.parse(reply.body)
  floor.sent.push({ request, session: request.key ?? '', reply, recorded: recorded ?? matched })
}

/** One thing each to several components at once: for each of them the model knows what must come of it. */
async function roundApart(floor: Floor, random: Random): Promise<void> {
  const skus = [...floor.items.keys()].filter(() => random.below(3) === 0)
  const work = skus.map((sku) => {
    const item = floor.items.get(sku)
    if (item === undefined) throw new Error('The model knows every component.')
    const action = chooseAction(random, sku, item)
    return { action, item, person: random.pick(floor.crew), copies: random.below(4) === 0 ? 3 : 1 }
  })
  await Promise.all(
    work.map(async ({ action, item, person, copies }) => {
      const request = await requestFor(floor, action, person)
      const reply = await send(floor, request, copies)
      expect([action, answerOf(action, reply)]).toEqual([action, act(item, action)])
      keep(floor, request, reply)
    }),
  )
}

/** Scans of a few days ago arrive once more: the same answer, and nothing changes. */
async function roundOfRetries(floor: Floor, random: Random): Promise<void> {
  if (floor.sent.length === 0) return
  const again = Array.from({ length: 6 }, () => random.pick(floor.sent))
  await Promise.all(
    again.map(async ({ request, reply }) => {
      const { status, body } = await send(floor, request, 2)
      expect([status, body]).toEqual([reply.status, reply.body])
    }),
  )
}

async function reset(floor: Floor, person: Person): Promise<void> {
  const body = { location: 'PRIMARY' }
  const request = { path: '/api/components/reset-counts', token: person.token, key: randomUUID(), body }
  expect((await send(floor, request, 2)).status).toBe(200)
  for (const item of floor.items.values()) forget(item)
}

/** Everybody at the same two components at once, with a reset among it: whatever the order, it must add up. */
async function roundTogether(floor: Floor, random: Random): Promise<void> {
  const skus = [random.pick([...floor.items.keys()]), random.pick([...floor.items.keys()])]
  const actions = Array.from({ length: 14 }, () => {
    const sku = random.pick(skus)
    return chooseAction(random, sku, floor.items.get(sku) ?? { quantity: 0, isCounted: false, open: null })
  })
  const requests = await Promise.all(
    actions.map((action) => requestFor(floor, action, random.pick(floor.crew))),
  )
  const resetting = {
    path: '/api/components/reset-counts',
    token: floor.admin.token,
    key: randomUUID(),
    body: { location: 'PRIMARY' },
  }
  const replies = await Promise.all(
    [...requests, resetting].map(async (request, index) => {
      const reply = await sendAmongOthers(floor, request, index % 5 === 0 ? 2 : 1)
      keep(floor, request, reply)
      return reply.status
    }),
  )
  expect(replies.filter((status) => ![200, 404, 409].includes(status))).toEqual([])
  await readBack(floor)
}

const storedItem = z.object({
  sku: z.string(),
  quantity: z.int(),
  counted: z.boolean(),
  status: z.enum(['attempted', 'open', 'recount']).nullable(),
  attempts: z.int().nullable(),
  difference: z.int().nullable(),
  from_before: z.boolean(),
  behind: z.int(),
})

async function readStored({ app: { owner }, admin }: Floor): Promise<Map<string, Item>> {
  const { rows } = await owner.query(
    `select components.barcode as sku, stock.quantity, stock.counted_at is not null as counted,
       waiting.status, waiting.attempts, waiting.counted - waiting.expected as difference,
       waiting.status is not distinct from 'open' and not exists (
         select from count_attempts made
         where made.tenant_id = components.tenant_id and made.discrepancy_id = waiting.id
           and made.created_at > coalesce((select max(reset_at) from count_resets where tenant_id = $1), '-infinity')
       ) as from_before,
       coalesce((
         select max(made.attempt) - 1 from count_attempts made
         where made.tenant_id = components.tenant_id and made.discrepancy_id = waiting.id and made.starts_anew
       ), 0)::integer as behind
     from components
     join stock on stock.tenant_id = components.tenant_id and stock.component_id = components.id
       and stock.location = 'PRIMARY'
     left join discrepancies waiting on waiting.tenant_id = components.tenant_id
       and waiting.component_id = components.id and waiting.status in ('attempted', 'open', 'recount')
     where components.tenant_id = $1`,
    [admin.tenantId],
  )
  return new Map(
    z
      .array(storedItem)
      .parse(rows)
      .map(({ sku, quantity, counted, status, attempts, difference, behind, from_before: isFromBefore }) => {
        const open = { attempts: attempts ?? 0, difference: difference ?? 0, behind, isFromBefore }
        return [sku, { quantity, isCounted: counted, open: status === null ? null : { status, ...open } }]
      }),
  )
}

/** Takes over what a round left whose order nobody knows. */
async function readBack(floor: Floor): Promise<void> {
  for (const [sku, item] of await readStored(floor)) floor.items.set(sku, item)
}

async function numbers({ app: { owner }, admin }: Floor, query: string): Promise<unknown[]> {
  const { rows } = await owner.query(query, [admin.tenantId])
  return rows
}

/** Stock as in the model, the ledger its sum, every acknowledged scan exactly once, progress right. */
async function check(floor: Floor): Promise<void> {
  expect(Object.fromEntries(await readStored(floor))).toEqual(Object.fromEntries(floor.items))
  expect(
    await numbers(
      floor,
      `select component_id, location, stock.quantity, coalesce(sum(delta), 0)::integer as moved
       from stock left join movements using (tenant_id, component_id, location)
       where tenant_id = $1 group by tenant_id, component_id, location, stock.quantity
       having stock.quantity <> coalesce(sum(delta), 0)`,
    ),
  ).toEqual([])

  const sessionsIn = async (query: string) =>
    z
      .array(z.object({ session: z.string() }))
      .parse(await numbers(floor, query))
      .map(({ session }) => session)
      .toSorted()
  const acknowledged = floor.sent.map(({ session }) => session).toSorted()
  const recorded = floor.sent.filter((scan) => scan.recorded).map(({ session }) => session)
  expect(await sessionsIn('select count_session as session from count_history where tenant_id = $1')).toEqual(
    recorded.toSorted(),
  )
  expect(
    await sessionsIn(
      `select metadata ->> 'session' as session from audit_entries
       where tenant_id = $1 and kind = 'inventory_scan'`,
    ),
  ).toEqual(acknowledged)

  const counted = [...floor.items.values()].filter(({ isCounted }) => isCounted).length
  const { body } = await floor.app.ask({
    path: '/api/components/with-count-status',
    token: floor.admin.token,
    body: { location: 'PRIMARY' },
  })
  expect(body).toMatchObject({ counted, total: components })
  const progress = await numbers(
    floor,
    `select coalesce(sum(counted), 0)::integer as counted from count_progress where tenant_id = $1`,
  )
  expect(progress).toEqual([{ counted }])
}

describe('several people who count, correct, reset, import and decide at once on two nodes', () => {
  it(
    `leave stock, ledger, history, audit trail and progress as a simple model says (seed ${seed})`,
    async () => {
      const random = randomFrom(seed)
      const floor = await openFloor()
      const end = Date.now() + seconds * 1000
      let rounds = 0
      for (; Date.now() < end; rounds += 1) {
        const dice = random.below(10)
        if (dice < 6) await roundApart(floor, random)
        else if (dice < 8) await roundOfRetries(floor, random)
        else if (dice < 9) await roundTogether(floor, random)
        else await reset(floor, random.pick(floor.crew))
        if (rounds % checkEvery === 0) await check(floor)
      }
      await check(floor)
      expect(await listBroken(floor.app.owner, floor.admin.tenantId)).toEqual([])
      stdout.write(`floor: seed ${seed}, ${rounds} rounds, ${floor.sent.length} acknowledged scans\n`)
      expect(floor.sent.length).toBeGreaterThan(20)
    },
    (seconds + 60) * 1000,
  )
})
