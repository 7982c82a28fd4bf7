import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeCompany, makeStaff, startTestApp, type Person, type TestApp } from '../../test/test-app.ts'
import { forgettable } from '../forgettable.ts'
import { prune } from './pruning.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

async function keysOf(person: Person): Promise<string[]> {
  const { rows } = await app.owner.query<{ key: string }>(
    'select key from operations where tenant_id = $1 order by key',
    [person.tenantId],
  )
  return rows.map(({ key }) => key)
}

const fill = `
  insert into operations (tenant_id, user_id, key, request_hash, created_at)
  select $1, $2, $3 || i, 'hash', now() - make_interval(days => $4) from generate_series(1, $5::integer) i`

it('forgets requests that nobody can repeat any more, of every company, and keeps the others', async () => {
  const [one, other] = [await makeCompany(app), await makeCompany(app)]
  for (const { tenantId, userId } of [one, other]) {
    await app.owner.query(fill, [tenantId, userId, 'old', 41, 2_500])
    await app.owner.query(fill, [tenantId, userId, 'new', 39, 1])
  }
  await prune(app.database, forgettable)
  expect(await keysOf(one)).toEqual(['new1'])
  expect(await keysOf(other)).toEqual(['new1'])
})

it('forgets what is old of other companies and of sign-ins though one company cannot be cleared', async () => {
  const companies = [await makeCompany(app), await makeCompany(app), await makeCompany(app)]
  for (const { tenantId, userId } of companies) await app.owner.query(fill, [tenantId, userId, 'old', 41, 2])
  const [kept = ''] = companies.map(({ tenantId }) => tenantId).toSorted()
  await app.owner.query(`
    insert into attempts (key, window_start, taken) values ('older', now() - interval '32 days', 9);
    create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$;
    create trigger refuse before delete on operations for each row
    when (old.tenant_id = '${kept}') execute function refuse()`)
  await expect(prune(app.database, forgettable)).rejects.toThrow(
    'Requests of some companies could not be forgotten.',
  )
  const left = await app.owner.query(
    `select tenant_id from operations where key like 'old%' union all select null from attempts where key = 'older'`,
  )
  await app.owner.query('drop trigger refuse on operations; drop function refuse')
  expect(left.rows).toEqual([{ tenant_id: kept }, { tenant_id: kept }])
})

it('forgets attempts that no limit looks at any more, and keeps the others', async () => {
  await app.owner.query(
    `insert into attempts (key, window_start, taken)
     values ('old', now() - interval '32 days', 9), ('new', now() - interval '29 days', 9)`,
  )
  await prune(app.database, forgettable)
  const { rows } = await app.owner.query(`select key from attempts where key in ('old', 'new')`)
  expect(rows).toEqual([{ key: 'new' }])
})

it('leaves a request that is still known to be answered as before', async () => {
  const person = await makeCompany(app)
  const ask = { path: '/api/components/import', token: person.token, key: 'kept', body: [{ barcode: 'K-1' }] }
  expect((await app.ask(ask)).body).toMatchObject({ created: 1 })
  await app.owner.query(
    `update operations set created_at = now() - interval '38 days' where tenant_id = $1`,
    [person.tenantId],
  )
  await prune(app.database, forgettable)
  expect((await app.ask(ask)).body).toMatchObject({ created: 1, updated: 0, unchanged: 0 })
})

it('forgets old deliveries of webhooks that are off, those never sent as well, and keeps the others', async () => {
  const { tenantId } = await makeCompany(app)
  await app.owner.query(
    `with off as (
       insert into webhooks (tenant_id, url, events, secret, position, disabled_at, created_by)
       values ($1, 'https://example.com', '{count.recorded}', 'secret', 0, now(), 'Ada') returning tenant_id, id
     )
     insert into webhook_deliveries (tenant_id, id, webhook_id, entry_id, event, body, status, next_at)
     select off.tenant_id, id_at(now() - made.age, uuid_send(gen_random_uuid())), off.id, id_at(now() - made.age),
       made.event, '{}', made.status, now() - made.due
     from off cross join (values
       ('delivered long ago', 'delivered', interval '31 days', interval '31 days'),
       ('never sent', 'waiting', interval '31 days', interval '30 days'),
       ('wanted once more', 'waiting', interval '31 days', interval '1 minute'),
       ('delivered since', 'delivered', interval '29 days', interval '29 days')
     ) as made (event, status, age, due)`,
    [tenantId],
  )
  await prune(app.database, forgettable)
  const { rows } = await app.owner.query(
    'select event from webhook_deliveries where tenant_id = $1 order by event',
    [tenantId],
  )
  expect(rows).toEqual([{ event: 'delivered since' }, { event: 'wanted once more' }])
})

it('forgets sessions and links of long ago, and keeps the last session of each person and those of keys', async () => {
  const admin = await makeCompany(app)
  const quiet = await makeStaff(app, admin)
  await app.done({ path: '/api/api-keys', token: admin.token, body: { name: 'Robot', scopes: ['read'] } })
  await app.done({
    path: '/api/team/invitations',
    token: admin.token,
    body: { email: `old-${admin.email}`, role: 'user', mail: false },
  })
  const { tenantId } = admin
  await app.owner.query(
    `insert into sessions (tenant_id, id, user_id, user_agent, created_at, expires_at, last_used_at)
     select $1, gen_random_uuid(), $2, agent, now() - age, now() - age, now() - age
     from (values ('older', interval '91 days'), ('old', interval '89 days')) as made (agent, age)`,
    [tenantId, admin.userId],
  )
  await app.owner.query(
    `update sessions set expires_at = now() - interval '91 days' where tenant_id = $1 and user_id = $2`,
    [tenantId, quiet.userId],
  )
  await app.owner.query(
    `update one_time_links set expires_at = now() - interval '91 days' where tenant_id = $1`,
    [tenantId],
  )
  await prune(app.database, forgettable)
  const { rows } = await app.owner.query(
    `select users.name, count(*)::integer as sessions, bool_or(user_agent = 'older') as has_older
     from sessions join users on users.id = sessions.user_id where sessions.tenant_id = $1 group by 1 order by 1`,
    [tenantId],
  )
  expect(rows).toEqual([
    { name: admin.name, sessions: 2, has_older: false },
    { name: 'Robot (API key)', sessions: 1, has_older: false },
    { name: 'Sam Staff', sessions: 1, has_older: false },
  ])
  expect(
    (await app.owner.query('select from one_time_links where tenant_id = $1', [tenantId])).rowCount,
  ).toBe(0)
})
