-- Taking an import judged all of its rows twice, once to refuse the faulty, and looked through all that it had done to find what had
-- changed, even where everything was new.

-- A row of an import is written while its import is locked, and goes with it: looking for the import anew for each of its rows
-- was a quarter of what staging them took.
alter table import_rows drop constraint import_rows_tenant_id_import_id_fkey
-- ;;
-- Takes the good rows of an import and says how many were created, updated, the same, and bad. Takes none where there is no good
-- one, or where there are bad ones and p_leave_out is false.
create function take_import(p_tenant uuid, p_import uuid, p_user uuid, p_user_name text, p_leave_out boolean)
returns table (created integer, updated integer, unchanged integer, bad integer)
language plpgsql
set enable_seqscan = off
as $$
declare
  v_keep constant boolean := (select keep_existing from imports where tenant_id = p_tenant and id = p_import);
  v_created integer;
  v_updated integer;
  v_good integer;
  v_bad integer;
  v_components uuid[];
  v_locations text[];
  v_quantities integer[];
begin
  -- What the rows would do, judged once. Gone with the transaction.
  create temporary table judged_rows (
    line integer, barcode text, description text, old_description text, kind text
  ) on commit drop;
  insert into judged_rows
  select judged.line, judged.barcode, judged.description, judged.old_description, judged.kind
  from judge_import(p_tenant, p_import) as judged
  where judged.kind <> 'bad';
  get diagnostics v_good = row_count;
  v_bad := (select staged_rows from imports where tenant_id = p_tenant and id = p_import) - v_good;
  if v_good = 0 or v_bad > 0 and not p_leave_out then return query select 0, 0, 0, v_bad; return; end if;
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

  select coalesce(array_agg(components.id), '{}'), coalesce(array_agg(given.location), '{}'),
    coalesce(array_agg(given.quantity), '{}')
  into v_components, v_locations, v_quantities
  from judged_rows judged
  join components on components.tenant_id = p_tenant and components.barcode = judged.barcode
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

  v_updated := 0;
  if v_created < v_good then
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
  delete from import_rows where tenant_id = p_tenant and import_id = p_import;
  return query select v_created, v_updated, v_good - v_created - v_updated, v_bad;
end
$$
