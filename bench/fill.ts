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
 * Gives history and trail the parts they have where the program ran for two years: one each quarter. What was written until
 * now is of this quarter, and stays where it is.
 */
export async function divideHistory(sql: Sql): Promise<void> {
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
        for v_before in 1..8 loop
          v_start := v_start - interval '3 months';
          perform add_history_part(v_history, v_history || to_char(v_start, '_YYYY_"q"Q'), format(
            'for values from (%L) to (%L)', id_at(v_start at time zone 'UTC'),
            id_at((v_start + interval '3 months') at time zone 'UTC')
          ));
        end loop;
      end loop;
    end $$`)
}

const part = 1_000_000

/**
 * Counts of two years with their entries of the trail and the seals of those, in parts of a million, as one company's
 * past. The seals' hashes are made up: they cost the same, and prove nothing.
 */
export async function addHistory(sql: Sql, tenantId: string, rows: number): Promise<void> {
  const [user] = await sql('select id from users where tenant_id = $1', [tenantId])
  const values = [tenantId, user?.['id']]
  await sql('drop table if exists bench.skus')
  await sql(
    `create table bench.skus as
    select row_number() over () - 1 as place, id, barcode from components where tenant_id = '${tenantId}'`,
  )
  await sql('create unique index on bench.skus (place)')
  for (let from = 0; from < rows; from += part) {
    const range = [from, Math.min(rows, from + part) - 1, rows]
    await sql(
      `with made as (
        select id_at(at, uuid_send(gen_random_uuid())) as id, at, skus.id as component_id, barcode, i,
          (array['PRIMARY', 'SECONDARY', 'FULFILLMENT', 'DISTRIBUTION'])[1 + i % 4] as location
        from generate_series($3::bigint, $4::bigint) i,
          lateral (select now() - interval '730 days' + i * (interval '730 days' / $5::bigint) as at) as time,
          bench.skus
        where skus.place = (i * 7919) % (select count(*) from bench.skus)
      ), history as (
        insert into count_history (
          tenant_id, id, component_id, sku, location, quantity, count_type, count_session, source, user_id, user_type,
          user_name, counted_at, created_at
        )
        select $1, id, component_id, barcode, location, i % 500, 'monthly', 'Monthly_' || i / 5000, 'monthly', $2,
          'admin', 'Bea', at, at
        from made
      ), trail as (
        insert into audit_entries (
          tenant_id, id, kind, event, sku, quantity, location, source, user_id, user_type, user_name, metadata,
          created_at
        )
        select $1, id, 'inventory_scan', 'monthly_count_scan', barcode, i % 500, location, 'monthly', $2, 'admin',
          'Bea', '{"expected": 7, "difference": 0, "attempt": 1}', at
        from made
      ), seals as (
        insert into audit_seals (tenant_id, seq, entry_id, entry_hash, hash, settled_below)
        select $1, head.seq + row_number() over (order by made.id), made.id, uuid_send(made.id) || uuid_send(made.id),
          uuid_send(made.id) || uuid_send(made.id), head.settled_below
        from made, (
          select seq, settled_below from audit_seals where tenant_id = $1 order by seq desc limit 1
        ) as head
      )
      insert into scan_days (tenant_id, location, day, scans)
      select $1, location, (at at time zone 'Europe/Berlin')::date, count(*) from made group by 2, 3
      on conflict (tenant_id, location, day) do update set scans = scan_days.scans + excluded.scans`,
      [...values, ...range],
    )
  }
  await sql(`update stock set scans = $2::integer / 20000 where tenant_id = $1`, [tenantId, rows])
  await sql('vacuum analyze count_history, audit_entries, audit_seals, scan_days, stock')
}
