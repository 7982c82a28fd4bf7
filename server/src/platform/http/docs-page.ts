import { daysRequestsAreKnown } from '@inventory-manager/contract/counting/rules'
import { takesIdempotencyKey, usualBodyBytes, type Endpoint } from '@inventory-manager/contract/endpoint'
import { commonErrors, errorTable } from '@inventory-manager/contract/errors'
import { scopeMeanings, scopes } from '@inventory-manager/contract/scopes'
import { webhookEventMeanings, webhookEvents } from '@inventory-manager/contract/webhooks/endpoints'
import { daysSent, retryDelays } from '@inventory-manager/contract/webhooks/rules'
import type { z } from '@inventory-manager/contract/zod'
import { setImmediate } from 'node:timers/promises'
import { exampleOf, requiredExamplesOf } from './example.ts'
import { audienceOf, bodyLimitOf, schemaOf, streamMeaning } from './openapi.ts'

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function escape(text: string): string {
  return text.replaceAll(/[&<>"]/g, (sign) => escapes[sign] ?? sign)
}

function json(value: unknown): string {
  return escape(JSON.stringify(value, null, 2))
}

function schemaBlock(title: string, schema: z.ZodMiniType | undefined, io: 'input' | 'output'): string {
  if (schema === undefined) return ''
  return `<details><summary>${title}</summary><pre tabindex="0">${json(schemaOf(schema, io))}</pre></details>`
}

function errorList(endpoint: Endpoint): string {
  const items = endpoint.errors.map((code) => {
    const { status, sentence } = errorTable[code]
    return `<li>${status} <code>${code}</code> ${escape(sentence)}</li>`
  })
  return items.length === 0 ? '' : `<ul>${items.join('')}</ul>`
}

/** The path with an example in the place of each parameter, and what the query has to hold. */
function exampleAddress({ path, params, query }: Endpoint): string {
  const values = new Map(params === undefined ? [] : requiredExamplesOf(params))
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(values.get(name) ?? ''),
  )
  const search = new URLSearchParams(query === undefined ? [] : requiredExamplesOf(query))
  return search.size === 0 ? filled : `${filled}?${search.toString()}`
}

/** The call as a command, with a query and a body that would be taken. */
function command(endpoint: Endpoint): string {
  const { method, body, access } = endpoint
  const lines = [
    `curl${method === 'GET' ? '' : ` -X ${method}`} "$HOST${exampleAddress(endpoint)}"`,
    ...(access === 'public' ? [] : ['-H "Authorization: Bearer $KEY"']),
    ...(body === undefined ? [] : ['-H "Content-Type: application/json"']),
    ...(body === undefined ? [] : [`-d '${JSON.stringify(exampleOf(body, 'input'))}'`]),
  ]
  return escape(lines.join(' \\\n  '))
}

function replyExample({ reply }: Endpoint): string {
  if ('events' in reply) return `<p>${escape(streamMeaning).replaceAll(/`(\w+)`/g, '<code>$1</code>')}</p>`
  if (!('json' in reply)) return '<p>Answers with a file.</p>'
  return `<details><summary>Example of a reply (${reply.status})</summary><pre tabindex="0">${json(
    exampleOf(reply.json, 'output'),
  )}</pre></details>`
}

function audience(endpoint: Endpoint): string {
  return audienceOf(endpoint, (scope) => `<a href="#scopes"><code>${scope}</code></a>`)
}

function section([name, endpoint]: [string, Endpoint]): string {
  const reply = 'json' in endpoint.reply ? endpoint.reply.json : undefined
  return `<section id="${name}">
<h3><a href="#${name}"><code>${endpoint.method} ${escape(endpoint.path)}</code></a></h3>
<p>${escape([`${endpoint.summary}.`, endpoint.description ?? []].flat().join(' '))} ${audience(endpoint)}${takesIdempotencyKey(endpoint) ? ' Takes an Idempotency-Key.' : ''} ${bodyLimitOf(endpoint)}</p>
<details><summary>Example of a call</summary><pre tabindex="0">${command(endpoint)}</pre></details>
${replyExample(endpoint)}
${schemaBlock('Path', endpoint.params, 'input')}
${schemaBlock('Query', endpoint.query, 'input')}
${schemaBlock('Body', endpoint.body, 'input')}
${schemaBlock('Reply', reply, 'output')}
${errorList(endpoint)}
</section>`
}

const keyChapter = `<h2 id="keys">Signing in</h2>
<p>Other programs use an API key: an administrator makes it on the screen <em>API Access</em> (professional plan and up),
where it is shown once. People sign in with <code>POST /api/auth/login</code>, whose reply holds a token for twelve hours.
Either goes into the same header:</p>
<pre tabindex="0">KEY=im_0123456789ab_…
curl "$HOST/api/components" -H "Authorization: Bearer $KEY"</pre>
<p>A key works for its company alone, in the audit trail it stands under its own name, and it stops at once when it is
revoked. Past its calls of a minute (600, unless the operator has set another number) the reply is 429 with
<code>Retry-After</code> in seconds. A body holds ${usualBodyBytes / 1024} kB at most, where a call does not say otherwise.</p>
<h3 id="scopes">Scopes</h3>
<p>What a key may do is chosen when it is made; none includes another. A call outside them is answered 403
<code>scope_missing</code>. Accounts, plans, keys and webhooks are for people alone.</p>
<dl>${scopes.map((scope) => `<dt><code>${scope}</code></dt><dd>${escape(scopeMeanings[scope])}.</dd>`).join('')}</dl>`

const retryChapter = `<h2 id="retries">Sending twice</h2>
<p>Calls that write, but for a few that say nothing of it, take an <code>Idempotency-Key</code> of 1 to 255 visible characters. The same key with the same
request answers as before and changes nothing; with another request it is 422 <code>key_reused</code>. A secret that is
shown once is not shown again: 409 <code>shown_once</code>. A key is known for ${daysRequestsAreKnown} days, to the API key or person
that sent it: end your retries before you exchange an API key. Make it before the first attempt and send it with each.</p>
<pre tabindex="0">curl -X POST "$HOST/api/components/update-quantity" \\
  -H "Authorization: Bearer $KEY" -H "Content-Type: application/json" \\
  -H "Idempotency-Key: order-4711-line-3" \\
  -d '{"barcode":"A-100","quantity":12,"location":"PRIMARY"}'</pre>
<p>A count's <code>timestamp</code> is by the clock of the device that scanned. Let it say as <code>Sent-At</code>, anew with each
attempt, what that clock shows: where it is off by more than a minute, the timestamp is moved by as much, unless it
is later than what the clock shows by more than a minute, too: such a clock was set back in between.</p>`

const webhookChapter = `<h2 id="webhooks">Webhooks</h2>
<p>A webhook gets a POST within seconds of what it was chosen for:</p>
<dl>${webhookEvents.map((event) => `<dt><code>${event}</code></dt><dd>${escape(webhookEventMeanings[event])}.</dd>`).join('')}</dl>
<p>A test is of the type <code>test</code>.
Answer with any 2xx within ten seconds; redirects are not followed. Anything else is tried again ${retryDelays.length} times over about a
day, with the same <code>webhook-id</code>: keep the ids you have handled, because a reply that got lost looks like a
failure from here. Deliveries may overtake each other. After three days of failures, which begin anew after a day in
which nothing was tried, the webhook is switched off; switched on again, it gets what happened in the last ${daysSent} days, also what had been given up. What is older is in <code>GET /api/audit/trail</code>.</p>
<p><code>id</code> is that of an entry of the audit trail, <code>event</code> what it tells, and <code>quantity</code> the amount it names: what was counted, moved, received or
issued, or how many components an import had. It is not the stock afterwards. <code>component.changed</code> says what to load anew
(<code>GET /api/components/detail</code>); where several components changed, <code>sku</code> holds the event's name instead, as
<code>BULK_IMPORT_COMPONENTS</code> does: load the list. Of <code>stock.low</code> <code>quantity</code> is the stock that is left. It comes
once each time that stock falls; of more than 500 at once there is one, whose <code>sku</code> is <code>CONFIG_STOCKS_LOW</code> and whose
<code>quantity</code> says how many they are: load the list (<code>GET /api/components/search?state=low</code>).</p>
<pre tabindex="0">{
  "type": "count.recorded",
  "timestamp": "2026-11-21T09:30:00.000Z",
  "data": {
    "id": "01993c5e-7a1b-7c2d-8e3f-4a5b6c7d8e9f", "event": "monthly_count_scan", "sku": "A-100",
    "quantity": 12, "location": "PRIMARY", "user_name": "Sam Staff", "user_type": "user"
  }
}</pre>
<p>Each is signed as <a href="https://www.standardwebhooks.com">Standard Webhooks</a> says, whose libraries check it. By
hand: refuse a <code>webhook-timestamp</code> more than five minutes off, then compare the signature.</p>
<pre tabindex="0">const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
const signed = headers['webhook-id'] + '.' + headers['webhook-timestamp'] + '.' + rawBody
const expected = 'v1,' + createHmac('sha256', key).update(signed).digest('base64')
const given = Buffer.from(headers['webhook-signature'] ?? '')
const good = given.length === expected.length &amp;&amp; timingSafeEqual(given, Buffer.from(expected))</pre>`

const systemChapter = `<h2 id="systems">Connecting another system</h2>
<p>Books of another system are kept in step like this. A key that writes needs <code>admin</code>, one that reads on <code>read</code>.</p>
<dl>
<dt>Codes</dt><dd>A barcode is text, compared exactly: <code>A-1</code>, <code>a-1</code>, <code>007</code> and <code>7</code> are four
components. It never changes; what gets another number gets it as another barcode, and is answered with its own.</dd>
<dt>Catalogue</dt><dd>Send all of it each night with <code>POST /api/components/import</code>, in lists of 10,000 at most: what is as it was
is left so. Leave the quantities out where stock is kept here. A list with one bad row changes nothing, and <code>details</code> names each
by its index, from 0. Costs go to <code>POST /api/components/set-costs</code>, as JSON numbers. What is no longer listed stays until it is
retired, and what was retired and is listed comes back, unless the list is staged (<code>POST /api/imports</code>) with
<code>"retired": "leave_out"</code>. A list is refused that names another barcode in the place of a component's own.</dd>
<dt>Goods in and out</dt><dd><code>POST /api/components/adjust-quantity</code> changes stock by an amount, <code>update-quantity</code> sets it.
Put the number of your document into <code>note</code>, and make the <code>Idempotency-Key</code> of it.</dd>
<dt>What happened here</dt><dd>Read on in <code>GET /api/movements</code>, say each minute: every change of stock, each once and in order. Webhooks come sooner,
but tell only where to look. A difference that was accepted is a movement; what waits is in <code>GET /api/discrepancies</code> (<code>admin</code>). What you booked yourself comes back, too, with your <code>note</code> and the name of your key,
<code>ERP (API key)</code>: do not book it again. A key that takes the place of another may have the same name.</dd>
<dt>No answer, 408, 429, 500 or 503</dt><dd>Wait as <code>Retry-After</code> says, or twice as long each time, and send the same again with the same
<code>Idempotency-Key</code>. Other refusals stay until their reason is gone. A refusal changes nothing and is not kept: the key is free, also for
a corrected request.</dd>
<dt>Lists</dt><dd>Go on until <code>next_cursor</code> is null (<code>more</code> is false), however few entries a page has. Where a list is by
time or barcode, what comes meanwhile moves nothing: places are those of entries, not numbers of pages.</dd>
<dt>Days and months</dt><dd>Instants are UTC. A month of the company begins at midnight of its <code>time_zone</code> (<code>GET /api/company</code>):
<code>from=2026-11-01T00:00:00%2B01:00</code>, with <code>+</code> written as <code>%2B</code>. What there was in stock at its beginning and end
(<code>GET /api/exports/stock</code> with <code>at</code>) differs by what moved between (<code>GET /api/exports/movements</code>).</dd>
<dt>Trail</dt><dd>Keep the <code>head</code> that <code>POST /api/audit/verify</code> answers, and send it along next time: so you prove that
nothing before it was changed since.</dd>
</dl>`

const errorChapter = `<h2 id="errors">Errors</h2>
<p>Every error is <code>{ "success": false, "error": "a sentence for people", "code": "snake_case" }</code>, with
<code>details</code> where several fields are wrong. Records of other companies are 404. Any call may answer with:</p>
<ul>${commonErrors
  .map(
    (code) => `<li>${errorTable[code].status} <code>${code}</code> ${escape(errorTable[code].sentence)}</li>`,
  )
  .join('')}</ul>`

const changeChapter = `<h2 id="changes">What may change</h2>
<p>Ignore what you do not know: fields of replies and webhooks, names of events, error codes, and values of a field that is
one of several. With any version there may be more of them without notice, further calls, and fields and parameters that
nobody has to send; sentences for people may be worded anew. What is described here is taken away, or
means something else, with a new major version only: the first number of the version, or the second while the first is 0. The changelog then says
what to do.</p>`

/** The interface as a page to read, from the same declarations as the OpenAPI document; others have their turn in between. */
export async function docsPage(endpoints: Record<string, Endpoint>, version: string): Promise<string> {
  const entries = Object.entries(endpoints)
  const sections: string[] = []
  for (const entry of entries) {
    sections.push(section(entry))
    await setImmediate()
  }
  const links = entries.map(
    ([name, { method, path }]) => `<li><a href="#${name}"><code>${method} ${escape(path)}</code></a></li>`,
  )
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Inventory Manager: HTTP interface</title>
<link rel="stylesheet" href="/api/docs.css">
</head>
<body>
<main>
<h1>Inventory Manager ${escape(version)}: HTTP interface</h1>
<p>JSON in UTF-8, instants in ISO 8601 UTC. The same as a machine reads it:
<a href="/api/openapi.json">OpenAPI 3.1</a>. In the examples <code>$HOST</code> is the address of this program.</p>
<nav aria-label="On this page"><a href="#keys">Signing in</a> · <a href="#scopes">Scopes</a> ·
<a href="#retries">Sending twice</a> · <a href="#webhooks">Webhooks</a> · <a href="#systems">Connecting another system</a> · <a href="#errors">Errors</a> ·
<a href="#changes">What may change</a> · <a href="#calls">Calls</a></nav>
${keyChapter}
${retryChapter}
${webhookChapter}
${systemChapter}
${errorChapter}
${changeChapter}
<h2 id="calls">Calls</h2>
<ul class="calls">${links.join('')}</ul>
${sections.join('\n')}
</main>
</body>
</html>`
}

export const docsStyle = `:root { color-scheme: light dark; background: Canvas; color: CanvasText }
:root { font: 16px/1.5 system-ui, sans-serif; scroll-padding-top: 1rem }
main { max-width: 60rem; margin: 0 auto; padding: 1rem; overflow-wrap: anywhere }
section { border-top: 1px solid color-mix(in srgb, currentColor 20%, transparent); padding: 0.5rem 0 }
h1 { font-size: 1.5rem }
h2 { font-size: 1.25rem; margin: 2rem 0 0.5rem }
h3 { font-size: 1rem; margin: 0.75rem 0 0.25rem }
h3 a { color: inherit; text-decoration: none }
pre { overflow: auto; padding: 0.75rem; background: color-mix(in srgb, currentColor 6%, transparent); font-size: 0.8rem }
summary { cursor: pointer; padding: 0.25rem 0 }
p, ul, dl { margin: 0.5rem 0 }
dt { font-weight: 600 }
dd { margin: 0 0 0.5rem 1rem }
.calls { columns: 20rem; padding-left: 1.25rem; font-size: 0.875rem; line-height: 1.75rem }
`
