-- Imports and what is retired: what they bring back and what their undo retires is known, and nothing of it is lost.

-- As before; each row's barcode is looked up among the other barcodes by its key.
create or replace function judge_import(p_tenant uuid, p_import uuid)
returns table (
  line integer, barcode text, description text, component_id uuid, old_description text, kind text, fault text
)
language sql stable
set enable_seqscan = off
as $$
  select rows.line, rows.barcode, rows.description, present.id, present.description,
    case
      when coalesce(rows.fault, rows.twice, aliased.fault) is not null then 'bad'
      when present.id is null then 'new'
      when present.retired_at is not null then 'changed'
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
    coalesce(rows.fault, rows.twice, aliased.fault)
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
