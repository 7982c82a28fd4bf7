-- Setting stock rows goes through those that were there already once, and not at all through those it has made; an import
-- of new components went through all of them twice more when one of its quantities was 0. Lists come as arrays: written as
-- JSON they took as long to write and to read as the rows to insert. Imports by either door set stock by the same function.
drop function set_stock(uuid, jsonb, text, uuid, text)
-- ;;
-- Sets stock rows to given quantities and posts the differences: the rows of three lists side by side, each component and
-- location once. Rows are locked in key order, so that two calls over the same components wait for each other instead of
-- locking each other out. p_reference: the import it is for, null for none. Returns the components changed.
create function set_stock(
  p_tenant uuid, p_components uuid[], p_locations text[], p_quantities integer[], p_cause text, p_user uuid,
  p_user_name text, p_reference uuid
)
returns setof uuid
language plpgsql volatile
set enable_seqscan = off
as $$
declare
  v_components uuid[];
  v_locations text[];
  v_quantities integer[];
begin
  with made as (
    insert into stock as fresh (tenant_id, component_id, location, quantity)
    select p_tenant, given.component_id, given.location, given.quantity
    from unnest(p_components, p_locations, p_quantities) as given (component_id, location, quantity)
    where given.quantity > 0
    order by given.component_id, given.location
    on conflict (tenant_id, component_id, location) do nothing
    returning fresh.component_id, fresh.location, fresh.quantity
  ),
  posted as (
    insert into movements (
      tenant_id, component_id, location, delta, quantity_after, cause, user_id, user_name, reference
    )
    select p_tenant, made.component_id, made.location, made.quantity, made.quantity, p_cause, p_user, p_user_name,
      p_reference
    from made
  )
  select coalesce(array_agg(component_id), '{}'), coalesce(array_agg(location), '{}'), coalesce(array_agg(quantity), '{}')
  into v_components, v_locations, v_quantities
  from made;
  return query select unnest(v_components);
  if cardinality(v_components) = cardinality(p_components) then return; end if;

  return query
  with changed as materialized (
    select given.component_id, given.location, given.quantity, given.quantity - present.quantity as delta
    from (
      select * from unnest(p_components, p_locations, p_quantities) as given (component_id, location, quantity)
      except
      select * from unnest(v_components, v_locations, v_quantities)
      order by component_id, location
    ) as given
    cross join lateral (
      select stock.quantity from stock
      where stock.tenant_id = p_tenant and stock.component_id = given.component_id and stock.location = given.location
      for update
    ) as present
    where present.quantity <> given.quantity
  ),
  posted as (
    insert into movements (
      tenant_id, component_id, location, delta, quantity_after, cause, user_id, user_name, reference
    )
    select p_tenant, changed.component_id, changed.location, changed.delta, changed.quantity, p_cause, p_user,
      p_user_name, p_reference
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
-- As before; stock as lists.
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
  v_components uuid[];
  v_locations text[];
  v_quantities integer[];
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

  select coalesce(array_agg(found.id), '{}'), coalesce(array_agg(part.location), '{}'),
    coalesce(array_agg(part.quantity), '{}')
  into v_components, v_locations, v_quantities
  from jsonb_to_recordset(p_rows) as given (barcode text, stock jsonb)
  cross join lateral (
    select components.id from components
    where components.tenant_id = p_tenant and components.barcode = given.barcode
    offset 0
  ) as found
  cross join lateral jsonb_to_recordset(given.stock) as part (location text, quantity integer)
  where not p_keep or found.id in (select unnest(v_created));

  v_changed := v_changed || array(
    select set_stock(p_tenant, v_components, v_locations, v_quantities, 'import', p_user, p_user_name, null)
  );
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
-- As before; stock by set_stock.
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
  v_components uuid[];
  v_locations text[];
  v_quantities integer[];
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

  select coalesce(array_agg(judged.component_id), '{}'), coalesce(array_agg(given.location), '{}'),
    coalesce(array_agg(given.quantity), '{}')
  into v_components, v_locations, v_quantities
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
  perform set_stock(
    p_tenant, v_components, v_locations, v_quantities, 'import', p_user, p_user_name, p_import
  );

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
