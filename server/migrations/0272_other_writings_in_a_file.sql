-- A file in which a UPC stood in both its writings made two components of it.

-- What both writings of a UPC are known by; a code that is none is that itself.
create function upc_of(p_code text) returns text
language sql immutable parallel safe
return case when p_code ~ '^0[0-9]{12}$' then substr(p_code, 2) else p_code end
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
  select rows.line, rows.barcode, rows.description, present.id, present.description,
    case
      when coalesce(rows.fault, rows.twice, aliased.fault, twin.fault) is not null then 'bad'
      when present.id is null and rows.other_writing is not null then 'bad'
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
    coalesce(
      rows.fault, rows.twice, aliased.fault, twin.fault, case when present.id is null then rows.other_writing end
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
