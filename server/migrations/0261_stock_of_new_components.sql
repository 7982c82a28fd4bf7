-- What an import makes new gets its stock from the rows that made it, instead of being looked up by its barcode, and its row by its
-- line: a tenth of what an import of new components took.
drop function judge_import(uuid, uuid)
-- ;;
-- As before, with what each row says of stock.
create function judge_import(p_tenant uuid, p_import uuid)
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
    coalesce(rows.fault, rows.twice, aliased.fault), present.retired_at is not null,
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
  v_updated integer;
  v_good integer;
  v_bad integer;
  v_back uuid[] := '{}';
  v_components uuid[];
  v_locations text[];
  v_quantities integer[];
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
  with inserted as (
    insert into components (tenant_id, barcode, description)
    select p_tenant, judged.barcode, judged.description
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

    select v_components || coalesce(array_agg(components.id), '{}'), v_locations || coalesce(array_agg(given.location), '{}'),
      v_quantities || coalesce(array_agg(given.quantity), '{}')
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
  end if;

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
  v_back uuid[] := '{}';
  v_changed uuid[];
  v_changes integer;
  v_components uuid[];
  v_locations text[];
  v_quantities integer[];
  v_total integer := jsonb_array_length(p_rows);
begin
  perform pg_advisory_xact_lock_shared(retire_lock(p_tenant));
  -- What is new has no stock: only what there is of it is set.
  with given as materialized (
    select rows.barcode, coalesce(rows.description, '') as description, rows.stock
    from jsonb_to_recordset(p_rows) as rows (barcode text, description text, stock jsonb)
  ),
  written as (
    insert into components as present (tenant_id, barcode, description)
    select p_tenant, given.barcode, given.description
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
    cross join lateral jsonb_to_recordset(given.stock) as part (location text, quantity integer)
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

  for v_given in
    select given.barcode, given.high_volume
    from jsonb_to_recordset(p_rows) as given (barcode text, high_volume jsonb)
    where jsonb_typeof(given.high_volume) <> 'null'
    order by given.barcode
  loop
    update components set older_high_volume = v_given.high_volume
    where tenant_id = p_tenant and barcode = v_given.barcode;
  end loop;

  if cardinality(v_created) < v_total then
    v_back := reinstate_components(p_tenant, array(
      select components.id
      from components
      join jsonb_to_recordset(p_rows) as given (barcode text) on given.barcode = components.barcode
      where components.tenant_id = p_tenant and components.retired_at is not null
    ));
    v_changed := v_changed || v_back;

    select v_components || coalesce(array_agg(found.id), '{}'), v_locations || coalesce(array_agg(part.location), '{}'),
      v_quantities || coalesce(array_agg(part.quantity), '{}')
    into v_components, v_locations, v_quantities
    from jsonb_to_recordset(p_rows) as given (barcode text, stock jsonb)
    cross join lateral (
      select components.id from components
      where components.tenant_id = p_tenant and components.barcode = given.barcode
      offset 0
    ) as found
    cross join lateral jsonb_to_recordset(given.stock) as part (location text, quantity integer)
    where found.id not in (select unnest(v_created)) and (not p_keep or found.id in (select unnest(v_back)));
  end if;

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
