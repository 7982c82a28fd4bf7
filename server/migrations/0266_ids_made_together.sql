-- An import of new components took five times as long as copying its rows into one table, now three: its ids are made from one
-- (on PostgreSQL 18 each uuidv7() takes 3.5 µs), what it makes new is not looked for, and rows come as arrays.

-- So many ids in order, as of this moment: one that is new, and its last 48 bits counted up (RFC 9562, 6.2, method 2).
create function new_ids(p_count integer) returns uuid[]
language sql volatile parallel safe
as $$
  select array(
    select (prefix || lpad(to_hex(first + place), 12, '0'))::uuid from generate_series(1, p_count) as place
  )
  from (
    -- One bit less, so that counting up never carries.
    select left(id::text, 24) as prefix, ('x' || right(id::text, 12))::bit(48)::bigint & 140737488355327 as first
    from new_id() as id
  ) as start
$$
-- ;;
-- Gives components that the same transaction has made their first stock, which is above 0, each location once.
create function set_first_stock(
  p_tenant uuid, p_components uuid[], p_locations text[], p_quantities integer[], p_cause text, p_user uuid,
  p_user_name text, p_reference uuid
)
returns void
language plpgsql volatile
as $$
declare
  v_ids constant uuid[] := new_ids(cardinality(p_components));
begin
  insert into stock (tenant_id, component_id, location, quantity)
  select p_tenant, given.component_id, given.location, given.quantity
  from unnest(p_components, p_locations, p_quantities) as given (component_id, location, quantity);
  insert into movements (
    tenant_id, id, component_id, location, delta, quantity_after, cause, user_id, user_name, reference
  )
  select p_tenant, given.id, given.component_id, given.location, given.quantity, given.quantity, p_cause, p_user,
    p_user_name, p_reference
  from unnest(v_ids, p_components, p_locations, p_quantities) as given (id, component_id, location, quantity);
end
$$
-- ;;
-- As before.
create or replace function take_import(p_tenant uuid, p_import uuid, p_user uuid, p_user_name text, p_leave_out boolean)
returns table (created integer, updated integer, unchanged integer, bad integer)
language plpgsql
set enable_seqscan = off
as $$
declare
  v_keep constant boolean := (select keep_existing from imports where tenant_id = p_tenant and id = p_import);
  v_leave_out_retired constant boolean := (
    select leave_out_retired from imports where tenant_id = p_tenant and id = p_import
  );
  v_created integer;
  v_updated integer := 0;
  v_good integer;
  v_bad integer;
  v_back uuid[] := '{}';
  v_components uuid[];
  v_locations text[];
  v_quantities integer[];
  v_ids uuid[];
begin
  perform pg_advisory_xact_lock_shared(retire_lock(p_tenant));
  -- What the rows would do, judged once. Gone with the transaction.
  create temporary table judged_rows (
    barcode text, description text, component_id uuid, old_description text, kind text, retired boolean,
    primary_quantity integer, secondary_quantity integer, fulfillment_quantity integer, distribution_quantity integer,
    quarantine_quantity integer
  ) on commit drop;
  insert into judged_rows
  select judged.barcode, judged.description, judged.component_id, judged.old_description, judged.kind, judged.retired,
    judged.primary_quantity, judged.secondary_quantity, judged.fulfillment_quantity, judged.distribution_quantity,
    judged.quarantine_quantity
  from judge_import(p_tenant, p_import) as judged
  where judged.kind <> 'bad';
  get diagnostics v_good = row_count;
  v_bad := (select staged_rows from imports where tenant_id = p_tenant and id = p_import) - v_good;
  if v_good = 0 or v_bad > 0 and not p_leave_out then return query select 0, 0, 0, v_bad; return; end if;
  analyze judged_rows;

  -- What is new has no stock: only what there is of it is set.
  v_ids := new_ids((select count(*)::integer from judged_rows where judged_rows.kind = 'new'));
  with inserted as (
    insert into components (tenant_id, id, barcode, description)
    select p_tenant, v_ids[row_number() over (order by judged.barcode)], judged.barcode, judged.description
    from judged_rows judged
    where judged.kind = 'new'
    order by judged.barcode
    on conflict (tenant_id, barcode) do nothing
    returning components.id, components.barcode, components.description
  ),
  noted as (
    insert into import_changes (
      tenant_id, import_id, component_id, barcode, created, old_description, new_description
    )
    select p_tenant, p_import, inserted.id, inserted.barcode, true, '', inserted.description from inserted
  )
  select (select count(*) from inserted), coalesce(array_agg(inserted.id), '{}'),
    coalesce(array_agg(given.location), '{}'), coalesce(array_agg(given.quantity), '{}')
  into v_created, v_components, v_locations, v_quantities
  from inserted
  join judged_rows judged on judged.barcode = inserted.barcode
  cross join lateral (values
    ('PRIMARY', judged.primary_quantity), ('SECONDARY', judged.secondary_quantity),
    ('FULFILLMENT', judged.fulfillment_quantity), ('DISTRIBUTION', judged.distribution_quantity),
    ('QUARANTINE', judged.quarantine_quantity)
  ) as given (location, quantity)
  where given.quantity > 0;
  perform set_first_stock(
    p_tenant, v_components, v_locations, v_quantities, 'import', p_user, p_user_name, p_import
  );

  if v_created < v_good then
    v_back := reinstate_components(p_tenant, array(
      select judged.component_id from judged_rows judged where judged.retired and not v_leave_out_retired
    ));

    with described as (
      insert into components as present (tenant_id, barcode, description)
      select p_tenant, judged.barcode, judged.description
      from judged_rows judged
      where judged.kind = 'changed' and judged.description <> ''
      order by judged.barcode
      on conflict (tenant_id, barcode) do update set description = excluded.description, updated_at = now()
      where present.description <> excluded.description
      returning present.id, present.barcode, present.description
    )
    insert into import_changes (
      tenant_id, import_id, component_id, barcode, created, old_description, new_description, reinstated
    )
    select p_tenant, p_import, described.id, described.barcode, false, judged.old_description, described.description,
      described.id = any (v_back)
    from judged_rows judged
    join described on described.barcode = judged.barcode;
    insert into import_changes (
      tenant_id, import_id, component_id, barcode, created, old_description, new_description, reinstated
    )
    select p_tenant, p_import, id, barcode, false, description, description, true
    from components
    where tenant_id = p_tenant and id = any (v_back)
    on conflict (tenant_id, import_id, component_id) do nothing;

    select coalesce(array_agg(components.id), '{}'), coalesce(array_agg(given.location), '{}'),
      coalesce(array_agg(given.quantity), '{}')
    into v_components, v_locations, v_quantities
    from judged_rows judged
    join components on components.tenant_id = p_tenant and components.barcode = judged.barcode
    cross join lateral (values
      ('PRIMARY', judged.primary_quantity), ('SECONDARY', judged.secondary_quantity),
      ('FULFILLMENT', judged.fulfillment_quantity), ('DISTRIBUTION', judged.distribution_quantity),
      ('QUARANTINE', judged.quarantine_quantity)
    ) as given (location, quantity)
    where given.quantity is not null and components.retired_at is null
      and components.id not in (
        select made.component_id from import_changes made
        where made.tenant_id = p_tenant and made.import_id = p_import and made.created
      )
      and (not v_keep or components.id in (select unnest(v_back)));
    perform set_stock(
      p_tenant, v_components, v_locations, v_quantities, 'import', p_user, p_user_name, p_import
    );

    select count(distinct changed.component_id) - v_created into v_updated
    from (
      select import_changes.component_id from import_changes
      where import_changes.tenant_id = p_tenant and import_changes.import_id = p_import
      union all
      select movements.component_id from movements
      where movements.tenant_id = p_tenant and movements.reference = p_import
    ) as changed;
  end if;

  update companies set component_count = component_count + v_created
  where tenant_id = p_tenant and v_created > 0;
  update imports set reinstated = cardinality(v_back)
  where tenant_id = p_tenant and id = p_import and cardinality(v_back) > 0;
  insert into import_confirmed (tenant_id, import_id, part, components)
  select p_tenant, p_import, named.place / 1000, array_agg(named.component_id)
  from (
    select judged_rows.component_id, row_number() over () as place from judged_rows where judged_rows.component_id is not null
  ) as named
  group by named.place / 1000;
  delete from import_rows where tenant_id = p_tenant and import_id = p_import;
  return query select v_created, v_updated, v_good - v_created - v_updated, v_bad;
end
$$
-- ;;
-- As before, with its rows as lists, each barcode once. No stock said of a location is null there, and so is no older form of the
-- high-volume configuration. The one of the version before, which takes jsonb, stays for its nodes.
create function import_components(
  p_tenant uuid, p_barcodes text[], p_descriptions text[], p_primary integer[], p_secondary integer[],
  p_fulfillment integer[], p_distribution integer[], p_quarantine integer[], p_high_volume jsonb[], p_keep boolean,
  p_user uuid, p_user_name text
)
returns jsonb
language plpgsql volatile
-- Lists are taken for short ones where a plan was kept, and would be compared row by row.
set enable_seqscan = off set enable_nestloop = off
as $$
declare
  v_total constant integer := cardinality(p_barcodes);
  v_ids constant uuid[] := new_ids(v_total);
  v_given record;
  v_created uuid[];
  v_back uuid[] := '{}';
  v_changed uuid[];
  v_changes integer;
  v_components uuid[];
  v_locations text[];
  v_quantities integer[];
begin
  perform pg_advisory_xact_lock_shared(retire_lock(p_tenant));
  -- What is new has no stock: only what there is of it is set.
  with given as materialized (
    select * from unnest(
      p_barcodes, p_descriptions, p_primary, p_secondary, p_fulfillment, p_distribution, p_quarantine
    ) as rows (barcode, description, in_primary, in_secondary, in_fulfillment, in_distribution, in_quarantine)
  ),
  written as (
    insert into components as present (tenant_id, id, barcode, description)
    select p_tenant, v_ids[row_number() over (order by given.barcode)], given.barcode, given.description
    from given
    order by given.barcode
    on conflict (tenant_id, barcode) do update set description = excluded.description, updated_at = now()
    where excluded.description <> '' and present.description <> excluded.description
    -- A row that this statement inserted was changed by nobody.
    returning present.id, present.barcode, present.xmax = 0 as is_new
  ),
  first_stock as (
    select written.id, part.location, part.quantity
    from written
    join given on given.barcode = written.barcode
    cross join lateral (values
      ('PRIMARY', given.in_primary), ('SECONDARY', given.in_secondary), ('FULFILLMENT', given.in_fulfillment),
      ('DISTRIBUTION', given.in_distribution), ('QUARANTINE', given.in_quarantine)
    ) as part (location, quantity)
    where written.is_new and part.quantity > 0
  )
  select own.created, own.changed, stocked.components, stocked.locations, stocked.quantities
  into v_created, v_changed, v_components, v_locations, v_quantities
  from (
    select coalesce(array_agg(id) filter (where is_new), '{}') as created,
      coalesce(array_agg(id) filter (where not is_new), '{}') as changed
    from written
  ) as own
  cross join (
    select coalesce(array_agg(id), '{}') as components, coalesce(array_agg(location), '{}') as locations,
      coalesce(array_agg(quantity), '{}') as quantities
    from first_stock
  ) as stocked;
  perform set_first_stock(
    p_tenant, v_components, v_locations, v_quantities, 'import', p_user, p_user_name, null
  );

  for v_given in
    select given.barcode, given.high_volume
    from unnest(p_barcodes, p_high_volume) as given (barcode, high_volume)
    where given.high_volume is not null
    order by given.barcode
  loop
    update components set older_high_volume = v_given.high_volume
    where tenant_id = p_tenant and barcode = v_given.barcode;
  end loop;

  if cardinality(v_created) < v_total then
    v_back := reinstate_components(p_tenant, array(
      select components.id
      from components
      join unnest(p_barcodes) as given (barcode) on given.barcode = components.barcode
      where components.tenant_id = p_tenant and components.retired_at is not null
    ));

    select coalesce(array_agg(found.id), '{}'), coalesce(array_agg(part.location), '{}'),
      coalesce(array_agg(part.quantity), '{}')
    into v_components, v_locations, v_quantities
    from unnest(
      p_barcodes, p_primary, p_secondary, p_fulfillment, p_distribution, p_quarantine
    ) as given (barcode, in_primary, in_secondary, in_fulfillment, in_distribution, in_quarantine)
    cross join lateral (
      select components.id from components
      where components.tenant_id = p_tenant and components.barcode = given.barcode
      offset 0
    ) as found
    cross join lateral (values
      ('PRIMARY', given.in_primary), ('SECONDARY', given.in_secondary), ('FULFILLMENT', given.in_fulfillment),
      ('DISTRIBUTION', given.in_distribution), ('QUARANTINE', given.in_quarantine)
    ) as part (location, quantity)
    where part.quantity is not null and found.id not in (select unnest(v_created))
      and (not p_keep or found.id in (select unnest(v_back)));
    v_changed := v_changed || v_back || array(
      select set_stock(p_tenant, v_components, v_locations, v_quantities, 'import', p_user, p_user_name, null)
    );
  end if;

  select count(*) into v_changes
  from (select unnest(v_changed) except select unnest(v_created)) as changed;

  update companies
  set component_count = component_count + cardinality(v_created)
  where tenant_id = p_tenant and cardinality(v_created) > 0;

  return jsonb_build_object(
    'created', cardinality(v_created), 'updated', v_changes, 'unchanged', v_total - cardinality(v_created) - v_changes,
    'reinstated', array(select barcode from components where tenant_id = p_tenant and id = any (v_back) order by barcode)
  );
end
$$
