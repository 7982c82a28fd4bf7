-- Imports and what is retired: what they bring back and what their undo retires is known, and nothing of it is lost.

-- How many components an import brought back, and how many of those that it made or brought back were retired when it was undone.
alter table imports add column reinstated integer not null default 0
-- ;;
alter table imports add column retired integer not null default 0
-- ;;
-- Whether rows of retired components change nothing.
alter table imports add column leave_out_retired boolean not null default false
-- ;;
-- The components that were there already and that an import named, a thousand in a row, so that undoing an older one leaves them.
create table import_confirmed (
  tenant_id uuid not null references companies,
  import_id uuid not null,
  part integer not null,
  components uuid[] not null,
  primary key (tenant_id, import_id, part),
  foreign key (tenant_id, import_id) references imports
)
-- ;;
alter table import_confirmed enable row level security
-- ;;
alter table import_confirmed force row level security
-- ;;
create policy own_company on import_confirmed
  using (tenant_id = current_tenant()) with check (tenant_id = current_tenant())
-- ;;
grant select, insert on import_confirmed to inventory_manager_app
-- ;;
alter table components add column reinstated_at timestamptz
-- ;;
-- As before; it says since when.
create or replace function reinstate_components(p_tenant uuid, p_components uuid[]) returns uuid[]
language plpgsql volatile
as $$
declare
  v_back uuid[];
begin
  if cardinality(p_components) = 0 then return '{}'; end if;
  with back as (
    update components
    set retired_at = null, retired_by = null, reinstated_at = clock_timestamp()
    where tenant_id = p_tenant and id = any (p_components) and retired_at is not null
    returning id
  )
  select coalesce(array_agg(id), '{}') into v_back from back;
  update companies set component_count = component_count + cardinality(v_back)
  where tenant_id = p_tenant and cardinality(v_back) > 0;
  return v_back;
end
$$
-- ;;
drop function judge_import(uuid, uuid)
-- ;;
-- What each row of a staged import would do: 'new', 'changed', 'unchanged', or 'bad' with the reason. One whose barcode stands
-- already in a row above is bad; what is another barcode of a component becomes none of its own, and is looked up by its key. What
-- is retired is changed by being brought back, unless the import leaves that out.
create function judge_import(p_tenant uuid, p_import uuid)
returns table (
  line integer, barcode text, description text, component_id uuid, old_description text, kind text, fault text,
  retired boolean
)
language sql stable
set enable_seqscan = off
as $$
  select rows.line, rows.barcode, rows.description, present.id, present.description,
    case
      when coalesce(rows.fault, rows.twice, aliased.fault) is not null then 'bad'
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
    coalesce(rows.fault, rows.twice, aliased.fault), present.retired_at is not null
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
$$
-- ;;
-- As before; what comes back gets the stock that the file gives it, whatever becomes of that of others, and what is to stay retired
-- stays as it is.
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
  v_updated integer;
  v_good integer;
  v_bad integer;
  v_back uuid[];
  v_components uuid[];
  v_locations text[];
  v_quantities integer[];
begin
  perform pg_advisory_xact_lock_shared(retire_lock(p_tenant));
  -- What the rows would do, judged once. Gone with the transaction.
  create temporary table judged_rows (
    line integer, barcode text, description text, component_id uuid, old_description text, kind text
  ) on commit drop;
  insert into judged_rows
  select judged.line, judged.barcode, judged.description, judged.component_id, judged.old_description, judged.kind
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

  v_back := reinstate_components(p_tenant, array(
    select components.id
    from components
    join judged_rows judged on judged.barcode = components.barcode
    where components.tenant_id = p_tenant and components.retired_at is not null and not v_leave_out_retired
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
  where given.quantity is not null and components.retired_at is null and (
    not v_keep
    -- Not by what was judged: somebody else may have made it since.
    or components.id in (
      select made.component_id from import_changes made
      where made.tenant_id = p_tenant and made.import_id = p_import and (made.created or made.reinstated)
    )
  );
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
-- As before; what comes back gets the stock that is given for it, whatever becomes of that of others, and is named.
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
  v_back uuid[];
  v_changed uuid[];
  v_changes integer;
  v_components uuid[];
  v_locations text[];
  v_quantities integer[];
  v_total integer := jsonb_array_length(p_rows);
begin
  perform pg_advisory_xact_lock_shared(retire_lock(p_tenant));
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

  v_back := reinstate_components(p_tenant, array(
    select components.id
    from components
    join jsonb_to_recordset(p_rows) as given (barcode text) on given.barcode = components.barcode
    where components.tenant_id = p_tenant and components.retired_at is not null
  ));
  v_changed := v_changed || v_back;

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
  where not p_keep or found.id in (select unnest(v_created || v_back));

  v_changed := v_changed || array(
    select set_stock(p_tenant, v_components, v_locations, v_quantities, 'import', p_user, p_user_name, null)
  );
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
-- ;;
-- As before; what it brought and something newer than it is about stays.
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
