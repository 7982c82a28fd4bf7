import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { startMortalDatabase, type MortalDatabase } from './faults/database.ts'
import { makeNode, nodeSecret, type Node } from './faults/node.ts'
import { asker, type Ask } from './test-app.ts'

const passwords = ['Canary-Password-1', 'Canary-Password-2', 'Canary-Guess-3']
const signedIn = z.object({ token: z.string() })
const madeLink = z.object({ secret: z.string() })
const madeKey = z.object({ key: z.string() })

let database: MortalDatabase
let url: string
let node: Node
/** Everything the program answered, each with what was asked. */
const replies: { path: string; text: string; headers: string }[] = []
/** What only its holder may know, and the calls whose answer tells it to its holder. */
const secrets: { word: string; toldBy: string[] }[] = []

async function ask(request: Ask) {
  const reply = await asker(node.url)(request)
  replies.push({
    path: request.path,
    text: reply.bytes.toString(),
    headers: JSON.stringify([...reply.headers]),
  })
  return reply
}

/** Somebody's day with secrets: registration, sign-in, mistakes, a new password, a link, a key. */
async function useSecrets(): Promise<void> {
  const [first = '', second = '', guess = ''] = passwords
  const email = 'canary@example.com'
  const registered = await ask({
    path: '/api/auth/register-tenant',
    body: {
      companyName: 'Canaries',
      contactEmail: email,
      contactName: 'Ada',
      adminPasscode: first,
      plan: 'professional',
    },
  })
  expect(registered.status).toBe(201)
  const login = (passcode: string) => ask({ path: '/api/auth/login', body: { email, passcode } })
  const { token } = signedIn.parse((await login(first)).body)
  expect((await login(guess)).status).toBe(401)
  // What goes wrong must not tell either: as broken JSON, in the wrong field, in an address, in a header.
  await ask({ path: '/api/auth/login', body: `{"email":"${email}","passcode":"${first}` })
  await ask({ path: '/api/auth/login', body: { [first]: first, email: first, passcode: [first] } })
  await ask({ method: 'GET', path: '/api/dashboard', headers: { authorization: `Bearer ${token}x` } })
  await ask({ method: 'GET', path: '/api/dashboard', headers: { authorization: first } })
  await ask({ path: `/api/components/import`, token, body: first })

  const changed = { passcode: first, newPasscode: second }
  expect((await ask({ path: '/api/auth/change-password', token, body: changed })).status).toBe(200)
  const fresh = signedIn.parse((await login(second)).body).token
  const invited = await ask({
    path: '/api/team/invitations',
    token: fresh,
    key: 'canary-invitation',
    body: { email: 'guest@example.com' },
  })
  const { secret } = madeLink.parse(invited.body)
  await ask({ path: '/api/auth/link', body: { secret } })
  const made = await ask({
    path: '/api/api-keys',
    token: fresh,
    key: 'canary-key',
    body: { name: 'Canary', scopes: ['read'] },
  })
  const { key } = madeKey.parse(made.body)
  await ask({ method: 'GET', path: '/api/components', token: key })
  for (const path of [
    '/api/audit/trail',
    '/api/team',
    '/api/account/sessions',
    '/api/api-keys',
    '/api/auth/user',
  ]) {
    expect([path, (await ask({ method: 'GET', path, token: fresh })).status]).toEqual([path, 200])
  }
  secrets.push(
    ...passwords.map((word) => ({ word, toldBy: [] })),
    ...[token, fresh].map((word) => ({ word, toldBy: ['/api/auth/login'] })),
    { word: secret, toldBy: ['/api/team/invitations'] },
    { word: key, toldBy: ['/api/api-keys'] },
    { word: nodeSecret, toldBy: [] },
  )
}

beforeAll(async () => {
  database = await startMortalDatabase()
  url = await database.create('secrets')
  node = await makeNode(url, { LOG_LEVEL: 'trace' })
  await node.start()
  await useSecrets()
})
afterAll(async () => {
  await node.remove()
  await database.stop()
})

describe('passwords, sessions, links, keys and the secret of the installation', () => {
  it('stand in no log, however much is logged', () => {
    const log = node.output()
    expect(log).toContain('/api/auth/login')
    expect(secrets.filter(({ word }) => log.includes(word))).toEqual([])
    expect(log).not.toContain(new URL(url).password)
  })

  it('stand in no table, but as hashes', async () => {
    const tables = await database.read(
      url,
      `select quote_ident(table_name) as name from information_schema.tables
       where table_schema = 'public' and table_type = 'BASE TABLE'`,
    )
    const found: string[] = []
    let rows = 0
    for (const { name } of tables) {
      for (const row of await database.read(url, `select held::text as text from ${String(name)} as held`)) {
        rows += 1
        const told = secrets.filter(({ word }) => String(row['text']).includes(word))
        found.push(...told.map(({ word }) => `${String(name)} holds ${word}`))
      }
    }
    expect(found).toEqual([])
    expect(rows).toBeGreaterThan(10)
    // A key acts as a user of its own, without a password.
    const hashes = await database.read(
      url,
      "select left(password_hash, 10) as kind from users where password_hash <> ''",
    )
    expect(hashes).toEqual([{ kind: '$argon2id$' }])
  })

  it('stand in no answer, but the one that gives them to their holder', () => {
    const told = secrets.flatMap(({ word, toldBy }) =>
      replies
        .filter(({ path, text, headers }) => !toldBy.includes(path) && (text + headers).includes(word))
        .map(({ path }) => `${path} tells ${word}`),
    )
    expect(told).toEqual([])
    expect(replies.length).toBeGreaterThan(15)
  })
})
