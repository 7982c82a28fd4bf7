import { randomUUID } from 'node:crypto'

export type Company = {
  email: string
  passcode: string
  token: string
  rows: readonly { barcode: string; quantity: number }[]
}

const zones = 'Europe/Berlin'

/** One call of the program, which must succeed. */
export async function ask(origin: string, request: { path: string; token?: string; body?: unknown }) {
  const response = await fetch(`${origin}${request.path}`, {
    method: request.body === undefined ? 'GET' : 'POST',
    headers: {
      ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(request.token === undefined ? {} : { authorization: `Bearer ${request.token}` }),
    },
    ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${request.path} answered ${response.status}: ${text.slice(0, 300)}`)
  const parsed: unknown = JSON.parse(text)
  return parsed
}

function tokenOf(reply: unknown): string {
  if (typeof reply === 'object' && reply !== null && 'token' in reply && typeof reply.token === 'string') {
    return reply.token
  }
  throw new Error('Signing in gave no token.')
}

/** A session of who registered a company: its token. */
export async function signIn(
  origin: string,
  { email, passcode }: Pick<Company, 'email' | 'passcode'>,
): Promise<string> {
  return tokenOf(await ask(origin, { path: '/api/auth/login', body: { email, passcode } }))
}

const slice = 10_000

/** A company with so many components, registered and filled through the program's own door. */
export async function makeCompany(origin: string, components: number): Promise<Company> {
  const email = `bench-${randomUUID()}@example.com`
  const passcode = 'correct horse'
  const registration = { companyName: 'Bench Ltd', contactName: 'Bea', plan: 'enterprise', timeZone: zones }
  await ask(origin, {
    path: '/api/auth/register-tenant',
    body: { ...registration, contactEmail: email, adminPasscode: passcode },
  })
  const token = await signIn(origin, { email, passcode })
  const rows = Array.from({ length: components }, (_, index) => ({
    barcode: `SKU-${String(index).padStart(6, '0')}`,
    quantity: (index * 7) % 500,
  }))
  for (let from = 0; from < rows.length; from += slice) {
    const body = rows.slice(from, from + slice).map(({ barcode, quantity }, index) => ({
      barcode,
      description: `Component number ${from + index} steel bracket M${index % 20}`,
      primary_quantity: quantity,
      secondary_quantity: (index * 11) % 300,
      fulfillment_quantity: (index * 13) % 200,
      distribution_quantity: (index * 17) % 100,
    }))
    await ask(origin, { path: '/api/components/import', token, body })
  }
  return { email, passcode, token, rows }
}

export function anyOf<T>(items: readonly T[]): T {
  const item = items[Math.floor(Math.random() * items.length)]
  if (item === undefined) throw new Error('There is nothing to choose from.')
  return item
}
