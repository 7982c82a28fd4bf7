import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeCompanyWithStock, type People } from '../../test/company-with-stock.ts'
import { countAsRecorded } from '../../test/recorded-counts.ts'
import { startTestApp, zoneOfNoon, type Person, type TestApp } from '../../test/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const barcodes = ['M-1', 'M-2', 'M-3']

async function companyWithStock(): Promise<People> {
  const rows = barcodes.map((barcode) => ({ barcode, description: 'Bolt', primary_quantity: 5 }))
  return await makeCompanyWithStock(app, rows, { timeZone: zoneOfNoon() })
}

const secondsFromNow = (seconds: number) => new Date(Date.now() + seconds * 1000)

/** A count of five pieces, which is right. */
const countBy = async (person: Person, own: Record<string, unknown> = {}) =>
  await countAsRecorded(app, person, { codes: ['M-1'], quantity: 5, ...own })

type Count = Awaited<ReturnType<typeof countBy>>

type Reply = Record<string, unknown>

/** The counts that are recorded together, by their places, with the reply to each. */
async function recordMatches(counts: readonly Count[]): Promise<Map<number, Reply>> {
  const rows = await app.database.callFunction<{ place: string; reply: Reply }>(
    'select place, reply from record_matches($1) order by place',
    [JSON.stringify(counts)],
  )
  return new Map(rows.map(({ place, reply }) => [Number(place), reply]))
}

async function recordAlone(count: Count): Promise<Reply | undefined> {
  const [row] = await app.database.callFunction<{ outcome: Reply }>(
    'select outcome from record_counts($1, $2) as outcome',
    [JSON.stringify([count]), 'none'],
  )
  return row?.outcome
}

const written = [
  'select sku, location, quantity, count_type, count_session, source, user_type, counted_at, undoes, sets_mark from count_history',
  `select kind, event, sku, quantity, location, source, user_type, origin, metadata from audit_entries`,
  `select location, quantity, counted_at, counted_source, weekly_counted_at, scans, cleared_at from stock`,
  'select location, day, scans from scan_days',
  'select location, month_start, counted from count_progress',
  `select request_hash, reply #- '{component,id}' #- '{undo,entry}' as reply from operations`,
]

/** Everything counts write of a company, without what is of the company itself. */
async function rowsOf({ tenantId }: Person): Promise<unknown[]> {
  const found = await Promise.all(
    written.map((select) =>
      app.owner.query(
        `select coalesce(json_agg(row order by row::text), '[]') as rows
         from (${select} where tenant_id = $1 ${select.includes('audit_entries') ? `and kind = 'inventory_scan'` : ''}) as row`,
        [tenantId],
      ),
    ),
  )
  return found.map(({ rows }) => rows[0].rows)
}

describe('counts that match, recorded together', () => {
  it('write and reply what each by itself does', async () => {
    const [together, alone] = [await companyWithStock(), await companyWithStock()]
    const at = secondsFromNow(-1)
    const countsOf = async ({ admin, staff }: typeof together) => [
      await countBy(staff, { codes: ['M-1'], at }),
      await countBy(staff, { codes: ['M-2', '0M-2'], at, sent_at: null }),
      await countBy(admin, { codes: ['M-3'], at, source: 'admin' }),
    ]
    const replies = await recordMatches(await countsOf(together))
    const repliesAlone = []
    for (const count of await countsOf(alone)) repliesAlone.push(await recordAlone(count))

    expect([...replies.keys()]).toEqual([1, 2, 3])
    const plain = (reply: Reply | undefined) => ({
      ...reply,
      // All of them are stored when the first is answered.
      counted: 3,
      component: { ...Object(reply?.['component']), id: 'one' },
      undo: { ...Object(reply?.['undo']), entry: 'one' },
    })
    expect([...replies.values()].map(plain)).toEqual(repliesAlone.map(plain))
    expect([...replies.values()].map((reply) => reply['counted'])).toEqual([3, 3, 3])

    const kept = (rows: unknown[]) => JSON.stringify(rows).replaceAll(/"counted":\d,/g, '"counted":3,')
    expect(kept(await rowsOf(together.admin))).toBe(kept(await rowsOf(alone.admin)))
    expect(JSON.stringify(await rowsOf(together.admin))).toContain('"scans":3')
  })

  it('count a component of this month once, and keep the newer of two marks', async () => {
    const { admin, staff } = await companyWithStock()
    const newer = secondsFromNow(-1)
    await recordMatches([
      await countBy(admin, { at: newer, source: 'admin' }),
      await countBy(admin, { codes: ['M-2'] }),
    ])
    const older = await recordMatches([
      await countBy(staff, { at: secondsFromNow(-60) }),
      await countBy(staff, { codes: ['M-3'] }),
    ])
    expect([...older.values()].map((reply) => reply['counted'])).toEqual([3, 3])
    const { rows } = await app.owner.query(
      `select counted_at, counted_source, scans from stock join components on components.tenant_id = stock.tenant_id and id = component_id
       where stock.tenant_id = $1 and barcode = 'M-1' and location = 'PRIMARY'`,
      [admin.tenantId],
    )
    expect(rows).toEqual([{ counted_at: newer, counted_source: 'admin', scans: 2 }])
  })

  it('may be of a clock a moment ahead, and of a company with differences of other components', async () => {
    const { admin, staff } = await companyWithStock()
    await app.owner.query(
      `insert into discrepancies (
         tenant_id, component_id, sku, location, count_type, period_start, status, expected, counted, attempts, user_id, user_name
       )
       select tenant_id, id, barcode, 'PRIMARY', 'monthly', now(), 'open', 5, 4, 2, new_id(), 'Sam'
       from components where tenant_id = $1 and barcode = 'M-3'`,
      [admin.tenantId],
    )
    const counts = [
      await countBy(staff, { at: secondsFromNow(20) }),
      await countBy(staff, { codes: ['M-3'] }),
    ]
    expect([...(await recordMatches(counts)).keys()]).toEqual([1])
  })

  it('are each of their own company', async () => {
    const companies = [await companyWithStock(), await companyWithStock(), await companyWithStock()]
    const counts = await Promise.all(
      barcodes.flatMap((barcode) => companies.map(({ staff }) => countBy(staff, { codes: [barcode] }))),
    )
    const replies = await recordMatches(counts)
    expect(replies.size).toBe(9)
    for (const [index, { admin, staff }] of companies.entries()) {
      const own = counts.flatMap(({ tenant }, place) =>
        tenant === admin.tenantId ? [replies.get(place + 1)] : [],
      )
      const { rows } = await app.owner.query(
        `select (select array_agg(id::text) from components where tenant_id = $1) as components,
           (select array_agg(distinct user_id::text) from count_history where tenant_id = $1) as users,
           (select array_agg(id::text) from count_history where tenant_id = $1) as entries,
           (select count(*)::integer from audit_entries where tenant_id = $1 and kind = 'inventory_scan') as audited,
           (select array_agg(counted) from count_progress where tenant_id = $1) as counted`,
        [admin.tenantId],
      )
      expect(rows).toMatchObject([{ users: [staff.userId], audited: 3, counted: [3] }])
      for (const reply of own) {
        expect(rows[0].components).toContain(Object(reply?.['component']).id)
        expect(rows[0].entries).toContain(Object(reply?.['undo']).entry)
      }
      expect(own, `company ${index}`).toHaveLength(3)
    }
  })

  it('take the first of a component, and one of a key', async () => {
    const { staff } = await companyWithStock()
    // What was entered before is judged first.
    expect((await recordMatches([await countBy(staff, { quantity: 6 }), await countBy(staff)])).size).toBe(0)
    const first = await countBy(staff)
    expect([...(await recordMatches([first, await countBy(staff)])).keys()]).toEqual([1])
    expect([...(await recordMatches([first, await countBy(staff, { codes: ['M-2'] })])).keys()]).toEqual([2])
  })
})

describe('left to be judged by itself is a count', () => {
  let admin: Person
  let staff: Person
  let other: Person
  beforeEach(async () => {
    const company = await companyWithStock()
    ;({ admin, staff } = company)
    other = (await companyWithStock()).staff
  })

  const change = (statement: string) => () => app.owner.query(statement, [admin.tenantId])

  const cases: [string, Record<string, unknown>, (() => Promise<unknown>)?][] = [
    ['with a difference', { quantity: 6 }],
    ['of a code nobody knows', { codes: ['unknown'] }],
    ['of another writing of the code', { codes: ['0M-1', 'M-1'] }],
    ['of stock that nobody has entered', { location: 'SECONDARY', quantity: 0 }],
    ['of a weekly list', { source: 'weekly' }],
    ['of the admin view by staff', { source: 'admin' }],
    ['of a plan without the place', { plans: ['enterprise'] }],
    ['of a session that has ended', {}, change('update sessions set ended_at = now() where tenant_id = $1')],
    ['of a session that is over', {}, change('update sessions set expires_at = now() where tenant_id = $1')],
    [
      'of a session whose use was noted long ago',
      {},
      change("update sessions set last_used_at = now() - interval '61 seconds' where tenant_id = $1"),
    ],
    ['by somebody who has left', {}, change('update users set active = false where tenant_id = $1')],
    ['by somebody without a seat', {}, change('update users set seated = false where tenant_id = $1')],
    [
      'by staff who count strictly blind',
      {},
      change('update companies set strict_blind_counts = true where tenant_id = $1'),
    ],
    ['of a retired component', {}, change('update components set retired_at = now() where tenant_id = $1')],
    [
      'of a component with a difference to decide',
      {},
      change(`
        insert into discrepancies (
          tenant_id, component_id, sku, location, count_type, period_start, status, expected, counted, attempts, user_id, user_name
        )
        select tenant_id, id, barcode, 'PRIMARY', 'weekly', now(), 'open', 5, 4, 2, new_id(), 'Sam'
        from components where tenant_id = $1`),
    ],
  ]

  const leftAlone = { recorded: [], changed: false }

  async function record(own: Record<string, unknown>, prepare?: () => Promise<unknown>) {
    const count = await countBy(staff, own)
    await prepare?.()
    const before = await rowsOf(admin)
    const recorded = [...(await recordMatches([count])).keys()]
    return { recorded, changed: !isDeepStrictEqual(await rowsOf(admin), before) }
  }

  it.each(cases)('%s', async (_, own, prepare) => {
    expect(await record(own, prepare)).toEqual(leftAlone)
  })

  it.each([
    ['that was scanned some minutes ago', 'at', -150],
    ['that was scanned in the future', 'at', 330],
    ['by a clock that is ahead', 'sent_at', 90],
    ['by a clock that is behind', 'sent_at', -90],
  ])('%s', async (_, moment, seconds) => {
    expect(await record({ [moment]: secondsFromNow(seconds) })).toEqual(leftAlone)
  })

  it('that was scanned in the month before', async () => {
    const { rows } = await app.owner.query<{ written: string }>(
      `select pg_get_functiondef('start_of_month'::regproc) as written`,
    )
    // No test waits for the turn of a month: the month began a minute ago.
    await app.owner.query(
      `create or replace function start_of_month(p_at timestamptz, p_zone text) returns timestamptz
       language sql stable parallel safe return '${secondsFromNow(-60).toISOString()}'::timestamptz`,
    )
    expect(await record({ at: secondsFromNow(-90) })).toEqual(leftAlone)
    expect(await record({ at: secondsFromNow(-30) })).toEqual({ recorded: [1], changed: true })
    await app.owner.query(rows[0]?.written ?? '')
  })

  it('after the trial, where plans are paid for', async () => {
    await change("update companies set trial_ends_at = now() - interval '1 day' where tenant_id = $1")()
    const counts = [await countBy(staff), await countBy(other)]
    const outcomesWith = async (billing: string) => {
      const rows = await app.database.callFunction<{ outcome: string }>(
        "select counted ->> 'outcome' as outcome from record_counts($1, $2) as counted",
        [JSON.stringify(counts), billing],
      )
      return rows.map(({ outcome }) => outcome)
    }
    expect(await outcomesWith('stripe')).toEqual(['trial_expired', 'counted'])
    expect(await outcomesWith('none')).toEqual(['counted', 'counted'])
  })

  it('by a session of another company, or of its components', async () => {
    const own = await countBy(staff)
    const ofOther = await countBy(other)
    const [before, beforeOther] = [await rowsOf(admin), await rowsOf(other)]
    await app.owner.query("update components set barcode = 'ONLY-' || barcode where tenant_id = $1", [
      other.tenantId,
    ])
    const counts = [
      { ...own, session: ofOther.session },
      { ...ofOther, session: own.session },
      { ...own, codes: ['ONLY-M-1'] },
    ]
    expect([...(await recordMatches(counts)).keys()]).toEqual([])
    expect([await rowsOf(admin), await rowsOf(other)]).toEqual([before, beforeOther])
  })

  it('of stock that somebody else holds, without waiting for it', async () => {
    const locking = await app.owner.connect()
    await locking.query('begin')
    await locking.query('select from stock where tenant_id = $1 for update', [admin.tenantId])
    const counts = [await countBy(staff), await countBy(other)]
    expect([...(await recordMatches(counts)).keys()]).toEqual([2])
    await locking.query('rollback')
    locking.release()
  })
})

describe('counts of several companies are recorded whole', () => {
  /** Forms in which the planner might take their statement; each is of a connection that has planned nothing before. */
  const plans: [string, string[]][] = [
    ['as they are planned', []],
    ['without nested loops', ['enable_nestloop = off']],
    ['without hashes', ['enable_hashjoin = off', 'enable_hashagg = off']],
    ['without sorting', ['enable_sort = off', 'enable_mergejoin = off', 'enable_incremental_sort = off']],
    ['without indexes', ['enable_indexscan = off', 'enable_indexonlyscan = off', 'enable_bitmapscan = off']],
    ['reading tables whole', ['enable_seqscan = on', 'seq_page_cost = 0', 'cpu_tuple_cost = 0']],
    [
      'from the last to the first',
      ['enable_material = off', 'enable_memoize = off', 'join_collapse_limit = 1'],
    ],
    [
      'in parallel',
      ['parallel_setup_cost = 0', 'parallel_tuple_cost = 0', 'min_parallel_table_scan_size = 0'],
    ],
  ]

  /** Records counts as the application's role, by plans that are made now. */
  async function recordPlanned(counts: readonly Count[], settings: readonly string[]): Promise<unknown[]> {
    const client = await app.owner.connect()
    try {
      await client.query('begin')
      const { rows } = await client.query<{ role: string }>(
        "select quote_ident('inventory_manager_app_' || current_database()) as role",
      )
      await client.query(`set local role ${rows[0]?.role}`)
      for (const setting of ['plan_cache_mode = force_generic_plan', 'enable_seqscan = off', ...settings]) {
        await client.query(`set local ${setting}`)
      }
      const recorded = await client.query('select place from record_matches($1)', [JSON.stringify(counts)])
      await client.query('commit')
      return recorded.rows
    } finally {
      client.release(true)
    }
  }

  const wholeOf = ({ tenantId }: Person) =>
    app.owner.query(
      `select (select count(*)::integer from count_history where tenant_id = $1) as history,
         (select count(*)::integer from stock where tenant_id = $1 and counted_at is not null and scans = 1) as marks,
         (select count(*)::integer from audit_entries where tenant_id = $1 and kind = 'inventory_scan') as trail,
         (select sum(scans)::integer from scan_days where tenant_id = $1) as days,
         (select sum(counted)::integer from count_progress where tenant_id = $1) as months,
         (select count(*)::integer from operations where tenant_id = $1 and request_hash = 'hash') as kept`,
      [tenantId],
    )

  it.each(plans)('%s', async (_, settings) => {
    const companies = [await companyWithStock(), await companyWithStock(), await companyWithStock()]
    // To the planner, a company has one row of stock.
    await app.owner.query('alter table stock alter column tenant_id set (n_distinct = -1)')
    await app.owner.query('analyze')
    const counts = await Promise.all(
      barcodes.flatMap((barcode) => companies.map(({ staff }) => countBy(staff, { codes: [barcode] }))),
    )
    expect(await recordPlanned(counts, settings)).toHaveLength(9)
    for (const { admin } of companies) {
      const { rows } = await wholeOf(admin)
      expect(rows).toEqual([{ history: 3, marks: 3, trail: 3, days: 3, months: 3, kept: 3 }])
    }
  })
})

it('what counts of several companies write is refused where a row is not of the company it is written for', async () => {
  const companies = [await companyWithStock(), await companyWithStock()]
  const counts = await Promise.all(companies.map(({ staff }) => countBy(staff)))
  const { rows } = await app.owner.query<{ definition: string }>(
    "select pg_get_functiondef('record_matches'::regproc) as definition",
  )
  const definition = rows[0]?.definition ?? ''
  const entering =
    "(select *, set_config('app.tenant_id', tenant::text, true) from matching offset 0) entered"
  expect(definition.split(entering)).toHaveLength(4)
  await app.owner.query(definition.replaceAll(entering, 'matching as entered'))
  await expect(recordMatches(counts)).rejects.toThrow(/row-level security/)
  await app.owner.query(definition)
  expect((await recordMatches(counts)).size).toBe(2)
})
