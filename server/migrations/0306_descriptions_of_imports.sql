-- What an import over the interface makes of descriptions is told component by component: it says of each what it was.

create or replace function import_components(
  p_tenant uuid, p_barcodes text[], p_descriptions text[], p_primary integer[], p_secondary integer[],
  p_fulfillment integer[], p_distribution integer[], p_quarantine integer[], p_high_volume jsonb[], p_keep boolean,
  p_user uuid, p_user_name text
)
returns jsonb
language plpgsql
set enable_seqscan = off
set enable_nestloop = off
as $$
declare
  v_total constant integer := cardinality(p_barcodes);
  v_ids constant uuid[] := new_ids(v_total);
  v_given record;
  v_created uuid[];
  v_back uuid[] := '{}';
  v_changed uuid[];
  v_changes integer;
  v_components uuid[];
  v_locations text[];
  v_quantities integer[];
  v_known text[];
  v_before text[];
  v_described integer;
  v_descriptions jsonb := '[]';
begin
  perform pg_advisory_xact_lock_shared(retire_lock(p_tenant));
  -- As they are written below, so that what they said before is what the trail tells.
  perform 1 from components
  where tenant_id = p_tenant and barcode = any (p_barcodes)
  order by barcode
  for no key update;
  select array_agg(barcode), array_agg(description) into v_known, v_before
  from components
  where tenant_id = p_tenant and barcode = any (p_barcodes);
  select count(*) into v_described
  from unnest(p_barcodes, p_descriptions) as given (barcode, description)
  join unnest(v_known, v_before) as known (barcode, description) on known.barcode = given.barcode
  where given.description <> '' and given.description <> known.description;
  -- Of more than the trail names (audit/configuration.ts) only their number is told.
  if v_described between 1 and 500 then
    select jsonb_agg(
      jsonb_build_object('sku', given.barcode, 'before', known.description, 'after', given.description)
      order by given.barcode
    )
    into v_descriptions
    from unnest(p_barcodes, p_descriptions) as given (barcode, description)
    join unnest(v_known, v_before) as known (barcode, description) on known.barcode = given.barcode
    where given.description <> '' and given.description <> known.description;
  end if;
  -- What is new has no stock: only what there is of it is set.
  with given as materialized (
    select * from unnest(
      p_barcodes, p_descriptions, p_primary, p_secondary, p_fulfillment, p_distribution, p_quarantine
    ) as rows (barcode, description, in_primary, in_secondary, in_fulfillment, in_distribution, in_quarantine)
  ),
  written as (
    insert into components as present (tenant_id, id, barcode, description)
    select p_tenant, v_ids[row_number() over (order by given.barcode)], given.barcode, given.description
    from given
    order by given.barcode
    on conflict (tenant_id, barcode) do update
    set description = excluded.description, updated_at = now(), described_at = excluded.updated_at
    where excluded.description <> '' and present.description <> excluded.description
    -- A row that this statement inserted was changed by nobody.
    returning present.id, present.barcode, present.xmax = 0 as is_new
  ),
  first_stock as (
    select written.id, part.location, part.quantity
    from written
    join given on given.barcode = written.barcode
    cross join lateral (values
      ('PRIMARY', given.in_primary), ('SECONDARY', given.in_secondary), ('FULFILLMENT', given.in_fulfillment),
      ('DISTRIBUTION', given.in_distribution), ('QUARANTINE', given.in_quarantine)
    ) as part (location, quantity)
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
  perform set_first_stock(
    p_tenant, v_components, v_locations, v_quantities, 'import', p_user, p_user_name, null
  );

  for v_given in
    select given.barcode, given.high_volume
    from unnest(p_barcodes, p_high_volume) as given (barcode, high_volume)
    where given.high_volume is not null
    order by given.barcode
  loop
    update components set older_high_volume = v_given.high_volume
    where tenant_id = p_tenant and barcode = v_given.barcode;
  end loop;

  if cardinality(v_created) < v_total then
    v_back := reinstate_components(p_tenant, array(
      select components.id
      from components
      join unnest(p_barcodes) as given (barcode) on given.barcode = components.barcode
      where components.tenant_id = p_tenant and components.retired_at is not null
    ));

    select coalesce(array_agg(found.id), '{}'), coalesce(array_agg(part.location), '{}'),
      coalesce(array_agg(part.quantity), '{}')
    into v_components, v_locations, v_quantities
    from unnest(
      p_barcodes, p_primary, p_secondary, p_fulfillment, p_distribution, p_quarantine
    ) as given (barcode, in_primary, in_secondary, in_fulfillment, in_distribution, in_quarantine)
    cross join lateral (
      select components.id from components
      where components.tenant_id = p_tenant and components.barcode = given.barcode
      offset 0
    ) as found
    cross join lateral (values
      ('PRIMARY', given.in_primary), ('SECONDARY', given.in_secondary), ('FULFILLMENT', given.in_fulfillment),
      ('DISTRIBUTION', given.in_distribution), ('QUARANTINE', given.in_quarantine)
    ) as part (location, quantity)
    where part.quantity is not null and found.id not in (select unnest(v_created))
      and (not p_keep or found.id in (select unnest(v_back)));
    v_changed := v_changed || v_back || array(
      select set_stock(p_tenant, v_components, v_locations, v_quantities, 'import', p_user, p_user_name, null)
    );
  end if;

  select count(*) into v_changes
  from (select unnest(v_changed) except select unnest(v_created)) as changed;

  update companies
  set component_count = component_count + cardinality(v_created)
  where tenant_id = p_tenant and cardinality(v_created) > 0;

  return jsonb_build_object(
    'created', cardinality(v_created), 'updated', v_changes, 'unchanged', v_total - cardinality(v_created) - v_changes,
    'described', v_described, 'descriptions', v_descriptions,
    'reinstated', array(select barcode from components where tenant_id = p_tenant and id = any (v_back) order by barcode)
  );
end
$$
