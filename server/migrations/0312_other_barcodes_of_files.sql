-- Files that are imported may name other barcodes of components, which are added to those that there are.

-- As [{"barcode", "pieces"}], without the pieces where the row does not say of how many; null where it names none.
alter table import_rows add column others jsonb
-- ;;
-- The other barcodes that an import has named: those it added, which its undo takes away, and those that were there.
create table import_aliases (
  tenant_id uuid not null references companies,
  import_id uuid not null,
  component_id uuid not null,
  barcode text not null,
  pieces integer not null,
  added boolean not null,
  primary key (tenant_id, import_id, barcode),
  foreign key (tenant_id, import_id) references imports
)
-- ;;
-- More than one of its indexes begin with the company (0211).
alter table import_aliases alter column tenant_id set (n_distinct = -0.001)
-- ;;
-- Which imports name a barcode, that an undo asks.
create index import_aliases_of_barcode on import_aliases (tenant_id, barcode)
-- ;;
alter table import_aliases enable row level security
-- ;;
alter table import_aliases force row level security
-- ;;
create policy own_company on import_aliases
  using (tenant_id = current_tenant()) with check (tenant_id = current_tenant())
-- ;;
grant select, insert, update on import_aliases to inventory_manager_app
-- ;;
create or replace function judge_import(p_tenant uuid, p_import uuid)
returns table (
  line integer, barcode text, description text, component_id uuid, old_description text, kind text, fault text,
  retired boolean, primary_quantity integer, secondary_quantity integer, fulfillment_quantity integer,
  distribution_quantity integer, quarantine_quantity integer
)
language sql stable
set enable_seqscan = off
as $$
  with others as materialized (
    select told.line, told.added > 0 as adds,
      coalesce(told.fault, case when told.had + told.added > 20 then 'the component would have more than 20 other barcodes' end)
        as fault
    from (
      select codes.line, count(*) filter (where taken.component_id is null) as added, coalesce(min(present.others), 0) as had,
        (array_agg(faulty.fault order by codes.place) filter (where faulty.fault is not null))[1] as fault
      from (
        -- What stands in the file, read once: its own barcodes and its other ones, by what both writings of a UPC are known by.
        select given.*,
          min(given.line) filter (where given.is_own) over (partition by upc_of(given.code)) as own_line,
          min(given.line) filter (where not given.is_own) over (
            partition by upc_of(given.code) order by given.line, given.place
            rows between unbounded preceding and 1 preceding
          ) as other_line
        from (
          select import_rows.line, import_rows.barcode as own, import_rows.barcode as code, null::integer as pieces,
            true as is_own, 0::bigint as place
          from imports
          join import_rows on import_rows.tenant_id = imports.tenant_id and import_rows.import_id = imports.id
          where imports.tenant_id = p_tenant and imports.id = p_import and import_rows.fault is null
            and 'other_barcodes' = any (imports.fields)
          union all
          select import_rows.line, import_rows.barcode, named.barcode, named.pieces, false, named.place
          from imports
          join import_rows on import_rows.tenant_id = imports.tenant_id and import_rows.import_id = imports.id
          cross join lateral rows from (
            jsonb_to_recordset(import_rows.others) as (barcode text, pieces integer)
          ) with ordinality as named (barcode, pieces, place)
          where imports.tenant_id = p_tenant and imports.id = p_import and import_rows.fault is null
            and 'other_barcodes' = any (imports.fields)
        ) as given
      ) as codes
      left join lateral (
        select components.id, (
            select count(*) from alias_barcodes had
            where had.tenant_id = p_tenant and had.component_id = components.id
          ) as others
        from components
        where components.tenant_id = p_tenant and components.barcode = codes.own
        offset 0
      ) as present on true
      left join lateral (
        select own.barcode
        from unnest(upc_writings(codes.code)) as writing (code)
        cross join lateral (
          select components.barcode from components
          where components.tenant_id = p_tenant and components.barcode = writing.code
          offset 0
        ) as own
        limit 1
      ) as named on true
      left join lateral (
        select known.component_id, known.pieces, owner.barcode as owner
        from unnest(upc_writings(codes.code)) with ordinality as writing (code, place)
        cross join lateral (
          select alias_barcodes.component_id, alias_barcodes.pieces from alias_barcodes
          where alias_barcodes.tenant_id = p_tenant and alias_barcodes.barcode = writing.code
          offset 0
        ) as known
        cross join lateral (
          select components.barcode from components
          where components.tenant_id = p_tenant and components.id = known.component_id
          offset 0
        ) as owner
        order by writing.place
        limit 1
      ) as taken on true
      cross join lateral (
        select 'the other barcode ' || codes.code || case
          when named.barcode = codes.code then ' is the barcode of a component already'
          when named.barcode is not null then ' is another writing of ' || named.barcode || ', which is there already'
          when taken.component_id <> present.id or taken.component_id is not null and present.id is null
            then ' belongs to ' || taken.owner || ' already'
          when taken.pieces <> codes.pieces
            then ' stands for ' || taken.pieces || ' already: change that on the page of the component'
          when codes.own_line is not null then ' is the barcode at line ' || codes.own_line
          when codes.other_line is not null then ' stands already at line ' || codes.other_line
        end as fault
      ) as faulty
      where not codes.is_own
      group by codes.line
    ) as told
  )
  select rows.line, rows.barcode, rows.description, present.id, present.description,
    case
      when coalesce(rows.fault, rows.twice, aliased.fault, twin.fault) is not null then 'bad'
      when present.id is null and rows.other_writing is not null then 'bad'
      when others.said ->> 'fault' is not null then 'bad'
      when present.id is null then 'new'
      when present.retired_at is not null then case when rows.leave_out_retired then 'unchanged' else 'changed' end
      when rows.description <> '' and rows.description <> present.description then 'changed'
      when rows.placements is not null and exists (
        select from jsonb_to_recordset(rows.placements) as given (location text, bin text, minimum integer)
        left join lateral (
          select placements.bin, placements.minimum from placements
          where placements.tenant_id = p_tenant and placements.component_id = present.id
            and placements.location = given.location
          offset 0
        ) as placed on true
        where given.bin <> coalesce(placed.bin, '') or given.minimum <> coalesce(placed.minimum, -1)
      ) then 'changed'
      when rows.unit_cost is not null and rows.unit_cost is distinct from (
        select costs.unit_cost from component_costs costs
        where costs.tenant_id = p_tenant and costs.component_id = present.id
        order by costs.since desc
        limit 1
      ) then 'changed'
      when (others.said -> 'adds')::boolean then 'changed'
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
    coalesce(
      rows.fault, rows.twice, aliased.fault, twin.fault, case when present.id is null then rows.other_writing end,
      others.said ->> 'fault'
    ),
    present.retired_at is not null,
    rows.primary_quantity, rows.secondary_quantity, rows.fulfillment_quantity, rows.distribution_quantity,
    rows.quarantine_quantity
  from (
    select import_rows.*, imports.keep_existing, imports.leave_out_retired,
      case when import_rows.fault is null then 'the barcode stands already at line ' || (
        min(import_rows.line) filter (where import_rows.fault is null) over (
          partition by import_rows.barcode order by import_rows.line rows between unbounded preceding and 1 preceding
        )
      ) end as twice,
      case when import_rows.fault is null then 'the barcode is another writing of the one at line ' || (
        min(import_rows.line) filter (where import_rows.fault is null) over (
          partition by upc_of(import_rows.barcode) order by import_rows.line
          rows between unbounded preceding and 1 preceding
        )
      ) end as other_writing
    from imports
    join import_rows on import_rows.tenant_id = imports.tenant_id and import_rows.import_id = imports.id
    where imports.tenant_id = p_tenant and imports.id = p_import
  ) as rows
  -- By their line, so that they are not looked through for each row.
  cross join lateral (
    select (
      select jsonb_object_agg(told.line, jsonb_build_object('adds', told.adds, 'fault', told.fault)) from others told
    ) -> rows.line::text as said
    offset 0
  ) as others
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
create or replace function take_import(
  p_tenant uuid, p_import uuid, p_user uuid, p_user_name text, p_leave_out boolean
)
returns table (created integer, updated integer, unchanged integer, bad integer)
language plpgsql set enable_seqscan = off as $$
declare
  v_keep constant boolean := (select keep_existing from imports where tenant_id = p_tenant and id = p_import);
  v_leave_out_retired constant boolean := (
    select leave_out_retired from imports where tenant_id = p_tenant and id = p_import
  );
  v_places constant boolean := (
    select exists (select from unnest(fields) as given (field) where given.field ~ '_(bin|minimum)$')
    from imports where tenant_id = p_tenant and id = p_import
  );
  v_costs constant boolean := (
    select 'unit_cost' = any (fields) from imports where tenant_id = p_tenant and id = p_import
  );
  v_others constant boolean := (
    select 'other_barcodes' = any (fields) from imports where tenant_id = p_tenant and id = p_import
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
  v_lines integer[];
  v_placed jsonb[];
  v_costed numeric[];
begin
  perform pg_advisory_xact_lock_shared(retire_lock(p_tenant));
  -- What the rows would do, judged once. Gone with the transaction.
  create temporary table judged_rows (
    line integer, barcode text, description text, component_id uuid, old_description text, kind text, retired boolean,
    primary_quantity integer, secondary_quantity integer, fulfillment_quantity integer, distribution_quantity integer,
    quarantine_quantity integer
  ) on commit drop;
  insert into judged_rows
  select judged.line, judged.barcode, judged.description, judged.component_id, judged.old_description, judged.kind,
    judged.retired,
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

  if v_places or v_costs then
    v_ids := array(select judged.component_id from judged_rows judged where judged.kind = 'changed');
    -- Who places the same components, or sets what they cost, waits, so that what an undo puts back is what there was.
    perform 1 from components where tenant_id = p_tenant and id = any (v_ids) order by id for no key update;
  end if;

  if v_places then
    insert into import_placements (
      tenant_id, import_id, component_id, location, old_bin, new_bin, old_minimum, new_minimum
    )
    select p_tenant, p_import, own.id, given.location, coalesce(present.bin, ''), coalesce(given.bin, present.bin, ''),
      present.minimum, coalesce(given.minimum, present.minimum)
    from judged_rows judged
    cross join lateral (
      select import_rows.placements from import_rows
      where import_rows.tenant_id = p_tenant and import_rows.import_id = p_import and import_rows.line = judged.line
      offset 0
    ) as rows
    cross join lateral (
      select components.id from components
      where components.tenant_id = p_tenant and components.barcode = judged.barcode
      offset 0
    ) as own
    cross join lateral jsonb_to_recordset(rows.placements) as given (location text, bin text, minimum integer)
    left join lateral (
      select placements.bin, placements.minimum from placements
      where placements.tenant_id = p_tenant and placements.component_id = own.id and placements.location = given.location
      offset 0
    ) as present on true
    where judged.kind in ('new', 'changed')
      and (given.bin <> coalesce(present.bin, '') or given.minimum <> coalesce(present.minimum, -1))
    on conflict do nothing;
    insert into placements (tenant_id, component_id, location, bin, minimum)
    select p_tenant, made.component_id, made.location, made.new_bin, made.new_minimum
    from import_placements made
    where made.tenant_id = p_tenant and made.import_id = p_import
    order by made.component_id, made.location
    on conflict (tenant_id, component_id, location) do update set bin = excluded.bin, minimum = excluded.minimum;
  end if;

  if v_costs then
    insert into import_costs (tenant_id, import_id, component_id, old_cost, new_cost, since)
    select p_tenant, p_import, own.id, present.unit_cost, rows.unit_cost,
      -- After what was said last also where the clock was put back since.
      greatest(statement_timestamp(), present.since + interval '1 microsecond')
    from judged_rows judged
    cross join lateral (
      select import_rows.unit_cost from import_rows
      where import_rows.tenant_id = p_tenant and import_rows.import_id = p_import and import_rows.line = judged.line
      offset 0
    ) as rows
    cross join lateral (
      select components.id from components
      where components.tenant_id = p_tenant and components.barcode = judged.barcode
      offset 0
    ) as own
    left join lateral (
      select costs.unit_cost, costs.since from component_costs costs
      where costs.tenant_id = p_tenant and costs.component_id = own.id
      order by costs.since desc
      limit 1
    ) as present on true
    where judged.kind in ('new', 'changed') and rows.unit_cost is not null
      and rows.unit_cost is distinct from present.unit_cost
    on conflict do nothing;
    insert into component_costs (tenant_id, component_id, since, unit_cost)
    select p_tenant, made.component_id, made.since, made.new_cost
    from import_costs made
    where made.tenant_id = p_tenant and made.import_id = p_import
    on conflict do nothing;
  end if;

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
      and not exists (
        select from import_changes made
        where made.tenant_id = p_tenant and made.import_id = p_import and made.created
          and made.component_id = components.id
      )
      and (not v_keep or components.id in (select unnest(v_back)));
    perform set_stock(
      p_tenant, v_components, v_locations, v_quantities, 'import', p_user, p_user_name, p_import
    );
  end if;

  update companies set component_count = component_count + v_created
  where tenant_id = p_tenant and v_created > 0;
  update imports set reinstated = cardinality(v_back)
  where tenant_id = p_tenant and id = p_import and cardinality(v_back) > 0;

  if v_others then
    -- As whoever gives barcodes (lockAliases in stock/alias-queries.ts), and as late as can be: they wait from here on.
    perform pg_advisory_xact_lock(hashtextextended('other barcodes ' || p_tenant::text, 0));
    insert into import_aliases (tenant_id, import_id, component_id, barcode, pieces, added)
    select p_tenant, p_import, own.id, coalesce(known.barcode, given.barcode), coalesce(known.pieces, given.pieces, 1),
      known.barcode is null
    from judged_rows judged
    cross join lateral (
      select import_rows.others from import_rows
      where import_rows.tenant_id = p_tenant and import_rows.import_id = p_import and import_rows.line = judged.line
      offset 0
    ) as rows
    cross join lateral (
      select components.id from components
      where components.tenant_id = p_tenant and components.barcode = judged.barcode
      offset 0
    ) as own
    cross join lateral jsonb_to_recordset(rows.others) as given (barcode text, pieces integer)
    left join lateral (
      select alias_barcodes.barcode, alias_barcodes.pieces from alias_barcodes
      where alias_barcodes.tenant_id = p_tenant and alias_barcodes.barcode = any (upc_writings(given.barcode))
        and alias_barcodes.component_id = own.id
      order by alias_barcodes.barcode = given.barcode desc
      limit 1
    ) as known on true
    where not (judged.retired and v_leave_out_retired)
    on conflict do nothing;
    insert into alias_barcodes (tenant_id, barcode, component_id, pieces, user_name)
    select p_tenant, made.barcode, made.component_id, made.pieces, p_user_name
    from import_aliases made
    where made.tenant_id = p_tenant and made.import_id = p_import and made.added
    order by made.barcode
    on conflict do nothing;
  end if;

  if v_created < v_good then
    select count(distinct changed.component_id) - v_created into v_updated
    from (
      select import_changes.component_id from import_changes
      where import_changes.tenant_id = p_tenant and import_changes.import_id = p_import
      union all
      select movements.component_id from movements
      where movements.tenant_id = p_tenant and movements.reference = p_import
      union all
      select import_placements.component_id from import_placements
      where import_placements.tenant_id = p_tenant and import_placements.import_id = p_import
      union all
      select import_costs.component_id from import_costs
      where v_costs and import_costs.tenant_id = p_tenant and import_costs.import_id = p_import
      union all
      select import_aliases.component_id from import_aliases
      where v_others and import_aliases.tenant_id = p_tenant and import_aliases.import_id = p_import and import_aliases.added
    ) as changed;
  end if;

  -- Read apart, because a cluster cannot plan them beside the rows that were judged.
  select array_agg(import_rows.line), array_agg(import_rows.placements), array_agg(import_rows.unit_cost)
  into v_lines, v_placed, v_costed
  from import_rows
  where import_rows.tenant_id = p_tenant and import_rows.import_id = p_import
    and (import_rows.placements is not null or import_rows.unit_cost is not null);
  insert into import_confirmed (tenant_id, import_id, part, components, fields)
  select p_tenant, p_import, row_number() over (), array_agg(named.component_id), named.fields
  from (
    select judged.component_id, said.fields, row_number() over (partition by said.fields) as place
    from judged_rows judged
    left join unnest(v_lines, v_placed, v_costed) as rows (line, placements, unit_cost) on rows.line = judged.line
    cross join lateral (
      select case when judged.retired and v_leave_out_retired then '{}' else array_remove(
        array[
          case when judged.description <> '' then 'description' end,
          case when judged.primary_quantity is not null then 'primary_quantity' end,
          case when judged.secondary_quantity is not null then 'secondary_quantity' end,
          case when judged.fulfillment_quantity is not null then 'fulfillment_quantity' end,
          case when judged.distribution_quantity is not null then 'distribution_quantity' end,
          case when judged.quarantine_quantity is not null then 'quarantine_quantity' end,
          case when rows.unit_cost is not null then 'unit_cost' end
        ] || array(
          select lower(placed.location) || part.field
          from jsonb_to_recordset(rows.placements) as placed (location text, bin text, minimum integer)
          cross join lateral (
            values (case when placed.bin is not null then '_bin' end),
              (case when placed.minimum is not null then '_minimum' end)
          ) as part (field)
        ),
        null
      ) end as fields
    ) as said
    where judged.component_id is not null
  ) as named
  group by named.fields, named.place / 1000
  on conflict do nothing;
  delete from import_rows where tenant_id = p_tenant and import_id = p_import;
  return query select v_created, v_updated, v_good - v_created - v_updated, v_bad;
end
$$
-- ;;
create or replace function undo_import(p_tenant uuid, p_import uuid, p_user uuid, p_user_name text)
returns table (obstacle text, reason text)
language plpgsql set enable_seqscan = off as $$
declare
  v_finished constant timestamptz := (select finished_at from imports where tenant_id = p_tenant and id = p_import);
  v_costs constant boolean := (
    select 'unit_cost' = any (fields) from imports where tenant_id = p_tenant and id = p_import
  );
  -- What this file may say but for stock, which goes back by the ledger.
  v_own constant text[] := array(
    select given.field from imports cross join unnest(imports.fields) as given (field)
    where imports.tenant_id = p_tenant and imports.id = p_import and given.field <> 'barcode'
      and given.field !~ '_quantity$'
  );
  v_others constant boolean := (
    select 'other_barcodes' = any (fields) from imports where tenant_id = p_tenant and id = p_import
  );
  v_said uuid[];
  v_fields text[];
  v_by uuid[];
  v_brought uuid[];
  v_components uuid[];
  v_locations text[];
  v_bins text[];
  v_minimums integer[];
  v_sinces timestamptz[];
  v_codes text[];
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
        and lower(posted.location) || '_quantity' = any (coalesce(confirmed.fields, newer.fields))
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
  -- Noted before, because a cluster calls no function that writes from a statement that reads.
  select coalesce(array_agg(component_id), '{}'), coalesce(array_agg(location), '{}')
  into v_components, v_locations
  from movements
  where tenant_id = p_tenant and reference = p_import and cause = 'import_undone' and delta > 0;
  perform keep_with_stock(p_tenant, v_components, v_locations);

  -- Who describes or places the same components, or sets what they cost, waits; by id, as all do who lock several.
  perform 1
  from components
  where tenant_id = p_tenant and id in (
    select component_id from import_changes where tenant_id = p_tenant and import_id = p_import and not created
    union all
    select component_id from import_costs where tenant_id = p_tenant and import_id = p_import
    union all
    select component_id from import_placements where tenant_id = p_tenant and import_id = p_import
  )
  order by id
  for no key update;

  -- By component and field of this file, which newer one that stands says it next: the value is that one's by now.
  select coalesce(array_agg(next.component_id), '{}'), coalesce(array_agg(next.field), '{}'),
    coalesce(array_agg(next.import_id), '{}')
  into v_said, v_fields, v_by
  from (
    select distinct on (named.component_id, given.field) named.component_id, given.field, newer.id as import_id
    from imports newer
    join import_confirmed confirmed on confirmed.tenant_id = p_tenant and confirmed.import_id = newer.id
    cross join unnest(coalesce(confirmed.fields, newer.fields)) as given (field)
    cross join unnest(confirmed.components) as named (component_id)
    where newer.tenant_id = p_tenant and newer.status = 'done' and newer.finished_at > v_finished
      and given.field = any (v_own)
    order by named.component_id, given.field, newer.finished_at
  ) as next;

  -- Its undo gives back what there was before this one, unless somebody has said it between.
  insert into import_changes as theirs (
    tenant_id, import_id, component_id, barcode, created, old_description, new_description
  )
  select p_tenant, next.import_id, changed.component_id, changed.barcode, false, changed.old_description,
    changed.new_description
  from unnest(v_said, v_fields, v_by) as next (component_id, field, import_id)
  cross join lateral (
    select mine.* from import_changes mine
    where mine.tenant_id = p_tenant and mine.import_id = p_import and mine.component_id = next.component_id
    offset 0
  ) as changed
  cross join lateral (
    select components.described_at from components
    where components.tenant_id = p_tenant and components.id = changed.component_id
    offset 0
  ) as now
  where next.field = 'description' and not changed.created and changed.new_description <> changed.old_description
    and (now.described_at > v_finished) is not true
  on conflict (tenant_id, import_id, component_id) do update set old_description = excluded.old_description
  where theirs.old_description = excluded.new_description;
  v_components := array(
    select changed.component_id
    from import_changes changed
    cross join lateral (
      select components.description, components.described_at from components
      where components.tenant_id = p_tenant and components.id = changed.component_id
      offset 0
    ) as now
    where changed.tenant_id = p_tenant and changed.import_id = p_import and not changed.created
      and now.description = changed.new_description and (now.described_at > v_finished) is not true
    except
    select next.component_id from unnest(v_said, v_fields) as next (component_id, field)
    where next.field = 'description'
  );
  insert into components as present (tenant_id, barcode, description)
  select p_tenant, changed.barcode, changed.old_description
  from unnest(v_components) as back (component_id)
  cross join lateral (
    select mine.barcode, mine.old_description from import_changes mine
    where mine.tenant_id = p_tenant and mine.import_id = p_import and mine.component_id = back.component_id
    offset 0
  ) as changed
  order by changed.barcode
  on conflict (tenant_id, barcode) do update set description = excluded.description, updated_at = now();

  if v_costs then
    insert into import_costs as theirs (tenant_id, import_id, component_id, old_cost, new_cost, since)
    select p_tenant, next.import_id, made.component_id, made.old_cost, made.new_cost, made.since
    from unnest(v_said, v_fields, v_by) as next (component_id, field, import_id)
    cross join lateral (
      select mine.* from import_costs mine
      where mine.tenant_id = p_tenant and mine.import_id = p_import and mine.component_id = next.component_id
      offset 0
    ) as made
    where next.field = 'unit_cost' and not exists (
      -- What is of no file, and no undo has put back, somebody has said.
      select from component_costs costs
      where costs.tenant_id = p_tenant and costs.component_id = made.component_id and costs.since > made.since
        and not exists (
          select from import_costs other
          where other.tenant_id = p_tenant and other.component_id = made.component_id
            and costs.since in (other.since, other.put_back)
          offset 0
        )
      offset 0
    )
    on conflict (tenant_id, import_id, component_id) do update set old_cost = excluded.old_cost
    where theirs.old_cost = excluded.new_cost;
    v_components := array(
      select made.component_id
      from import_costs made
      where made.tenant_id = p_tenant and made.import_id = p_import and not exists (
        select from component_costs costs
        where costs.tenant_id = p_tenant and costs.component_id = made.component_id and costs.since > made.since
          and not exists (
            select from import_costs other
            where other.tenant_id = p_tenant and other.component_id = made.component_id
              and costs.since in (other.since, other.put_back)
            offset 0
          )
        offset 0
      )
      except
      select next.component_id from unnest(v_said, v_fields) as next (component_id, field)
      where next.field = 'unit_cost'
    );
    select coalesce(array_agg(made.component_id), '{}'),
      coalesce(array_agg(greatest(statement_timestamp(), last.since + interval '1 microsecond')), '{}')
    into v_components, v_sinces
    from unnest(v_components) as back (component_id)
    cross join lateral (
      select mine.component_id, mine.new_cost from import_costs mine
      where mine.tenant_id = p_tenant and mine.import_id = p_import and mine.component_id = back.component_id
      offset 0
    ) as made
    cross join lateral (
      select costs.since, costs.unit_cost from component_costs costs
      where costs.tenant_id = p_tenant and costs.component_id = made.component_id
      order by costs.since desc
      limit 1
    ) as last
    where made.new_cost = last.unit_cost;
    update import_costs
    set put_back = given.since
    from unnest(v_components, v_sinces) as given (component_id, since)
    where import_costs.tenant_id = p_tenant and import_costs.import_id = p_import
      and import_costs.component_id = given.component_id;
    insert into component_costs (tenant_id, component_id, since, unit_cost)
    select p_tenant, made.component_id, made.put_back, made.old_cost
    from import_costs made
    where made.tenant_id = p_tenant and made.import_id = p_import and made.put_back is not null
    on conflict do nothing;
  end if;

  if exists (select from import_placements where tenant_id = p_tenant and import_id = p_import) then
    insert into import_placements as theirs (
      tenant_id, import_id, component_id, location, old_bin, new_bin, old_minimum, new_minimum
    )
    select p_tenant, next.import_id, made.component_id, made.location, made.old_bin, made.new_bin, made.new_minimum,
      made.new_minimum
    from unnest(v_said, v_fields, v_by) as next (component_id, field, import_id)
    cross join lateral (
      select mine.* from import_placements mine
      where mine.tenant_id = p_tenant and mine.import_id = p_import and mine.component_id = next.component_id
        and lower(mine.location) || '_bin' = next.field
      offset 0
    ) as made
    cross join lateral (
      select placements.bin_at from placements
      where placements.tenant_id = p_tenant and placements.component_id = made.component_id
        and placements.location = made.location
      offset 0
    ) as present
    where made.new_bin <> made.old_bin and (present.bin_at > v_finished) is not true
    on conflict (tenant_id, import_id, component_id, location) do update set old_bin = excluded.old_bin
    where theirs.old_bin = excluded.new_bin;
    insert into import_placements as theirs (
      tenant_id, import_id, component_id, location, old_bin, new_bin, old_minimum, new_minimum
    )
    select p_tenant, next.import_id, made.component_id, made.location, made.new_bin, made.new_bin, made.old_minimum,
      made.new_minimum
    from unnest(v_said, v_fields, v_by) as next (component_id, field, import_id)
    cross join lateral (
      select mine.* from import_placements mine
      where mine.tenant_id = p_tenant and mine.import_id = p_import and mine.component_id = next.component_id
        and lower(mine.location) || '_minimum' = next.field
      offset 0
    ) as made
    cross join lateral (
      select placements.minimum_at from placements
      where placements.tenant_id = p_tenant and placements.component_id = made.component_id
        and placements.location = made.location
      offset 0
    ) as present
    where made.new_minimum is distinct from made.old_minimum and (present.minimum_at > v_finished) is not true
    on conflict (tenant_id, import_id, component_id, location) do update set old_minimum = excluded.old_minimum
    where theirs.old_minimum = excluded.new_minimum;
    select coalesce(array_agg(made.component_id), '{}'), coalesce(array_agg(made.location), '{}'),
      coalesce(array_agg(case when back.has_bin then made.old_bin else present.bin end), '{}'),
      coalesce(array_agg(case when back.has_minimum then made.old_minimum else present.minimum end), '{}')
    into v_components, v_locations, v_bins, v_minimums
    from (
      select given.component_id, upper(split_part(given.field, '_', 1)) as location,
        bool_or(given.field like '%bin') as has_bin, bool_or(given.field like '%minimum') as has_minimum
      from (
        select made.component_id, lower(made.location) || part.field as field
        from import_placements made
        cross join lateral (
          select placements.bin, placements.minimum, placements.bin_at, placements.minimum_at from placements
          where placements.tenant_id = p_tenant and placements.component_id = made.component_id
            and placements.location = made.location
          offset 0
        ) as present
        cross join lateral (
          values ('_bin', present.bin = made.new_bin and (present.bin_at > v_finished) is not true),
            ('_minimum', present.minimum = made.new_minimum and (present.minimum_at > v_finished) is not true)
        ) as part (field, is_still)
        where made.tenant_id = p_tenant and made.import_id = p_import and part.is_still
        except
        select next.component_id, next.field from unnest(v_said, v_fields) as next (component_id, field)
      ) as given (component_id, field)
      group by 1, 2
    ) as back
    cross join lateral (
      select mine.* from import_placements mine
      where mine.tenant_id = p_tenant and mine.import_id = p_import and mine.component_id = back.component_id
        and mine.location = back.location
      offset 0
    ) as made
    cross join lateral (
      select placements.bin, placements.minimum from placements
      where placements.tenant_id = p_tenant and placements.component_id = made.component_id
        and placements.location = made.location
      offset 0
    ) as present;
    delete from placements
    where tenant_id = p_tenant and (component_id, location) in (
      select given.component_id, given.location
      from unnest(v_components, v_locations, v_bins, v_minimums) as given (component_id, location, bin, minimum)
      where given.bin = '' and given.minimum is null
    );
    insert into placements (tenant_id, component_id, location, bin, minimum)
    select p_tenant, given.component_id, given.location, given.bin, given.minimum
    from unnest(v_components, v_locations, v_bins, v_minimums) as given (component_id, location, bin, minimum)
    where given.bin <> '' or given.minimum is not null
    order by given.component_id, given.location
    on conflict (tenant_id, component_id, location) do update set bin = excluded.bin, minimum = excluded.minimum;
  end if;

  if v_others then
    -- Still as this file gave them; where a newer one that stands names them as well, its undo takes them away.
    select coalesce(array_agg(still.barcode), '{}'), coalesce(array_agg(still.next), '{}')
    into v_codes, v_by
    from (
      select mine.barcode, later.import_id as next
      from import_aliases mine
      cross join lateral (
        select alias_barcodes.component_id, alias_barcodes.created_at from alias_barcodes
        where alias_barcodes.tenant_id = p_tenant and alias_barcodes.barcode = mine.barcode
        offset 0
      ) as present
      left join lateral (
        select named.import_id
        from import_aliases named
        join imports newer on newer.tenant_id = p_tenant and newer.id = named.import_id
        where named.tenant_id = p_tenant and named.barcode = mine.barcode and named.component_id = mine.component_id
          and newer.status = 'done' and newer.finished_at > v_finished
        order by newer.finished_at
        limit 1
      ) as later on true
      where mine.tenant_id = p_tenant and mine.import_id = p_import and mine.added
        and present.component_id = mine.component_id and present.created_at <= v_finished
    ) as still;
    update import_aliases
    set added = true
    from unnest(v_codes, v_by) as given (barcode, import_id)
    where import_aliases.tenant_id = p_tenant and import_aliases.import_id = given.import_id
      and import_aliases.barcode = given.barcode;
    delete from alias_barcodes
    where tenant_id = p_tenant and barcode in (
      select given.barcode from unnest(v_codes, v_by) as given (barcode, import_id) where given.import_id is null
    );
  end if;

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
