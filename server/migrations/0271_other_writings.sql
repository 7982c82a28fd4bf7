-- A file that gave a UPC in its other writing, as spreadsheets take a zero off, made a second component of what was there; and undoing
-- an import brought back a description from before a newer file, which had given the same as the undone one.

create or replace function judge_import(p_tenant uuid, p_import uuid)
returns table (
  line integer, barcode text, description text, component_id uuid, old_description text, kind text, fault text,
  retired boolean, primary_quantity integer, secondary_quantity integer, fulfillment_quantity integer,
  distribution_quantity integer, quarantine_quantity integer
)
language sql stable
set enable_seqscan = off
as $$
  select rows.line, rows.barcode, rows.description, present.id, present.description,
    case
      when coalesce(rows.fault, rows.twice, aliased.fault, twin.fault) is not null then 'bad'
      when present.id is null then 'new'
      when present.retired_at is not null then case when rows.leave_out_retired then 'unchanged' else 'changed' end
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
    coalesce(rows.fault, rows.twice, aliased.fault, twin.fault), present.retired_at is not null,
    rows.primary_quantity, rows.secondary_quantity, rows.fulfillment_quantity, rows.distribution_quantity,
    rows.quarantine_quantity
  from (
    select import_rows.*, imports.keep_existing, imports.leave_out_retired,
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
    select components.id, components.description, components.retired_at from components
    where components.tenant_id = p_tenant and components.barcode = rows.barcode
    offset 0
  ) as present on true
  left join lateral (
    select 'the barcode is another barcode of ' || owner.barcode || ' already' as fault
    from unnest(upc_writings(rows.barcode)) as writing (code)
    cross join lateral (
      select alias_barcodes.component_id from alias_barcodes
      where alias_barcodes.tenant_id = p_tenant and alias_barcodes.barcode = writing.code
      offset 0
    ) as known
    cross join lateral (
      select components.barcode from components
      where components.tenant_id = p_tenant and components.id = known.component_id
      offset 0
    ) as owner
    where present.id is null
      -- Asked once: most companies have none.
      and (select exists (select from alias_barcodes other where other.tenant_id = p_tenant))
    limit 1
  ) as aliased on true
  left join lateral (
    select 'the barcode is another writing of ' || own.barcode || ', which is there already' as fault
    from unnest(upc_writings(rows.barcode)) as writing (code)
    cross join lateral (
      select components.barcode from components
      where components.tenant_id = p_tenant and components.barcode = writing.code
      offset 0
    ) as own
    where present.id is null and writing.code <> rows.barcode
  ) as twin on true
$$
-- ;;
-- As before, but for descriptions that a newer file has confirmed.
create or replace function undo_import(p_tenant uuid, p_import uuid, p_user uuid, p_user_name text)
returns table (obstacle text, reason text)
language plpgsql volatile
set enable_seqscan = off
as $$
declare
  v_finished constant timestamptz := (select finished_at from imports where tenant_id = p_tenant and id = p_import);
  v_brought uuid[];
begin
  perform pg_advisory_xact_lock(retire_lock(p_tenant));
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
      and not exists (
        select from imports undone
        where undone.tenant_id = p_tenant and undone.id = later.reference and undone.status = 'undone'
      )
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
      and not exists (
        select from imports undone
        where undone.tenant_id = p_tenant and undone.id = movements.reference and undone.status = 'undone'
      )
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
        and discrepancies.status in ('attempted', 'open', 'recount')
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
  where posted.tenant_id = p_tenant and posted.reference = p_import and (
    -- By what came after it: clocks of devices may be off, and marks may have been cleared.
    exists (
      select from standing_counts(p_tenant, components.barcode, posted.location, null) as later where later.id > posted.id
    )
    or exists (
      select from standing_attempts(p_tenant, posted.component_id, posted.location) as later
      join discrepancies difference on difference.tenant_id = p_tenant and difference.id = later.discrepancy_id
      where difference.status = 'open' and later.id > posted.id
    )
    -- Where counts have been put aside since, their marks still say it.
    or exists (
      select from detached_history aside
      where aside.tenant_id = p_tenant and aside.history = 'count_history' and aside.next_id > posted.id
    ) and exists (
      select from stock
      where stock.tenant_id = p_tenant and stock.component_id = posted.component_id and stock.location = posted.location
        and greatest(stock.counted_at, stock.weekly_counted_at) > instant_of(posted.id)
    )
  )
  order by components.barcode
  limit 1;
  if found then return; end if;

  -- What a newer file gave as well moved nothing; where it says what another one set, it is its stock by now.
  return query
  select components.barcode, 'confirmed'
  from imports newer
  join import_confirmed confirmed on confirmed.tenant_id = p_tenant and confirmed.import_id = newer.id
  cross join unnest(confirmed.components) as named (component_id)
  cross join lateral (
    select components.barcode from components
    where components.tenant_id = p_tenant and components.id = named.component_id
    offset 0
  ) as components
  where newer.tenant_id = p_tenant and newer.status = 'done' and newer.finished_at > v_finished and not newer.keep_existing
    and exists (
      select from movements posted
      where posted.tenant_id = p_tenant and posted.component_id = named.component_id
        -- So that they are found by their component, not all of an import's for each.
        and posted.reference is not distinct from p_import
        and lower(posted.location) || '_quantity' = any (newer.fields)
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
    -- What a newer file gave as well is its description by now.
    and changed.component_id not in (
      select unnest(confirmed.components)
      from imports newer
      join import_confirmed confirmed on confirmed.tenant_id = p_tenant and confirmed.import_id = newer.id
      where newer.tenant_id = p_tenant and newer.status = 'done' and newer.finished_at > v_finished
        and 'description' = any (newer.fields)
    )
  order by changed.barcode
  on conflict (tenant_id, barcode) do update set description = excluded.description, updated_at = now();

  perform reinstate_components(p_tenant, array(
    select components.id
    from components
    join stock on stock.tenant_id = p_tenant and stock.component_id = components.id and stock.quantity > 0
    where components.tenant_id = p_tenant and components.retired_at is not null
  ));
  v_brought := array(
    select component_id from import_changes
    where tenant_id = p_tenant and import_id = p_import and (created or reinstated)
    except
    select unnest(confirmed.components)
    from imports newer
    join import_confirmed confirmed on confirmed.tenant_id = p_tenant and confirmed.import_id = newer.id
    where newer.tenant_id = p_tenant and newer.status = 'done' and newer.finished_at > v_finished
  );
  if cardinality(v_brought) = 0 then return; end if;
  -- Last, because counts wait for it. What has something that keeps it from being retired stays, and what came into use since.
  perform pg_advisory_xact_lock(time_zone_lock(p_tenant));
  perform retire_components(p_tenant, array(
    select brought.id
    from unnest(v_brought) as brought (id)
    where not exists (
        select from stock
        where stock.tenant_id = p_tenant and stock.component_id = brought.id
          and (stock.quantity > 0 or greatest(stock.counted_at, stock.weekly_counted_at) > instant_of(p_import))
      )
      and not exists (
        select from transfers
        where transfers.tenant_id = p_tenant and transfers.component_id = brought.id and transfers.status = 'in_transit'
      )
      and not exists (
        select from discrepancies
        where discrepancies.tenant_id = p_tenant and discrepancies.component_id = brought.id
          and discrepancies.status in ('attempted', 'open', 'recount')
      )
      -- Retiring takes the weekly plan away: one that is there was made since.
      and not exists (
        select from high_volume_assignments planned
        where planned.tenant_id = p_tenant and planned.component_id = brought.id
      )
      and not exists (
        select from alias_barcodes aliased
        where aliased.tenant_id = p_tenant and aliased.component_id = brought.id and aliased.created_at > v_finished
      )
      and not exists (
        select from labelled_components labelled
        where labelled.tenant_id = p_tenant and labelled.component_id = brought.id and labelled.labelled_at > v_finished
      )
      and not exists (
        select from components
        where components.tenant_id = p_tenant and components.id = brought.id and components.reinstated_at > v_finished
      )
  ), p_user_name);
end
$$
