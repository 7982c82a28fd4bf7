import { randomUUID } from 'node:crypto'
import type { Person, TestApp } from './test-app.ts'

async function sessionOf(app: TestApp, { tenantId, userId }: Person): Promise<string> {
  const { rows } = await app.owner.query<{ id: string }>(
    'select id from sessions where tenant_id = $1 and user_id = $2',
    [tenantId, userId],
  )
  return rows[0]?.id ?? ''
}

/** A count as record_counts takes it. */
export async function countAsRecorded<O extends { codes: string[]; quantity: number }>(
  app: TestApp,
  person: Person,
  own: O,
) {
  return {
    tenant: person.tenantId,
    session: await sessionOf(app, person),
    key: randomUUID(),
    hash: 'hash',
    plans: ['starter', 'professional', 'enterprise'],
    location: 'PRIMARY',
    source: 'monthly',
    count_session: 'Monthly_1',
    at: new Date(Date.now() - 1_000),
    sent_at: new Date(),
    day: null,
    recount: false,
    ...own,
  }
}
