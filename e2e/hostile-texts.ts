import { listDiscrepancies } from '@inventory-manager/contract/discrepancies/endpoints'
import { randomUUID } from 'node:crypto'

/** Texts that would call `xss` in a page that takes text for markup, script, address or style. */
export const payloads = [
  '<img src onerror=xss()>',
  '<script>xss()</script>',
  '"><script>xss()</script>',
  "'><img src onerror=xss()>",
  '</title><script>xss()</script>',
  '</textarea><img src onerror=xss()>',
  '</style><script>xss()</script>',
  '--><img src onerror=xss()>',
  '<svg onload=xss()>',
  '<svg><script>xss()</script></svg>',
  '<svg><animate onbegin=xss() attributeName=x>',
  '<body onload=xss()>',
  '<iframe srcdoc="<script>xss()</script>">',
  '<iframe src="javascript:parent.xss()">',
  '<a href="javascript:xss()">x</a>',
  'javascript:xss()',
  'data:text/html,<script>xss()</script>',
  '<input autofocus onfocus=xss()>',
  '<details open ontoggle=xss()>',
  '<video><source onerror=xss()></video>',
  '<math><mtext><img src onerror=xss()></mtext>',
  '" onmouseover="xss()" x="',
  '`${xss()}`',
  '{{constructor.constructor("xss()")()}}',
  '${xss()}',
  '<object data="javascript:xss()">',
  '<embed src="javascript:xss()">',
  '<form action="javascript:xss()"><button>',
  '<meta http-equiv=refresh content=0;javascript:xss()>',
  '<noscript><p title="</noscript><img src onerror=xss()>">',
]

/** A SKU has at most 48 characters. */
export const barcodes = payloads.map((payload) => payload.slice(0, 48).trim())

type Ask = (path: string, body?: unknown, status?: number) => Promise<unknown>

/** Calls the API with a session; every call must succeed, but with the status named. Without a body it reads. */
function askerOf(url: string, token: string): Ask {
  return async (path, body, status) => {
    const response = await fetch(`${url}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        authorization: `Bearer ${token}`,
        'idempotency-key': randomUUID(),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const reply: unknown = await response.json()
    const taken = status === undefined ? response.ok : response.status === status
    if (!taken) throw new Error(`${path} answered ${response.status} ${JSON.stringify(reply)}`)
    return reply
  }
}

const scanOf = (barcode: string, payload: string) => ({
  barcode,
  quantity: 1,
  location: 'PRIMARY',
  source: 'monthly',
  session: payload,
  timestamp: new Date().toISOString(),
})

/** Puts every payload into every field that counting takes text for. */
async function plantInCounts(ask: Ask): Promise<void> {
  const rows = payloads.map((payload, index) => ({
    barcode: barcodes[index],
    description: payload,
    primary_quantity: 5,
    high_volume_config: { Monday: ['PRIMARY'] },
  }))
  await ask('/api/components/import', rows)
  for (const [index, payload] of payloads.entries()) {
    const sku = barcodes[index] ?? ''
    await ask('/api/components/update-with-tracking', scanOf(sku, payload))
    await ask('/api/components/update-with-tracking', scanOf(sku, `${payload} again`))
    await ask('/api/components/update-with-tracking', scanOf(`?${sku}`.slice(0, 48), payload), 404)
    await ask('/api/count-history', {
      sku,
      quantity: 5,
      location: 'PRIMARY',
      source: payload,
      count_session: payload,
    })
    await ask('/api/audit/log', {
      sku,
      source: payload,
      location: 'PRIMARY',
      user_type: payload,
      user_name: payload,
      metadata: { type: payload, [payload]: payload },
    })
    await ask('/api/cycle-counts', {
      id: payload,
      location: 'PRIMARY',
      user_type: 'admin',
      progress: { [sku]: payload },
    })
  }
}

const decisions = ['accept', 'recount', 'dismiss'] as const

/** Decides about the differences, each with payloads as reason and note. */
async function plantInDecisions(ask: Ask): Promise<void> {
  const listed = await ask('/api/discrepancies?status=open&limit=100')
  const { discrepancies } = listDiscrepancies.reply.json.parse(listed)
  if (discrepancies.length === 0) throw new Error('There are no differences to decide.')
  for (const [index, { id }] of discrepancies.slice(0, payloads.length).entries()) {
    await ask('/api/discrepancies/decide', {
      ids: [id],
      decision: decisions[index % decisions.length],
      reason: payloads[index],
      note: payloads[index],
    })
  }
}

/** An address without spaces, which an e-mail address may not have. */
const addressed = (payload: string) => `${payload.replaceAll(/[\s@]/g, '/')}@example.com`.toLowerCase()

export const hostileEmail = addressed('"><svg onload=xss()>')

/** Puts payloads into the fields of administration: invitations, keys, webhooks, transfers, devices, settings, names. */
async function plantInAdministration(ask: Ask): Promise<void> {
  for (const payload of payloads.slice(0, 8)) {
    await ask('/api/team/invitations', { email: addressed(payload), mail: false })
  }
  for (const payload of payloads) {
    await ask('/api/api-keys', { name: payload, scopes: ['read'] })
  }
  for (const payload of payloads.slice(0, 2)) {
    const url = `https://receiver.invalid/${payload}?${payload}`
    await ask('/api/webhooks', { url, events: ['count.recorded'] })
  }
  for (const [index, payload] of payloads.entries()) {
    const between = { from: 'PRIMARY', to: index % 2 === 0 ? 'QUARANTINE' : 'SECONDARY' }
    await ask('/api/transfers', { barcode: barcodes[index], ...between, quantity: 1, note: payload })
  }
  await ask('/api/company/settings', { name: payloads[0], scanner_prefix: '"><svg/', scanner_suffix: '</a>' })
  await ask('/api/account/name', { name: payloads[0] })
}

/** Signs in from devices that call themselves by payloads. */
async function plantInDevices(url: string, person: { email: string; password: string }): Promise<void> {
  for (const payload of payloads.slice(0, 5)) {
    const response = await fetch(`${url}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': payload },
      body: JSON.stringify({ email: person.email, passcode: person.password }),
    })
    if (!response.ok) throw new Error(`Signing in answered ${response.status}.`)
  }
}

/** Puts payloads into every field that takes text. */
export async function plant(
  url: string,
  { token, ...person }: { token: string; email: string; password: string },
): Promise<void> {
  const ask = askerOf(url, token)
  await plantInCounts(ask)
  await plantInDecisions(ask)
  await plantInAdministration(ask)
  await plantInDevices(url, person)
}

/** A file to import whose cells, headings and name are payloads. */
export const hostileFile = {
  name: '<img src onerror=xss()>.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(
    [
      ['SKU', 'Description', ...payloads.slice(0, 4)],
      ...payloads.map((payload, index) => [`${barcodes[index]}`, payload, payload, payload, '', '']),
    ]
      .map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(','))
      .join('\r\n'),
  ),
}
