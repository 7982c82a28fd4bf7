-- A count as a function of the references' tables, which PostGraphile offers as a mutation: the bare route's statement.
create function bench.count_component(tenant integer, code text, quantity integer, place text, session text)
returns bench.component language sql volatile as $$
  with c as (
    select id, primary_quantity from bench.component where tenant_id = tenant and barcode = code for update
  ), u as (
    update bench.component k
    set primary_quantity = quantity, last_counted_date = now(), last_counted_location = place,
      last_counted_source = 'monthly'
    from c where k.id = c.id
    returning k.*
  ), h as (
    insert into bench.count_history (
      tenant_id, component_id, sku, quantity, expected, location, count_type, source, user_id, count_session
    )
    select tenant, id, code, quantity, primary_quantity, place, 'monthly', 'monthly', 1, session from c
  ), a as (
    insert into bench.audit_log (tenant_id, action, sku, quantity, location, source, user_type, user_name, metadata)
    select tenant, 'inventory_scan', code, quantity, place, 'monthly', 'user', 'Sam Staff',
      '{"type": "inventory_scan"}'::jsonb
    from c
  )
  select * from u
$$;
