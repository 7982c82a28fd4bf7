import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { randomFrom } from '../floor/model.ts'
import { asker, makeCompany, signInAgain, type Ask, type Person } from '../test-app.ts'
import { compare, type Acknowledged, type Findings } from './checker.ts'
import type { MortalDatabase } from './database.ts'

const components = 60
const stock = 5

type Reply = Awaited<ReturnType<ReturnType<typeof asker>>>

/** A company whose staff count all the time, and what they were told. */
export type Floor = {
  admin: Person
  acknowledged: Acknowledged[]
  /** Answers nobody should get, whatever falls over: anything but success and 'try again'. */
  unexpected: string[]
  /** Requests sent again because no answer came, or the answer was 'try again'. */
  retries: number
  /** When the requests were sent whose connection broke before there was an answer. */
  broken: number[]
  /** When the last success was answered. */
  lastSuccess: number
}

type Load = { floor: Floor; stop(): Promise<void> }

const barcodes = Array.from({ length: components }, (_, index) => `F-${index}`)

export async function openFloor(url: string): Promise<Floor> {
  const ask = asker(url)
  const admin = await makeCompany({ ask })
  const body = barcodes.map((barcode) => ({ barcode, primary_quantity: stock }))
  const { status } = await ask({ path: '/api/components/import', token: admin.token, body })
  if (status !== 200) throw new Error(`The import answered ${status}.`)
  return { admin, acknowledged: [], unexpected: [], retries: 0, broken: [], lastSuccess: Date.now() }
}

/** The reply, or null where the connection broke before there was one. */
async function tryOnce(ask: ReturnType<typeof asker>, request: Ask): Promise<Reply | null> {
  try {
    return await ask(request)
  } catch (error) {
    // What fetch throws for a connection that was refused, reset or cut.
    if (error instanceof TypeError) return null
    throw error
  }
}

const scanReply = z.object({ matched: z.boolean(), recorded: z.boolean().optional() })

type Client = {
  ask: ReturnType<typeof asker>
  token: string
  /** Whether a request sent again says that it is the same. */
  keys: 'kept' | 'fresh'
  isOver: () => boolean
}

/** Sends a request until it is answered for good; null where the work was over first. */
async function insist(floor: Floor, client: Client, makeRequest: () => Ask): Promise<Reply | null> {
  let request = makeRequest()
  for (;;) {
    const began = Date.now()
    const reply = await tryOnce(client.ask, { ...request, token: client.token })
    if (reply?.status === 200) {
      floor.lastSuccess = Date.now()
      return reply
    }
    if (reply !== null && reply.status !== 503) {
      floor.unexpected.push(`${request.path} answered ${reply.status} ${JSON.stringify(reply.body)}`)
      return null
    }
    if (reply === null) floor.broken.push(began)
    floor.retries += 1
    await sleep(20)
    if (client.keys === 'fresh') request = makeRequest()
  }
}

type Entry = { barcode: string; quantity: number }

async function scanOnce(floor: Floor, client: Client, { barcode, quantity }: Entry): Promise<void> {
  const scan = randomUUID()
  const reply = await insist(floor, client, () => ({
    path: '/api/components/update-with-tracking',
    key: randomUUID(),
    body: {
      barcode,
      quantity,
      location: 'PRIMARY',
      source: 'monthly',
      session: scan,
      timestamp: new Date().toISOString(),
    },
  }))
  if (reply === null) return
  const { matched, recorded } = scanReply.parse(reply.body)
  floor.acknowledged.push({ scan, recorded: recorded ?? matched })
}

async function correctOnce(floor: Floor, client: Client, { barcode, quantity }: Entry): Promise<void> {
  await insist(floor, client, () => ({
    path: '/api/components/update-quantity',
    key: randomUUID(),
    body: { barcode, quantity, location: 'PRIMARY' },
  }))
}

/** One person: mostly scans that match or do not, now and then a correction of the stock. */
async function work(floor: Floor, client: Client, seed: number): Promise<void> {
  const random = randomFrom(seed)
  while (!client.isOver()) {
    const barcode = random.pick(barcodes)
    const quantity = random.below(4) === 0 ? stock + 1 : stock
    if (random.below(20) === 0) await correctOnce(floor, client, { barcode, quantity })
    else await scanOnce(floor, client, { barcode, quantity })
  }
}

/** People who count at the given addresses, each insisting on every scan until it is acknowledged. */
export async function startLoad(
  floor: Floor,
  {
    urls,
    people,
    seed,
    keys = 'kept',
  }: { urls: readonly string[]; people: number; seed: number; keys?: Client['keys'] },
): Promise<Load> {
  const [first = ''] = urls
  let over = false
  const tokens: string[] = []
  for (let person = 0; person < people; person += 1) {
    tokens.push(await signInAgain({ ask: asker(first) }, floor.admin))
  }
  const working = tokens.map((token, index) => {
    const ask = asker(urls[index % urls.length] ?? first)
    return work(floor, { ask, token, keys, isOver: () => over }, seed + index)
  })
  return {
    floor,
    async stop() {
      over = true
      await Promise.all(working)
    },
  }
}

type Verdict = {
  history: Findings
  audit: Findings
  /** Stock that is not the sum of its movements. */
  wrongStock: number
  /** Marks of counted components, and the progress kept beside them. */
  marks: number
  progress: number
}

async function column(
  database: MortalDatabase,
  { url, floor, statement }: { url: string; floor: Floor; statement: string },
): Promise<string[]> {
  const rows = await database.read(url, statement, [floor.admin.tenantId])
  return z
    .array(z.object({ value: z.string() }))
    .parse(rows)
    .map(({ value }) => value)
}

/** What the database holds of a company, against what its people were told. */
export async function judge(database: MortalDatabase, url: string, floor: Floor): Promise<Verdict> {
  const read = (statement: string) => column(database, { url, floor, statement })
  const history = await read('select count_session as value from count_history where tenant_id = $1')
  const audit = await read(
    `select metadata ->> 'session' as value from audit_entries
     where tenant_id = $1 and kind = 'inventory_scan'`,
  )
  const wrong = await read(
    `select component_id::text as value
     from stock left join movements using (tenant_id, component_id, location)
     where tenant_id = $1 group by tenant_id, component_id, location, stock.quantity
     having stock.quantity <> coalesce(sum(delta), 0)`,
  )
  const marks = await read(
    `select component_id::text as value from stock
     where tenant_id = $1 and location = 'PRIMARY' and counted_at is not null`,
  )
  const progress = await read(
    'select coalesce(sum(counted), 0)::text as value from count_progress where tenant_id = $1',
  )
  return {
    ...compare(floor.acknowledged, { history, audit }),
    wrongStock: wrong.length,
    marks: marks.length,
    progress: Number(progress[0]),
  }
}
