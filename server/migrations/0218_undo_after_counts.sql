-- An import could be taken back though somebody had counted since what it set: the SKU stayed counted, with the stock from before.

-- Takes an import back, or says what keeps it from that: a component, and why.
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

  return query
  select components.barcode, 'counted_stock'
  from movements posted
  cross join lateral (
    select components.barcode from components
    where components.tenant_id = p_tenant and components.id = posted.component_id
    offset 0
  ) as components
  where posted.tenant_id = p_tenant and posted.reference = p_import and exists (
    select from stock
    where stock.tenant_id = p_tenant and stock.component_id = posted.component_id and stock.location = posted.location
      and greatest(stock.counted_at, stock.weekly_counted_at) > instant_of(posted.id)
  )
  order by components.barcode
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
