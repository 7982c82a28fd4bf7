import { createHmac, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'

type StoredSubscription = {
  id: string
  status: string
  price: string
  tenantId: string
  endsWithPeriod: boolean
  /** As it is told of subscriptions that are reckoned in the newer way. */
  endsAt?: number
}

export type StripeStandIn = {
  /** Settings of a program that pays here. */
  settings: Record<string, string>
  /** What was asked, as Stripe's interface has it: method, path and form fields. */
  requests: { call: string; fields: Record<string, string>; key: string | undefined }[]
  subscriptions: Map<string, StoredSubscription>
  /** The next call of this kind fails at Stripe itself, or the one after as many as pass. */
  failOnce: (call: string, passing?: number) => void
  /** The next search is refused, as all are to accounts of some countries. */
  refuseSearch: () => void
  /** Answers nothing until what this gives is called. */
  holdAnswers: () => () => void
  /** An event in Stripe's form with its signature header. */
  event: (
    type: string,
    object: object,
    options?: { id?: string; secret?: string; at?: number },
  ) => { body: string; headers: Record<string, string> }
  close: () => Promise<void>
}

const webhookSecret = 'whsec_only_for_tests'

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString('utf8')
}

function subscriptionObject(stored: StoredSubscription) {
  const item = { id: `si_${stored.id}`, price: { id: stored.price }, current_period_end: 1_900_000_000 }
  return {
    id: stored.id,
    object: 'subscription',
    customer: 'cus_1',
    status: stored.status,
    cancel_at_period_end: stored.endsWithPeriod,
    cancel_at: stored.endsAt ?? null,
    metadata: { tenant_id: stored.tenantId },
    items: { object: 'list', data: [item] },
  }
}

type Answer = { status: number; body: object }

const missing: Answer = {
  status: 404,
  body: { error: { type: 'invalid_request_error', code: 'resource_missing', message: 'No such thing' } },
}

const fault: Answer = {
  status: 500,
  body: { error: { type: 'api_error', message: 'Something went wrong on our end' } },
}

const misused: Answer = {
  status: 400,
  body: {
    error: {
      type: 'idempotency_error',
      message:
        'Keys for idempotent requests can only be used with the same parameters they were first used with.',
    },
  },
}

const noSearches: Answer = {
  status: 400,
  body: { error: { type: 'invalid_request_error', message: 'The search feature is not available to you.' } },
}

const keyTooLong: Answer = {
  status: 400,
  body: {
    error: { type: 'invalid_request_error', message: 'Idempotency keys are at most 255 characters long.' },
  },
}

/** The checkouts that are open. */
function createCheckouts() {
  const open = new Set<string>()
  return (call: string): Answer | null => {
    const [, expired] = /^POST \/v1\/checkout\/sessions\/(\w+)\/expire$/.exec(call) ?? []
    if (expired !== undefined) {
      return open.delete(expired)
        ? { status: 200, body: { object: 'checkout.session', id: expired } }
        : missing
    }
    if (call === 'POST /v1/checkout/sessions') {
      const id = `cs_${randomUUID().replaceAll('-', '')}`
      open.add(id)
      return { status: 200, body: { object: 'checkout.session', id, url: 'https://checkout.example/pay' } }
    }
    if (!call.startsWith('GET /v1/checkout/sessions?')) return null
    const data = [...open].map((id) => ({ object: 'checkout.session', id }))
    return { status: 200, body: { object: 'list', has_more: false, data } }
  }
}

function answerFor(
  call: string,
  fields: Record<string, string>,
  subscriptions: StripeStandIn['subscriptions'],
): Answer {
  if (/^POST \/v1\/customers(\/cus_1)?$/.test(call)) {
    return { status: 200, body: { id: 'cus_1', object: 'customer' } }
  }
  if (call === 'POST /v1/billing_portal/sessions') {
    return { status: 200, body: { object: 'billing_portal.session', url: 'https://portal.example/' } }
  }
  if (call.startsWith('GET /v1/subscriptions?')) {
    const running = [...subscriptions.values()].filter(({ status }) => status !== 'canceled')
    return {
      status: 200,
      body: { object: 'list', has_more: false, data: running.map((each) => subscriptionObject(each)) },
    }
  }
  if (call.startsWith('GET /v1/subscriptions/search?')) {
    const query = new URL(call.slice(4), 'http://stripe').searchParams.get('query')
    const found = [...subscriptions.values()].filter(
      ({ tenantId }) => query === `metadata["tenant_id"]:"${tenantId}"`,
    )
    return {
      status: 200,
      body: {
        object: 'search_result',
        has_more: false,
        data: found.map((each) => subscriptionObject(each)),
      },
    }
  }
  const [, id = ''] = /^(?:GET|POST) \/v1\/subscriptions\/(\w+)$/.exec(call) ?? []
  const stored = subscriptions.get(id)
  if (stored === undefined) return missing
  stored.price = fields['items[0][price]'] ?? stored.price
  return { status: 200, body: subscriptionObject(stored) }
}

/** As Stripe does: the same key again gets the first answer, a fault too, and nothing is done; with anything else it is refused. */
function createOnce() {
  const answered = new Map<string, Answer & { asked: string }>()
  return (key: string, asked: string, answer: () => Answer): Answer & { isReplayed: boolean } => {
    const before = answered.get(key)
    const first = before ?? { asked, ...answer() }
    answered.set(key, first)
    return { ...(first.asked === asked ? first : misused), isReplayed: before !== undefined }
  }
}

/** A server on loopback that speaks as much of Stripe's interface as the product uses. */
export async function startStripe(): Promise<StripeStandIn> {
  const requests: StripeStandIn['requests'] = []
  const subscriptions: StripeStandIn['subscriptions'] = new Map()
  const failing = new Map<string, number>()
  const isFailing = (call: string) => {
    const passing = failing.get(call)
    if (passing === undefined) return false
    if (passing > 0) failing.set(call, passing - 1)
    return passing === 0 && failing.delete(call)
  }
  const refused = new Set<string>()
  const searchRefused = (call: string) =>
    call.startsWith('GET /v1/subscriptions/search?') && refused.delete('search') ? noSearches : null
  const once = createOnce()
  const checkouts = createCheckouts()
  let held: Promise<void> = Promise.resolve()
  const server = createServer((request, response) => {
    readBody(request)
      .then(async (text) => {
        const call = `${request.method ?? ''} ${request.url ?? ''}`
        const fields = Object.fromEntries(new URLSearchParams(text))
        const key = request.headers['idempotency-key']
        requests.push({ call, fields, key: typeof key === 'string' ? key : undefined })
        await held
        if (key !== undefined && key.length > 255) {
          response.writeHead(keyTooLong.status).end(JSON.stringify(keyTooLong.body))
          return
        }
        const again = typeof key === 'string' ? key : randomUUID()
        const { isReplayed, status, body } = once(again, `${call} ${text}`, () =>
          isFailing(call)
            ? fault
            : (searchRefused(call) ?? checkouts(call) ?? answerFor(call, fields, subscriptions)),
        )
        response
          .writeHead(status, {
            'content-type': 'application/json',
            ...(isReplayed ? { 'idempotent-replayed': 'true' } : {}),
          })
          .end(JSON.stringify(body))
      })
      .catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The stand-in has no port.')
  return {
    requests,
    subscriptions,
    failOnce: (call, passing = 0) => void failing.set(call, passing),
    refuseSearch: () => void refused.add('search'),
    holdAnswers() {
      let answer: () => void = () => undefined
      held = new Promise((resolve) => (answer = resolve))
      return answer
    },
    settings: {
      PUBLIC_URL: 'https://count.example.com',
      STRIPE_API_URL: `http://127.0.0.1:${address.port}`,
      STRIPE_SECRET_KEY: 'sk_test_stand_in',
      STRIPE_WEBHOOK_SECRET: webhookSecret,
      STRIPE_PRICE_STARTER: 'price_starter',
      STRIPE_PRICE_PROFESSIONAL: 'price_professional',
      STRIPE_PRICE_ENTERPRISE: 'price_enterprise',
    },
    event(type, object, { id = `evt_${randomUUID()}`, secret = webhookSecret, at = Date.now() } = {}) {
      const body = JSON.stringify({
        id,
        object: 'event',
        type,
        api_version: '2026-10-28.endive',
        data: { object },
      })
      const seconds = Math.floor(at / 1000)
      const signature = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')
      return { body, headers: { 'stripe-signature': `t=${seconds},v1=${signature}` } }
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
