import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { makeCompany, makeStaff, startTestApp, type Person, type TestApp } from '../../test/test-app.ts'
import { millisecondOf } from '../platform/db/time-ids.ts'
import { keepSealing, sealCompany, verifyTrail } from './chain.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

async function write(person: Person, skus: string[]): Promise<void> {
  for (const sku of skus) await app.ask({ path: '/api/audit/log', token: person.token, body: { sku } })
}

const verify = (person: Person) =>
  app.ask({ path: '/api/audit/verify', token: person.token, body: {} }).then(({ body }) => body)

/** A company with seven sealed entries: registered, signed in, S-1 to S-5. */
async function sealedCompany(): Promise<{ admin: Person; ids: string[] }> {
  const admin = await makeCompany(app)
  await write(admin, ['S-1', 'S-2', 'S-3', 'S-4', 'S-5'])
  await sealCompany(app.database, admin.tenantId)
  const { rows } = await app.owner.query<{ entry_id: string }>(
    'select entry_id from audit_seals where tenant_id = $1 order by seq',
    [admin.tenantId],
  )
  return { admin, ids: rows.map(({ entry_id: id }) => id) }
}

/** What somebody with the owner's rights can do: the guards off, a change, the guards on again. */
async function behindItsBack(statement: string, values: unknown[]): Promise<void> {
  const client = await app.owner.connect()
  await client.query(`begin; set local session_replication_role = replica`)
  await client.query(statement, values)
  await client.query('commit')
  client.release()
}

const sealCount = async (tenantId: string) => {
  const { rows } = await app.owner.query<{ seals: number }>(
    'select count(*)::integer as seals from audit_seals where tenant_id = $1',
    [tenantId],
  )
  return rows[0]?.seals
}

describe('a trail that nobody touched', () => {
  it('is intact, and says how many entries it has and its newest seal', async () => {
    const { admin } = await sealedCompany()
    expect(await verify(admin)).toEqual({
      intact: true,
      checked: 7,
      detached: 0,
      head: { seq: 7, hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
      fault: null,
    })
  })

  it('is sealed in the background within seconds', async () => {
    const admin = await makeCompany(app)
    await write(admin, ['S-1'])
    await expect.poll(() => sealCount(admin.tenantId)).toBe(3)
  })

  it('is checked again with what was written since, the check itself among it', async () => {
    const { admin } = await sealedCompany()
    await verify(admin)
    await write(admin, ['S-6'])
    expect(await verify(admin)).toMatchObject({ intact: true, checked: 9 })
  })

  it('has hashes that anybody can compute from the entries', async () => {
    const { admin } = await sealedCompany()
    const { rows } = await app.owner.query<{ text: string; hash: Buffer; entry_hash: Buffer }>(
      `select json_build_array('v1', id, kind, event, sku, quantity, location, source, user_id, user_type, user_name,
         origin, metadata, (extract(epoch from created_at) * 1000000)::bigint)::text as text, hash, entry_hash
       from audit_seals join audit_entries on audit_entries.tenant_id = audit_seals.tenant_id and id = entry_id
       where audit_seals.tenant_id = $1 order by seq`,
      [admin.tenantId],
    )
    let previous = Buffer.alloc(32)
    for (const { text, hash, entry_hash: entryHash } of rows) {
      const leaf = createHash('sha256').update(text).digest()
      previous = createHash('sha256')
        .update(Buffer.concat([previous, leaf]))
        .digest()
      expect([entryHash, hash]).toEqual([leaf, previous])
    }
    expect(rows).toHaveLength(7)
  })
})

describe('behind its back', () => {
  it.each([
    ['sku', "sku = 'S-9'"],
    ['quantity', 'quantity = 1'],
    ['user', "user_name = 'Somebody Else'"],
    ['details', `metadata = '{"a": 1}'`],
    ['time', "created_at = created_at + interval '1 microsecond'"],
    ['kind', "kind = 'bulk_import'"],
  ])('a changed %s is found and named', async (_, change) => {
    const { admin, ids } = await sealedCompany()
    await behindItsBack(`update audit_entries set ${change} where tenant_id = $1 and id = $2`, [
      admin.tenantId,
      ids[3],
    ])
    expect(await verify(admin)).toMatchObject({
      intact: false,
      checked: 3,
      fault: { kind: 'changed', entry_id: ids[3], seq: 4 },
    })
  })

  it('a removed entry is found and named', async () => {
    const { admin, ids } = await sealedCompany()
    await behindItsBack('delete from audit_entries where tenant_id = $1 and id = $2', [
      admin.tenantId,
      ids[4],
    ])
    expect(await verify(admin)).toMatchObject({
      intact: false,
      checked: 4,
      fault: { kind: 'missing', entry_id: ids[4], seq: 5, timestamp: expect.stringMatching(/^20\d\d-/) },
    })
  })

  it('an entry removed with its seal is found', async () => {
    const { admin, ids } = await sealedCompany()
    for (const [table, column] of [
      ['audit_entries', 'id'],
      ['audit_seals', 'entry_id'],
    ]) {
      const values = [admin.tenantId, ids[4]]
      await behindItsBack(`delete from ${table} where tenant_id = $1 and ${column} = $2`, values)
    }
    expect(await verify(admin)).toMatchObject({ checked: 4, fault: { kind: 'missing', seq: 5 } })
  })

  it('an entry put in between is found and named', async () => {
    const { admin, ids } = await sealedCompany()
    const made = '01890000-0000-7000-8000-000000000001'
    await behindItsBack(
      `insert into audit_entries (tenant_id, id, kind, event, sku, source, user_type, user_name)
       values ($1, $2, 'inventory_scan', 'monthly_count_scan', 'S-0', 'monthly', 'user', 'Nobody')`,
      [admin.tenantId, made],
    )
    expect(ids).not.toContain(made)
    expect(await verify(admin)).toMatchObject({
      intact: false,
      checked: 7,
      detached: 0,
      fault: { kind: 'inserted', entry_id: made, seq: null },
    })
  })

  it('two entries that changed places are found', async () => {
    const { admin, ids } = await sealedCompany()
    await behindItsBack(
      `update audit_seals set seq = case seq when 3 then 1004 else 1003 end
       where tenant_id = $1 and seq in (3, 4)`,
      [admin.tenantId],
    )
    await behindItsBack('update audit_seals set seq = seq - 1000 where tenant_id = $1 and seq > 1000', [
      admin.tenantId,
    ])
    expect(await verify(admin)).toMatchObject({
      checked: 2,
      fault: { kind: 'reordered', entry_id: ids[3], seq: 3 },
    })
  })

  it('an entry changed together with its seal is found by the seal after it', async () => {
    const { admin, ids } = await sealedCompany()
    await behindItsBack(
      `with changed as (
         update audit_entries set sku = 'S-9' where tenant_id = $1 and id = $2 returning *
       )
       update audit_seals set
         entry_hash = sha256(convert_to(json_build_array('v1', changed.id, kind, event, sku, quantity, location, source,
           user_id, user_type, user_name, origin, metadata,
           (extract(epoch from created_at) * 1000000)::bigint)::text, 'UTF8'))
       from changed where audit_seals.tenant_id = $1 and entry_id = $2`,
      [admin.tenantId, ids[3]],
    )
    expect(await verify(admin)).toMatchObject({ fault: { kind: 'reordered', entry_id: ids[3], seq: 4 } })
  })

  it('a trail cut off at its end is found by a newest seal that was kept elsewhere', async () => {
    const { admin, ids } = await sealedCompany()
    const { head } = await verifyTrail(app.database, admin.tenantId)
    for (const [table, column] of [
      ['audit_entries', 'id'],
      ['audit_seals', 'entry_id'],
    ]) {
      const values = [admin.tenantId, ids[6]]
      await behindItsBack(`delete from ${table} where tenant_id = $1 and ${column} = $2`, values)
    }
    expect(await verifyTrail(app.database, admin.tenantId)).toMatchObject({ checked: 6, fault: null })
    expect(await verifyTrail(app.database, admin.tenantId, head)).toMatchObject({
      checked: 6,
      fault: { kind: 'missing', seq: 7 },
    })
  })
})

describe('the application itself', () => {
  it.each(['audit_entries', 'audit_seals'])(
    'cannot change %s, and its owner not by an oversight',
    async (table) => {
      const { admin } = await sealedCompany()
      for (const statement of [
        `update ${table} set tenant_id = tenant_id where tenant_id = $1`,
        `delete from ${table} where tenant_id = $1`,
      ]) {
        await expect(app.database.callFunction(statement, [admin.tenantId])).rejects.toThrow(
          'permission denied',
        )
        await expect(app.owner.query(statement, [admin.tenantId])).rejects.toThrow('never changed or removed')
      }
    },
  )
})

/** How far back the next look for entries that came late goes. */
async function secondsUnsettled({ tenantId }: Person): Promise<number> {
  const { rows } = await app.owner.query<{ settled: string }>(
    'select settled_below as settled from audit_seals where tenant_id = $1 order by seq desc limit 1',
    [tenantId],
  )
  return (Date.now() - millisecondOf(rows[0]?.settled ?? '')) / 1000
}

describe('sealing', () => {
  it('misses no entry of a transaction that commits late', async () => {
    const { admin, ids } = await sealedCompany()
    const slow = await app.owner.connect()
    await slow.query('begin')
    await slow.query(
      `insert into audit_entries (tenant_id, kind, event, sku, source, user_type, user_name)
       values ($1, 'inventory_scan', 'monthly_count_scan', 'LATE', 'monthly', 'user', 'Slow')`,
      [admin.tenantId],
    )
    await write(admin, ['EARLY-1', 'EARLY-2'])
    await sealCompany(app.database, admin.tenantId)
    expect(await sealCount(admin.tenantId)).toBe(9)
    await slow.query('commit')
    slow.release()
    await sealCompany(app.database, admin.tenantId)
    expect(await sealCount(admin.tenantId)).toBe(10)
    expect(await verify(admin)).toMatchObject({ intact: true, checked: 10 })
    expect(ids).toHaveLength(7)
  })

  it('looks back ten minutes only while somebody whose transaction is hidden writes to the trail', async () => {
    const other = await app.owner.connect()
    await other.query('begin')
    await other.query('select count(*) from audit_entries')
    const { admin } = await sealedCompany()
    expect(await secondsUnsettled(admin)).toBeLessThan(60)
    await other.query(
      `insert into audit_entries (tenant_id, kind, event, sku, source, user_type, user_name)
       values ($1, 'inventory_scan', 'monthly_count_scan', 'LATE', 'monthly', 'user', 'Slow')`,
      [admin.tenantId],
    )
    const { admin: later } = await sealedCompany()
    expect(await secondsUnsettled(later)).toBeGreaterThan(600)
    await other.query('rollback')
    other.release()
  })

  it('by several nodes at once while people write gives one chain', async () => {
    const { admin } = await sealedCompany()
    const second = await app.startSecondNode()
    const faults: unknown[] = []
    const notices = {
      watch(listener: (tenantId: string) => void) {
        const timer = setInterval(() => listener(admin.tenantId), 50)
        return () => clearInterval(timer)
      },
    }
    const onError = (error: unknown) => faults.push(error)
    const works = Array.from({ length: 3 }, () =>
      keepSealing({ database: app.database, notices, onSealed: () => undefined, onError }),
    )
    await Promise.all(
      Array.from({ length: 8 }, async (_, index) => {
        for (let round = 0; round < 10; round += 1) {
          await write(admin, [`W-${index}-${round}`])
          if (index < 3) await sealCompany(app.database, admin.tenantId)
        }
      }),
    )
    await Promise.all(works.map((work) => work.stop()))
    await second.close()
    expect(faults).toEqual([])
    expect(await verify(admin)).toMatchObject({ intact: true, checked: 87 })
  })

  it('that breaks off in the middle leaves nothing behind, and holds up nobody else', async () => {
    const admin = await makeCompany(app)
    await app.owner.query(
      `create function break_off() returns trigger language plpgsql as $$
       begin if new.tenant_id = '${admin.tenantId}' and new.seq = 4 then raise exception 'broken off'; end if;
       return new; end $$;
       create trigger break_off before insert on audit_seals for each row execute function break_off()`,
    )
    await write(admin, ['S-1', 'S-2', 'S-3'])
    await expect(sealCompany(app.database, admin.tenantId)).rejects.toThrow('broken off')
    const others = await Promise.all([makeCompany(app), makeCompany(app)])
    for (const other of others) {
      await expect.poll(() => sealCount(other.tenantId)).toBe(2)
    }
    expect(await sealCount(admin.tenantId)).toBeLessThan(4)
    await app.owner.query('drop trigger break_off on audit_seals; drop function break_off')
    expect(await verify(admin)).toMatchObject({ intact: true, checked: 5 })
  })

  it('of more than are sealed at once goes on where it was', async () => {
    const admin = await makeCompany(app)
    await app.owner.query(
      `insert into audit_entries (tenant_id, kind, event, sku, source, user_type, user_name)
       select $1, 'inventory_scan', 'monthly_count_scan', 'S-' || n, 'monthly', 'user', 'Sam' from generate_series(1, 4001) n`,
      [admin.tenantId],
    )
    await sealCompany(app.database, admin.tenantId)
    expect(await verify(admin)).toMatchObject({ intact: true, checked: 4003 })
  })

  it('of what a node wrote itself waits for no look through all companies', async () => {
    const other = await app.owner.connect()
    await other.query("select pg_advisory_lock(hashtextextended('companies_to_seal', 0))")
    const admin = await makeCompany(app)
    await write(admin, ['S-1', 'S-2'])
    await expect.poll(() => sealCount(admin.tenantId)).toBe(4)
    await other.query("select pg_advisory_unlock(hashtextextended('companies_to_seal', 0))")
    other.release()
  })

  it('finds what no node said it had written', async () => {
    const { admin } = await sealedCompany()
    await app.owner.query(
      `insert into audit_entries (tenant_id, kind, event, sku, source, user_type, user_name)
       values ($1, 'inventory_scan', 'monthly_count_scan', 'S-9', 'monthly', 'user', 'Sam')`,
      [admin.tenantId],
    )
    await expect.poll(() => sealCount(admin.tenantId)).toBe(8)
  })

  it('reads what was written since, and not all that is there', async () => {
    const admin = await makeCompany(app)
    await app.owner.query(
      `insert into audit_entries (tenant_id, kind, event, sku, source, user_type, user_name)
       select $1, 'inventory_scan', 'monthly_count_scan', 'S-' || n, 'monthly', 'user', 'Sam' from generate_series(1, 20000) n`,
      [admin.tenantId],
    )
    await sealCompany(app.database, admin.tenantId)
    // As it is some seconds later.
    await behindItsBack(
      'update audit_seals set settled_below = (select max(entry_id::text)::uuid from audit_seals where tenant_id = $1) where tenant_id = $1',
      [admin.tenantId],
    )
    const client = await app.owner.connect()
    await client.query('vacuum analyze audit_entries, audit_seals')
    await client.query('begin; set local role inventory_manager_app')
    const seal = `select * from seal_entries(array['${admin.tenantId}'::uuid], 2000)`
    // The first time also reads what is needed to plan.
    await client.query(seal)
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
      `explain (analyze, buffers, format json) ${seal}`,
    )
    await client.query('rollback')
    client.release()
    expect(rows[0]?.['QUERY PLAN'][0].Plan['Shared Hit Blocks']).toBeLessThan(200)
  })
})

describe('the check', () => {
  it('is for administrators, and stands in the trail', async () => {
    const { admin } = await sealedCompany()
    const staff = await makeStaff(app, admin)
    const { status } = await app.ask({ path: '/api/audit/verify', token: staff.token, body: {} })
    expect(status).toBe(403)
    await verify(admin)
    const { body } = await app.ask({
      method: 'GET',
      path: '/api/audit/trail?sku=TRAIL_VERIFIED',
      token: admin.token,
    })
    expect(body).toMatchObject({ total: 1, entries: [{ user_name: admin.name }] })
  })

  it('holds the trail against a seal that was kept elsewhere', async () => {
    const { admin } = await sealedCompany()
    const kept = z
      .object({ head: z.object({ seq: z.int(), hash: z.string() }) })
      .parse(await verify(admin)).head
    const compare = async (body: unknown) =>
      await app.ask({ path: '/api/audit/verify', token: admin.token, body })
    expect((await compare({ ...kept, hash: kept.hash.toUpperCase() })).body).toMatchObject({ intact: true })
    const { body } = await app.ask({
      method: 'GET',
      path: '/api/audit/trail?limit=1&action=Config',
      token: admin.token,
    })
    expect(body).toMatchObject({ entries: [{ metadata: { compared_with_seal: kept.seq } }] })
    // As devices of the version before ask.
    expect((await compare(undefined)).body).toMatchObject({ intact: true })
    expect((await compare({ seq: kept.seq, hash: '0'.repeat(64) })).body).toMatchObject({
      intact: false,
      fault: { kind: 'reordered', seq: kept.seq },
    })
    expect((await compare({ ...kept, seq: 10_000 })).body).toMatchObject({
      intact: false,
      fault: { kind: 'missing' },
    })
    for (const bad of [
      { seq: kept.seq },
      { hash: kept.hash },
      { seq: 0, hash: kept.hash },
      { seq: 1, hash: 'x' },
    ]) {
      expect((await compare(bad)).status).toBe(400)
    }
  })

  it("does not see another company's trail", async () => {
    const { admin, ids } = await sealedCompany()
    const other = await makeCompany(app)
    await behindItsBack('delete from audit_entries where tenant_id = $1 and id = $2', [
      admin.tenantId,
      ids[4],
    ])
    expect(await verify(other)).toMatchObject({ intact: true, checked: 2 })
  })
})
