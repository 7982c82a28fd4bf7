-- Components (what they are), their stock per location, and the ledger of every change of it.
create table components (
  tenant_id uuid not null references companies,
  id uuid not null default new_id(),
  barcode text not null check (char_length(barcode) between 1 and 48),
  description text not null default '',
  -- A high-volume configuration in an older form, until migrate-high-volume has read it.
  older_high_volume jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, barcode)
)
-- ;;
-- A missing row is a stock of 0 never counted. The marks say when the location was last counted;
-- a reset clears them, the history keeps every count.
create table stock (
  tenant_id uuid not null,
  component_id uuid not null,
  location text not null check (location in ('PRIMARY', 'SECONDARY', 'FULFILLMENT', 'DISTRIBUTION', 'QUARANTINE')),
  quantity integer not null default 0 check (quantity >= 0),
  counted_at timestamptz,
  counted_source text check (counted_source in ('monthly', 'weekly', 'admin')),
  weekly_counted_at timestamptz,
  -- Counts recorded here, ever: what the charts of SKUs add up.
  scans integer not null default 0,
  primary key (tenant_id, component_id, location),
  foreign key (tenant_id, component_id) references components
)
-- ;;
-- The ledger: a stock row's quantity is the sum of its movements, always.
create table movements (
  tenant_id uuid not null,
  id uuid not null default new_id(),
  component_id uuid not null,
  location text not null,
  delta integer not null check (delta <> 0),
  quantity_after integer not null check (quantity_after >= 0),
  cause text not null check (cause in ('import', 'correction', 'discrepancy')),
  note text not null default '',
  user_id uuid not null,
  user_name text not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, id),
  foreign key (tenant_id, component_id) references components
)
-- ;;
create index movements_of_component on movements (tenant_id, component_id, id)
-- ;;
create table high_volume_assignments (
  tenant_id uuid not null,
  component_id uuid not null,
  day text not null check (day in ('Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday')),
  location text not null check (location in ('PRIMARY', 'SECONDARY', 'FULFILLMENT', 'DISTRIBUTION')),
  primary key (tenant_id, component_id, day, location),
  foreign key (tenant_id, component_id) references components
)
-- ;;
create index high_volume_of_day on high_volume_assignments (tenant_id, location, day)
-- ;;
-- Sets stock rows to given quantities and posts the differences. Rows are locked in key order, so that two calls
-- over the same components wait for each other instead of locking each other out. Returns the components changed.
-- p_rows: [{ component_id, location, quantity }], each pair once.
create function set_stock(p_tenant uuid, p_rows jsonb, p_cause text, p_user uuid, p_user_name text)
returns setof uuid
language plpgsql volatile
as $$
begin
  insert into stock (tenant_id, component_id, location)
  select p_tenant, given.component_id, given.location
  from jsonb_to_recordset(p_rows) as given (component_id uuid, location text, quantity integer)
  where given.quantity > 0
  order by given.component_id, given.location
  on conflict (tenant_id, component_id, location) do nothing;

  perform 1
  from stock
  join jsonb_to_recordset(p_rows) as given (component_id uuid, location text, quantity integer)
    on given.component_id = stock.component_id and given.location = stock.location
  where stock.tenant_id = p_tenant
  order by stock.component_id, stock.location
  for update of stock;

  return query
  with changed as (
    select stock.component_id, stock.location, given.quantity, given.quantity - stock.quantity as delta
    from stock
    join jsonb_to_recordset(p_rows) as given (component_id uuid, location text, quantity integer)
      on given.component_id = stock.component_id and given.location = stock.location
    where stock.tenant_id = p_tenant and stock.quantity <> given.quantity
  ),
  posted as (
    insert into movements (tenant_id, component_id, location, delta, quantity_after, cause, user_id, user_name)
    select p_tenant, changed.component_id, changed.location, changed.delta, changed.quantity, p_cause, p_user, p_user_name
    from changed
  )
  update stock
  set quantity = changed.quantity
  from changed
  where stock.tenant_id = p_tenant
    and stock.component_id = changed.component_id
    and stock.location = changed.location
  returning stock.component_id;
end
$$
-- ;;
-- Adds a difference to a stock row and posts it; false, and nothing done, where that would fall below 0.
create function move_stock(
  p_tenant uuid, p_component uuid, p_location text, p_delta integer, p_cause text, p_note text, p_user uuid,
  p_user_name text
)
returns boolean
language plpgsql volatile
as $$
declare
  v_after integer;
begin
  insert into stock (tenant_id, component_id, location) values (p_tenant, p_component, p_location)
  on conflict (tenant_id, component_id, location) do nothing;
  update stock set quantity = quantity + p_delta
  where tenant_id = p_tenant and component_id = p_component and location = p_location and quantity + p_delta >= 0
  returning quantity into v_after;
  if not found then return false; end if;
  if p_delta <> 0 then
    insert into movements (
      tenant_id, component_id, location, delta, quantity_after, cause, note, user_id, user_name
    )
    values (p_tenant, p_component, p_location, p_delta, v_after, p_cause, p_note, p_user, p_user_name);
  end if;
  return true;
end
$$
-- ;;
-- Creates and updates components: { created, updated, unchanged }. All rows or none.
-- p_rows: [{ barcode, description?, high_volume?, stock: [{ location, quantity }] }], each barcode once.
-- p_keep leaves the stock of components that exist already as it is.
create function import_components(p_tenant uuid, p_rows jsonb, p_keep boolean, p_user uuid, p_user_name text)
returns jsonb
language plpgsql volatile
as $$
declare
  v_created uuid[];
  v_changed uuid[];
  v_stock jsonb;
  v_total integer := jsonb_array_length(p_rows);
begin
  with inserted as (
    insert into components (tenant_id, barcode, description)
    select p_tenant, given.barcode, coalesce(given.description, '')
    from jsonb_to_recordset(p_rows) as given (barcode text, description text)
    order by given.barcode
    on conflict (tenant_id, barcode) do nothing
    returning id
  )
  select coalesce(array_agg(id), '{}') into v_created from inserted;

  with described as (
    update components
    set description = given.description, updated_at = now()
    from jsonb_to_recordset(p_rows) as given (barcode text, description text)
    where components.tenant_id = p_tenant
      and components.barcode = given.barcode
      and given.description <> ''
      and components.description <> given.description
    returning components.id
  )
  select coalesce(array_agg(id), '{}') into v_changed from described;

  update components
  set older_high_volume = given.high_volume
  from jsonb_to_recordset(p_rows) as given (barcode text, high_volume jsonb)
  where components.tenant_id = p_tenant and components.barcode = given.barcode
    and jsonb_typeof(given.high_volume) <> 'null';

  select coalesce(
    jsonb_agg(jsonb_build_object(
      'component_id', components.id, 'location', part.location, 'quantity', part.quantity
    )),
    '[]'
  )
  into v_stock
  from jsonb_to_recordset(p_rows) as given (barcode text, stock jsonb)
  join components on components.tenant_id = p_tenant and components.barcode = given.barcode
  cross join jsonb_to_recordset(given.stock) as part (location text, quantity integer)
  where not p_keep or components.id = any (v_created);

  select v_changed || coalesce(array_agg(moved), '{}')
  into v_changed
  from set_stock(p_tenant, v_stock, 'import', p_user, p_user_name) as moved
  where not moved = any (v_created);

  update companies
  set component_count = component_count + cardinality(v_created)
  where tenant_id = p_tenant and cardinality(v_created) > 0;

  return jsonb_build_object(
    'created', cardinality(v_created),
    'updated', (select count(distinct id) from unnest(v_changed) as id),
    'unchanged', v_total - cardinality(v_created) - (select count(distinct id) from unnest(v_changed) as id)
  );
end
$$
-- ;;
alter table components enable row level security
-- ;;
alter table components force row level security
-- ;;
create policy own_company on components using (tenant_id = current_tenant()) with check (tenant_id = current_tenant())
-- ;;
alter table stock enable row level security
-- ;;
alter table stock force row level security
-- ;;
create policy own_company on stock using (tenant_id = current_tenant()) with check (tenant_id = current_tenant())
-- ;;
alter table movements enable row level security
-- ;;
alter table movements force row level security
-- ;;
create policy own_company on movements using (tenant_id = current_tenant()) with check (tenant_id = current_tenant())
-- ;;
alter table high_volume_assignments enable row level security
-- ;;
alter table high_volume_assignments force row level security
-- ;;
create policy own_company on high_volume_assignments
  using (tenant_id = current_tenant()) with check (tenant_id = current_tenant())
-- ;;
grant select, insert, update on components, stock to inventory_manager_app
-- ;;
grant select, insert on movements to inventory_manager_app
-- ;;
grant select, insert, delete on high_volume_assignments to inventory_manager_app
