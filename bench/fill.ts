import type { World } from './world.ts'

type Sql = World['sql']

/** Companies that are only there: one person, ten components with stock, a little history of each. */
export async function addCompanies(sql: Sql, count: number): Promise<void> {
  await sql(
    `with made as (
      insert into companies (tenant_id, name, plan, time_zone, trial_ends_at)
      select gen_random_uuid(), 'Filler ' || i, 'enterprise', 'Europe/Berlin', now() + interval '14 days'
      from generate_series(1, $1::integer) i
      returning tenant_id
    ), people as (
      insert into users (tenant_id, email, name, role, password_hash)
      select tenant_id, tenant_id || '@example.com', 'Bea', 'admin', 'none' from made
      returning tenant_id, id, email
    )
    insert into login_emails (email, tenant_id, user_id) select email, tenant_id, id from people`,
    [count],
  )
  await sql(
    `insert into components (tenant_id, barcode, description)
    select tenant_id, 'SKU-' || to_char(i, 'FM000000'), 'Part ' || i
    from companies cross join generate_series(0, 9) i
    where companies.name like 'Filler %'`,
  )
  await sql(
    `insert into stock (tenant_id, component_id, location, quantity)
    select components.tenant_id, components.id, 'PRIMARY', 5
    from components join companies on companies.tenant_id = components.tenant_id
    where companies.name like 'Filler %'`,
  )
  await sql('vacuum analyze')
}

/** Components with stock at one location, beside those that a company has; SKU-1000000 onwards. */
export async function addComponents(sql: Sql, tenantId: string, count: number): Promise<void> {
  await sql(
    `with made as (
      insert into components (tenant_id, barcode, description)
      select $1, 'SKU-' || (1000000 + i), 'Part ' || i from generate_series(0, $2::integer - 1) i
      returning id
    )
    insert into stock (tenant_id, component_id, location, quantity) select $1, id, 'PRIMARY', 5 from made`,
    [tenantId, count],
  )
  await sql('vacuum analyze components, stock')
}

/**
 * Gives history and trail the parts they have where the program ran for so many quarters before this one: one each. What was
 * written until now is of this quarter, and stays where it is.
 */
export async function divideHistory(sql: Sql, quarters: number): Promise<void> {
  await sql(`do $$
    declare
      v_history text;
      v_first text;
      v_start timestamp;
    begin
      foreach v_history in array array['count_history', 'audit_entries'] loop
        select part into v_first from history_parts() where history = v_history and part like 'before%';
        v_start := date_trunc('quarter', now() at time zone 'UTC');
        execute format('alter table %I detach partition %I', v_history, v_history || '_' || v_first);
        execute format('alter table %I attach partition %I for values from (%L) to (%L)', v_history,
          v_history || '_' || v_first, id_at(v_start at time zone 'UTC'),
          id_at((v_start + interval '3 months') at time zone 'UTC'));
        for v_before in 1..${quarters} loop
          v_start := v_start - interval '3 months';
          perform add_history_part(v_history, v_history || to_char(v_start, '_YYYY_"q"Q'), format(
            'for values from (%L) to (%L)', id_at(v_start at time zone 'UTC'),
            id_at((v_start + interval '3 months') at time zone 'UTC')
          ));
        end loop;
      end loop;
    end $$`)
}

/**
 * Writes counts with their entries of the trail, the seals of those and the scans of their days, as `made` selects them. The
 * seals' hashes are made up: they cost the same, and prove nothing.
 */
async function writePast(sql: Sql, made: string, values: unknown[]): Promise<void> {
  await sql(
    `with made as (${made}), history as (
      insert into count_history (
        tenant_id, id, component_id, sku, location, quantity, count_type, count_session, source, user_id, user_type,
        user_name, counted_at, created_at
      )
      select tenant_id, id, component_id, barcode, location, i % 500, 'monthly', 'Monthly_' || i / 5000, 'monthly',
        user_id, 'admin', 'Bea', at, at
      from made
    ), trail as (
      insert into audit_entries (
        tenant_id, id, kind, event, sku, quantity, location, source, user_id, user_type, user_name, metadata,
        created_at
      )
      select tenant_id, id, 'inventory_scan', 'monthly_count_scan', barcode, i % 500, location, 'monthly', user_id,
        'admin', 'Bea', '{"expected": 7, "difference": 0, "attempt": 1}', at
      from made
    ), heads as (
      select own.tenant_id, head.seq, head.settled_below
      from (select distinct tenant_id from made) as own
      cross join lateral (
        select seq, settled_below from audit_seals where tenant_id = own.tenant_id order by seq desc limit 1
      ) as head
    ), seals as (
      insert into audit_seals (tenant_id, seq, entry_id, entry_hash, hash, settled_below)
      select made.tenant_id,
        coalesce(heads.seq, 0) + row_number() over (partition by made.tenant_id order by made.id), made.id,
        uuid_send(made.id) || uuid_send(made.id), uuid_send(made.id) || uuid_send(made.id),
        coalesce(heads.settled_below, made.id)
      from made left join heads on heads.tenant_id = made.tenant_id
    )
    insert into scan_days (tenant_id, location, day, scans)
    select tenant_id, location, (at at time zone 'Europe/Berlin')::date, count(*) from made group by 1, 2, 3
    on conflict (tenant_id, location, day) do update set scans = scan_days.scans + excluded.scans`,
    values,
  )
}

/** Where a count of the past was made: each of so many components comes by at one location after the other. */
const locationOf = (components: string) =>
  `(array['PRIMARY', 'SECONDARY', 'FULFILLMENT', 'DISTRIBUTION'])[1 + (i + i / ${components}) % 4]`

/** So many counts of each company that is only there, over so many days. */
export async function addLittleHistory(
  sql: Sql,
  { rows, days }: { rows: number; days: number },
): Promise<void> {
  await sql(
    `create table bench.tenants as
    select companies.tenant_id, users.id as user_id, array(
      select components.id from components where components.tenant_id = companies.tenant_id order by barcode
    ) as components
    from companies join users on users.tenant_id = companies.tenant_id
    where companies.name like 'Filler %'`,
  )
  await writePast(
    sql,
    `select tenant_id, user_id, id_at(at, uuid_send(gen_random_uuid())) as id,
      components[1 + i % cardinality(components)] as component_id,
      'SKU-' || to_char(i % cardinality(components), 'FM000000') as barcode, i,
      ${locationOf('cardinality(components)')} as location, at
    from bench.tenants cross join generate_series(0, $1::bigint - 1) i, lateral (
      select now() - make_interval(days => $2::integer) * (1 - i::double precision / $1::bigint) as at
    ) as time`,
    [rows, days],
  )
}

const part = 1_000_000

/** Counts of so many days as one company's past, in parts of a million. */
export async function addHistory(
  sql: Sql,
  tenantId: string,
  { rows, days }: { rows: number; days: number },
): Promise<void> {
  const [user] = await sql('select id from users where tenant_id = $1', [tenantId])
  await sql('drop table if exists bench.skus')
  await sql(
    `create table bench.skus as
    select row_number() over () - 1 as place, id, barcode from components where tenant_id = '${tenantId}'`,
  )
  await sql('create unique index on bench.skus (place)')
  for (let from = 0; from < rows; from += part) {
    const range = [from, Math.min(rows, from + part) - 1, rows]
    await writePast(
      sql,
      `select $1::uuid as tenant_id, $2::uuid as user_id, id_at(at, uuid_send(gen_random_uuid())) as id,
        skus.id as component_id, barcode, i, ${locationOf('5000')} as location, at
      from generate_series($3::bigint, $4::bigint) i,
        lateral (
          select now() - make_interval(days => $6::integer) * (1 - i::double precision / $5::bigint) as at
        ) as time,
        bench.skus
      where skus.place = (i * 7919) % (select count(*) from bench.skus)`,
      [tenantId, user?.['id'], ...range, days],
    )
  }
  await sql(`update stock set scans = scans + $2::integer / 20000 where tenant_id = $1`, [tenantId, rows])
  await sql('vacuum analyze count_history, audit_entries, audit_seals, scan_days, stock')
}
