-- Imports find each row by its key, whatever the planner knows: within one transaction it takes tables that have just
-- been filled for empty ones, and compared every row with every other. Each row's others are looked up one by one
-- (lateral), and changes of many rows are inserts that meet their row.
-- (A commit of 30,000 rows took 90 seconds where statistics were old.)

-- This index begins like the primary key and was taken in its place; barcodes that stand twice are found by sorting.
drop index import_rows_of_barcode
-- ;;
-- A movement is only posted for a stock row, which has this key itself; a change only under its import's lock.
alter table movements drop constraint movements_tenant_id_component_id_fkey
-- ;;
alter table import_changes drop constraint import_changes_tenant_id_import_id_fkey
-- ;;

-- As before; rows are locked in key order.
create or replace function set_stock(p_tenant uuid, p_rows jsonb, p_cause text, p_user uuid, p_user_name text)
returns setof uuid
language plpgsql volatile
set enable_seqscan = off
as $$
declare
  v_made integer;
begin
  return query
  with made as (
    insert into stock as fresh (tenant_id, component_id, location, quantity)
    select p_tenant, given.component_id, given.location, given.quantity
    from jsonb_to_recordset(p_rows) as given (component_id uuid, location text, quantity integer)
    where given.quantity > 0
    order by given.component_id, given.location
    on conflict (tenant_id, component_id, location) do nothing
    returning fresh.component_id, fresh.location, fresh.quantity
  )
  insert into movements as posted (
    tenant_id, component_id, location, delta, quantity_after, cause, user_id, user_name
  )
  select p_tenant, made.component_id, made.location, made.quantity, made.quantity, p_cause, p_user, p_user_name
  from made
  returning posted.component_id;
  get diagnostics v_made = row_count;
  if v_made = jsonb_array_length(p_rows) then return; end if;

  perform 1
  from (
    select * from jsonb_to_recordset(p_rows) as given (component_id uuid, location text, quantity integer)
    order by given.component_id, given.location
  ) as given
  cross join lateral (
    select from stock
    where stock.tenant_id = p_tenant and stock.component_id = given.component_id and stock.location = given.location
    for update
  ) as locked;

  return query
  with changed as materialized (
    select given.component_id, given.location, given.quantity, given.quantity - present.quantity as delta
    from jsonb_to_recordset(p_rows) as given (component_id uuid, location text, quantity integer)
    cross join lateral (
      select stock.quantity from stock
      where stock.tenant_id = p_tenant and stock.component_id = given.component_id and stock.location = given.location
      offset 0
    ) as present
    where present.quantity <> given.quantity
  ),
  posted as (
    insert into movements (tenant_id, component_id, location, delta, quantity_after, cause, user_id, user_name)
    select p_tenant, changed.component_id, changed.location, changed.delta, changed.quantity, p_cause, p_user, p_user_name
    from changed
  )
  insert into stock as present (tenant_id, component_id, location, quantity)
  select p_tenant, changed.component_id, changed.location, changed.quantity
  from changed
  on conflict (tenant_id, component_id, location) do update set quantity = excluded.quantity
  returning present.component_id;
end
$$
-- ;;
-- As before.
create or replace function import_components(
  p_tenant uuid, p_rows jsonb, p_keep boolean, p_user uuid, p_user_name text
)
returns jsonb
language plpgsql volatile
set enable_seqscan = off
as $$
declare
  v_given record;
  v_created uuid[];
  v_changed uuid[];
  v_changes integer;
  v_stock jsonb;
  v_total integer := jsonb_array_length(p_rows);
begin
  with written as (
    insert into components as present (tenant_id, barcode, description)
    select p_tenant, given.barcode, coalesce(given.description, '')
    from jsonb_to_recordset(p_rows) as given (barcode text, description text)
    order by given.barcode
    on conflict (tenant_id, barcode) do update set description = excluded.description, updated_at = now()
    where excluded.description <> '' and present.description <> excluded.description
    -- A row that this statement inserted was changed by nobody.
    returning present.id, present.xmax = 0 as is_new
  )
  select
    coalesce(array_agg(id) filter (where is_new), '{}'), coalesce(array_agg(id) filter (where not is_new), '{}')
  into v_created, v_changed
  from written;

  for v_given in
    select given.barcode, given.high_volume
    from jsonb_to_recordset(p_rows) as given (barcode text, high_volume jsonb)
    where jsonb_typeof(given.high_volume) <> 'null'
    order by given.barcode
  loop
    update components set older_high_volume = v_given.high_volume
    where tenant_id = p_tenant and barcode = v_given.barcode;
  end loop;

  select coalesce(
    jsonb_agg(jsonb_build_object('component_id', found.id, 'location', part.location, 'quantity', part.quantity)), '[]'
  )
  into v_stock
  from jsonb_to_recordset(p_rows) as given (barcode text, stock jsonb)
  cross join lateral (
    select components.id from components
    where components.tenant_id = p_tenant and components.barcode = given.barcode
    offset 0
  ) as found
  cross join lateral jsonb_to_recordset(given.stock) as part (location text, quantity integer)
  where not p_keep or found.id in (select unnest(v_created));

  v_changed := v_changed || array(select set_stock(p_tenant, v_stock, 'import', p_user, p_user_name));
  select count(*) into v_changes
  from (select unnest(v_changed) except select unnest(v_created)) as changed;

  update companies
  set component_count = component_count + cardinality(v_created)
  where tenant_id = p_tenant and cardinality(v_created) > 0;

  return jsonb_build_object(
    'created', cardinality(v_created), 'updated', v_changes, 'unchanged', v_total - cardinality(v_created) - v_changes
  );
end
$$
-- ;;
-- As before.
create or replace function judge_import(p_tenant uuid, p_import uuid)
returns table (
  line integer, barcode text, description text, component_id uuid, old_description text, kind text, fault text
)
language sql stable
set enable_seqscan = off
as $$
  select rows.line, rows.barcode, rows.description, present.id, present.description,
    case
      when coalesce(rows.fault, rows.twice) is not null then 'bad'
      when present.id is null then 'new'
      when rows.description <> '' and rows.description <> present.description then 'changed'
      when not rows.keep_existing and exists (
        select from (values
          ('PRIMARY', rows.primary_quantity), ('SECONDARY', rows.secondary_quantity),
          ('FULFILLMENT', rows.fulfillment_quantity), ('DISTRIBUTION', rows.distribution_quantity),
          ('QUARANTINE', rows.quarantine_quantity)
        ) as given (location, quantity)
        where given.quantity <> coalesce(
          (
            select stock.quantity from stock
            where stock.tenant_id = p_tenant and stock.component_id = present.id and stock.location = given.location
          ),
          0
        )
      ) then 'changed'
      else 'unchanged'
    end,
    coalesce(rows.fault, rows.twice)
  from (
    select import_rows.*, imports.keep_existing,
      case when import_rows.fault is null then 'the barcode stands already at line ' || (
        min(import_rows.line) filter (where import_rows.fault is null) over (
          partition by import_rows.barcode order by import_rows.line rows between unbounded preceding and 1 preceding
        )
      ) end as twice
    from imports
    join import_rows on import_rows.tenant_id = imports.tenant_id and import_rows.import_id = imports.id
    where imports.tenant_id = p_tenant and imports.id = p_import
  ) as rows
  left join lateral (
    select components.id, components.description from components
    where components.tenant_id = p_tenant and components.barcode = rows.barcode
    offset 0
  ) as present on true
$$
-- ;;
-- As before.
create or replace function commit_import(p_tenant uuid, p_import uuid, p_user uuid, p_user_name text)
returns table (created integer, updated integer, unchanged integer)
language plpgsql volatile
set enable_seqscan = off
as $$
declare
  v_keep constant boolean := (select keep_existing from imports where tenant_id = p_tenant and id = p_import);
  v_created integer;
  v_updated integer;
  v_good integer;
begin
  -- What the rows would do, judged once. Gone with the transaction.
  create temporary table judged_rows (
    line integer, barcode text, description text, component_id uuid, old_description text, kind text
  ) on commit drop;
  insert into judged_rows
  select judged.line, judged.barcode, judged.description, judged.component_id, judged.old_description, judged.kind
  from judge_import(p_tenant, p_import) as judged
  where judged.kind <> 'bad';
  get diagnostics v_good = row_count;
  analyze judged_rows;

  with inserted as (
    insert into components (tenant_id, barcode, description)
    select p_tenant, judged.barcode, judged.description
    from judged_rows judged
    where judged.kind = 'new'
    order by judged.barcode
    on conflict (tenant_id, barcode) do nothing
    returning components.id, components.barcode, components.description
  )
  insert into import_changes (
    tenant_id, import_id, component_id, barcode, created, old_description, new_description
  )
  select p_tenant, p_import, inserted.id, inserted.barcode, true, '', inserted.description from inserted;
  get diagnostics v_created = row_count;

  update judged_rows set component_id = (
    select components.id from components
    where components.tenant_id = p_tenant and components.barcode = judged_rows.barcode
  )
  where component_id is null;

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
    tenant_id, import_id, component_id, barcode, created, old_description, new_description
  )
  select p_tenant, p_import, described.id, described.barcode, false, judged.old_description, described.description
  from judged_rows judged
  join described on described.barcode = judged.barcode;

  create temporary table wanted_stock (component_id uuid, location text, quantity integer) on commit drop;
  insert into wanted_stock
  select judged.component_id, given.location, given.quantity
  from judged_rows judged
  cross join lateral (
    select * from import_rows
    where import_rows.tenant_id = p_tenant and import_rows.import_id = p_import and import_rows.line = judged.line
    offset 0
  ) as rows
  cross join lateral (values
    ('PRIMARY', rows.primary_quantity), ('SECONDARY', rows.secondary_quantity),
    ('FULFILLMENT', rows.fulfillment_quantity), ('DISTRIBUTION', rows.distribution_quantity),
    ('QUARANTINE', rows.quarantine_quantity)
  ) as given (location, quantity)
  where given.quantity is not null and (judged.kind = 'new' or not v_keep);
  analyze wanted_stock;

  with made as (
    insert into stock as fresh (tenant_id, component_id, location, quantity)
    select p_tenant, wanted.component_id, wanted.location, wanted.quantity
    from wanted_stock wanted
    where wanted.quantity > 0
    order by wanted.component_id, wanted.location
    on conflict (tenant_id, component_id, location) do nothing
    returning fresh.component_id, fresh.location, fresh.quantity
  )
  insert into movements (
    tenant_id, component_id, location, delta, quantity_after, cause, user_id, user_name, reference
  )
  select p_tenant, made.component_id, made.location, made.quantity, made.quantity, 'import', p_user, p_user_name,
    p_import
  from made;

  perform 1
  from (select * from wanted_stock order by component_id, location) as wanted
  cross join lateral (
    select from stock
    where stock.tenant_id = p_tenant and stock.component_id = wanted.component_id and stock.location = wanted.location
    for update
  ) as locked;

  with changed as materialized (
    select wanted.component_id, wanted.location, wanted.quantity, wanted.quantity - present.quantity as delta
    from wanted_stock wanted
    cross join lateral (
      select stock.quantity from stock
      where stock.tenant_id = p_tenant and stock.component_id = wanted.component_id
        and stock.location = wanted.location
      offset 0
    ) as present
    where present.quantity <> wanted.quantity
  ),
  posted as (
    insert into movements (
      tenant_id, component_id, location, delta, quantity_after, cause, user_id, user_name, reference
    )
    select p_tenant, changed.component_id, changed.location, changed.delta, changed.quantity, 'import', p_user,
      p_user_name, p_import
    from changed
  )
  insert into stock (tenant_id, component_id, location, quantity)
  select p_tenant, changed.component_id, changed.location, changed.quantity
  from changed
  on conflict (tenant_id, component_id, location) do update set quantity = excluded.quantity;

  select count(distinct changed.component_id) into v_updated
  from (
    select import_changes.component_id from import_changes
    where import_changes.tenant_id = p_tenant and import_changes.import_id = p_import
    union all
    select movements.component_id from movements
    where movements.tenant_id = p_tenant and movements.reference = p_import
  ) as changed;
  v_updated := v_updated - v_created;

  update companies set component_count = component_count + v_created
  where tenant_id = p_tenant and v_created > 0;
  delete from import_rows where tenant_id = p_tenant and import_id = p_import;
  return query select v_created, v_updated, v_good - v_created - v_updated;
end
$$
-- ;;
-- As before.
create or replace function undo_import(p_tenant uuid, p_import uuid, p_user uuid, p_user_name text)
returns table (obstacle text, reason text)
language plpgsql volatile
set enable_seqscan = off
as $$
begin
  perform 1
  from stock
  where tenant_id = p_tenant and (
    component_id in (
      select component_id from import_changes where tenant_id = p_tenant and import_id = p_import and created
    )
    or (component_id, location) in (
      select moved.component_id, moved.location from movements moved
      where moved.tenant_id = p_tenant and moved.reference = p_import
    )
  )
  order by component_id, location
  for update;

  return query
  select components.barcode, 'moved'
  from movements posted
  cross join lateral (
    select components.barcode from components
    where components.tenant_id = p_tenant and components.id = posted.component_id
    offset 0
  ) as components
  where posted.tenant_id = p_tenant and posted.reference = p_import and exists (
    select from movements later
    where later.tenant_id = p_tenant and later.component_id = posted.component_id
      and later.location = posted.location and later.id > posted.id
      and later.reference is distinct from p_import
  )
  order by components.barcode
  limit 1;
  if found then return; end if;

  return query
  select made.barcode, 'moved'
  from import_changes made
  where made.tenant_id = p_tenant and made.import_id = p_import and made.created and exists (
    select from movements
    where movements.tenant_id = p_tenant and movements.component_id = made.component_id
      and movements.reference is distinct from p_import
  )
  order by made.barcode
  limit 1;
  if found then return; end if;

  return query
  select made.barcode, 'counted'
  from import_changes made
  where made.tenant_id = p_tenant and made.import_id = p_import and made.created and (
    exists (
      select from stock
      where stock.tenant_id = p_tenant and stock.component_id = made.component_id
        and (stock.scans > 0 or stock.counted_at is not null or stock.weekly_counted_at is not null)
    )
    or exists (
      select from discrepancies
      where discrepancies.tenant_id = p_tenant and discrepancies.component_id = made.component_id
    )
  )
  order by made.barcode
  limit 1;
  if found then return; end if;

  with taken as materialized (
    select posted.component_id, posted.location, -posted.delta as delta, present.quantity - posted.delta as quantity
    from movements posted
    cross join lateral (
      select stock.quantity from stock
      where stock.tenant_id = p_tenant and stock.component_id = posted.component_id
        and stock.location = posted.location
      offset 0
    ) as present
    where posted.tenant_id = p_tenant and posted.reference = p_import and posted.cause = 'import'
  ),
  returned as (
    insert into movements (
      tenant_id, component_id, location, delta, quantity_after, cause, user_id, user_name, reference
    )
    select p_tenant, taken.component_id, taken.location, taken.delta, taken.quantity, 'import_undone', p_user,
      p_user_name, p_import
    from taken
  )
  insert into stock (tenant_id, component_id, location, quantity)
  select p_tenant, taken.component_id, taken.location, taken.quantity from taken
  on conflict (tenant_id, component_id, location) do update set quantity = excluded.quantity;

  insert into components as present (tenant_id, barcode, description)
  select p_tenant, changed.barcode, changed.old_description
  from import_changes changed
  cross join lateral (
    select components.description from components
    where components.tenant_id = p_tenant and components.id = changed.component_id
    offset 0
  ) as now
  where changed.tenant_id = p_tenant and changed.import_id = p_import and not changed.created
    and now.description = changed.new_description
  order by changed.barcode
  on conflict (tenant_id, barcode) do update set description = excluded.description, updated_at = now();
end
$$
