-- Pages of a staged import are judged by themselves, row by row in their order until there are enough, not all of the file for each.
create function judge_rows(p_tenant uuid, p_import uuid, p_kind text, p_after integer, p_limit integer)
returns table (
  line integer, barcode text, description text, component_id uuid, old_description text, kind text, fault text,
  retired boolean, primary_quantity integer, secondary_quantity integer, fulfillment_quantity integer,
  distribution_quantity integer, quarantine_quantity integer
)
language sql stable set enable_seqscan = off as $$
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
  ),
  -- Barcodes that stand in several rows, each with the first line that can be taken, looked up like others below.
  first_lines as materialized (
    select jsonb_object_agg(same.barcode, same.line) as lines
    from (
      select import_rows.barcode, min(import_rows.line) filter (where import_rows.fault is null) as line
      from import_rows
      where import_rows.tenant_id = p_tenant and import_rows.import_id = p_import
      group by import_rows.barcode
      having count(*) > 1
    ) as same
  ),
  -- The same of UPCs that stand in both of their writings.
  first_writings as materialized (
    select jsonb_object_agg(same.upc, same.line) as lines
    from (
      select upc_of(import_rows.barcode) as upc, min(import_rows.line) filter (where import_rows.fault is null) as line
      from import_rows
      where import_rows.tenant_id = p_tenant and import_rows.import_id = p_import and length(import_rows.barcode) in (12, 13)
      group by 1
      having count(*) > 1
    ) as same
  )
  select * from (
    select rows.line, rows.barcode, rows.description, present.id as component_id, present.description as old_description,
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
      end as kind,
      coalesce(
        rows.fault, rows.twice, aliased.fault, twin.fault, case when present.id is null then rows.other_writing end,
        others.said ->> 'fault'
      ) as fault,
      present.retired_at is not null as retired,
      rows.primary_quantity, rows.secondary_quantity, rows.fulfillment_quantity, rows.distribution_quantity,
      rows.quarantine_quantity
    from (
      select import_rows.*, imports.keep_existing, imports.leave_out_retired,
        case when import_rows.fault is null and told.first_line < import_rows.line
          then 'the barcode stands already at line ' || told.first_line
        end as twice,
        case when import_rows.fault is null and told.first_writing < import_rows.line
          then 'the barcode is another writing of the one at line ' || told.first_writing
        end as other_writing
      from imports
      join import_rows on import_rows.tenant_id = imports.tenant_id and import_rows.import_id = imports.id
      cross join lateral (
        select ((select known.lines from first_lines known) ->> import_rows.barcode)::integer as first_line,
          ((select known.lines from first_writings known) ->> upc_of(import_rows.barcode))::integer as first_writing
        offset 0
      ) as told
      where imports.tenant_id = p_tenant and imports.id = p_import and import_rows.line > p_after
      order by import_rows.line
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
  ) as judged
  where p_kind is null or judged.kind = p_kind
  order by judged.line
  limit p_limit
$$
-- ;;
create or replace function judge_import(p_tenant uuid, p_import uuid)
returns table (
  line integer, barcode text, description text, component_id uuid, old_description text, kind text, fault text,
  retired boolean, primary_quantity integer, secondary_quantity integer, fulfillment_quantity integer,
  distribution_quantity integer, quarantine_quantity integer
)
language sql stable set enable_seqscan = off as $$
  select * from judge_rows(p_tenant, p_import, null, 0, null)
$$
