import type { Page } from '@playwright/test'

export type Person = { email: string; name: string; password: string }
/** A process of the program that answers. */
type ProgramNode = { url: string }
type Credentials = { email: string; password: string }

type Session = { token: string; user: object }

type Call = { token?: string; body: object }

async function post(node: ProgramNode, path: string, { token, body }: Call): Promise<object> {
  const response = await fetch(`${node.url}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  })
  const reply: unknown = await response.json()
  if (!response.ok || typeof reply !== 'object' || reply === null) {
    throw new Error(`${path} answered ${response.status}: ${JSON.stringify(reply)}`)
  }
  return reply
}

function textIn(reply: object, name: string): string {
  const value: unknown = Reflect.get(reply, name)
  if (typeof value !== 'string') throw new Error(`The reply has no ${name}.`)
  return value
}

/** Makes a colleague of whoever registered the company: invited by the administrator, accepted at once. */
export async function addColleague(
  node: ProgramNode,
  admin: Credentials,
  { role = 'user', ...person }: Person & { role?: string },
): Promise<void> {
  const { token } = await beginSession(node, admin)
  const invitation = { email: person.email, role, mail: false }
  const secret = textIn(await post(node, '/api/team/invitations', { token, body: invitation }), 'secret')
  await post(node, '/api/auth/accept-invitation', {
    body: { secret, name: person.name, passcode: person.password },
  })
}

export async function beginSession(node: ProgramNode, { email, password }: Credentials): Promise<Session> {
  const reply = await post(node, '/api/auth/login', { body: { email, passcode: password } })
  const user: unknown = Reflect.get(reply, 'user')
  if (typeof user !== 'object' || user === null) throw new Error('The reply has no user.')
  return { token: textIn(reply, 'token'), user }
}

/** Of the same origin, and without the application, which would sign a half-stored session out. */
export const closedAt = '/health/live'

/** Leaves a person's session on a page, at the Primary Warehouse, as if they had signed in earlier; the program is not opened. */
export async function leaveSession(page: Page, node: ProgramNode, person: Credentials): Promise<void> {
  const session = await beginSession(node, person)
  await page.goto(`${node.url}${closedAt}`)
  await page.evaluate(({ token, user }) => {
    localStorage.setItem('jwt_token', token)
    localStorage.setItem('user_data', JSON.stringify(user))
    localStorage.setItem('selectedLocation', 'PRIMARY')
  }, session)
}

/** Opens the program for a person who signed in earlier, at the Primary Warehouse. */
export async function goOn(page: Page, node: ProgramNode, person: Credentials): Promise<void> {
  await leaveSession(page, node, person)
  await page.goto(`${node.url}/overview`)
}

/** Asks the server for something as a person who is signed in elsewhere. */
export async function askAs(node: ProgramNode, person: Credentials, call: { path: string; body: object }) {
  const { token } = await beginSession(node, person)
  return await post(node, call.path, { token, body: call.body })
}
