-- Imports of components in three steps: rows are staged, looked at, then taken in one transaction or dropped.
create table imports (
  tenant_id uuid not null references companies,
  id uuid not null default new_id(),
  name text not null,
  -- What the cells of a row mean, in their order.
  fields text[] not null,
  -- Leaves the stock of components that exist already as it is.
  keep_existing boolean not null,
  status text not null check (status in ('staged', 'done', 'undone', 'cancelled', 'expired')),
  staged_rows integer not null default 0,
  created integer not null default 0,
  updated integer not null default 0,
  unchanged integer not null default 0,
  left_out integer not null default 0,
  user_id uuid not null,
  user_name text not null,
  created_at timestamptz not null default clock_timestamp(),
  finished_at timestamptz,
  undone_by text,
  undone_at timestamptz,
  primary key (tenant_id, id)
)
-- ;;
-- Rows of imports that are not decided yet, by their line in the file. `fault` says why a row cannot be taken.
create table import_rows (
  tenant_id uuid not null,
  import_id uuid not null,
  line integer not null,
  barcode text not null,
  description text not null,
  primary_quantity integer,
  secondary_quantity integer,
  fulfillment_quantity integer,
  distribution_quantity integer,
  quarantine_quantity integer,
  fault text,
  primary key (tenant_id, import_id, line),
  foreign key (tenant_id, import_id) references imports
)
-- ;;
create index import_rows_of_barcode on import_rows (tenant_id, import_id, barcode, line)
-- ;;
-- What an import did besides moving stock, so that it can be taken back as a whole.
create table import_changes (
  tenant_id uuid not null,
  import_id uuid not null,
  component_id uuid not null,
  barcode text not null,
  created boolean not null,
  old_description text not null,
  new_description text not null,
  primary key (tenant_id, import_id, component_id),
  foreign key (tenant_id, import_id) references imports
)
-- ;;
-- The rows of an import that can be taken, each with what it would do: 'new', 'changed' or 'unchanged'; and those
-- that cannot: 'bad', with the reason.
create function judge_import(p_tenant uuid, p_import uuid)
returns table (
  line integer, barcode text, description text, component_id uuid, old_description text, kind text, fault text
)
language sql stable
as $$
  select rows.line, rows.barcode, rows.description, components.id, components.description,
    case
      when coalesce(rows.fault, twice.fault) is not null then 'bad'
      when components.id is null then 'new'
      when rows.description <> '' and rows.description <> components.description then 'changed'
      when not imports.keep_existing and exists (
        select from (values
          ('PRIMARY', rows.primary_quantity), ('SECONDARY', rows.secondary_quantity),
          ('FULFILLMENT', rows.fulfillment_quantity), ('DISTRIBUTION', rows.distribution_quantity),
          ('QUARANTINE', rows.quarantine_quantity)
        ) as given (location, quantity)
        left join stock on stock.tenant_id = p_tenant and stock.component_id = components.id
          and stock.location = given.location
        where given.quantity <> coalesce(stock.quantity, 0)
      ) then 'changed'
      else 'unchanged'
    end,
    coalesce(rows.fault, twice.fault)
  from imports
  join import_rows rows on rows.tenant_id = imports.tenant_id and rows.import_id = imports.id
  left join components on components.tenant_id = p_tenant and components.barcode = rows.barcode
  left join lateral (
    select format('the barcode stands already at line %s', earlier.line) as fault
    from import_rows earlier
    where earlier.tenant_id = p_tenant and earlier.import_id = p_import and earlier.barcode = rows.barcode
      and earlier.line < rows.line and earlier.fault is null
    order by earlier.line
    limit 1
  ) as twice on rows.fault is null
  where imports.tenant_id = p_tenant and imports.id = p_import
$$
-- ;;
-- Takes the good rows of a staged import, all of them or none, and says what came of it. The caller holds the import's row.
create function commit_import(p_tenant uuid, p_import uuid, p_user uuid, p_user_name text)
returns table (created integer, updated integer, unchanged integer)
language plpgsql volatile
as $$
declare
  v_keep constant boolean := (select keep_existing from imports where tenant_id = p_tenant and id = p_import);
  v_created integer;
  v_updated integer;
  v_good integer;
begin
  -- What the rows would do, judged once. Gone with the transaction.
  create temporary table judged_rows (
    line integer, barcode text, description text, component_id uuid, old_description text, kind text
  ) on commit drop;
  insert into judged_rows
  select judged.line, judged.barcode, judged.description, judged.component_id, judged.old_description, judged.kind
  from judge_import(p_tenant, p_import) as judged
  where judged.kind <> 'bad';
  get diagnostics v_good = row_count;
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

  update judged_rows set component_id = components.id
  from components
  where components.tenant_id = p_tenant and components.barcode = judged_rows.barcode
    and judged_rows.component_id is null;

  with described as (
    update components
    set description = judged.description, updated_at = now()
    from judged_rows judged
    where components.tenant_id = p_tenant and components.id = judged.component_id and judged.kind = 'changed'
      and judged.description <> '' and components.description <> judged.description
    returning components.id, components.barcode, judged.old_description, judged.description as new_description
  )
  insert into import_changes (
    tenant_id, import_id, component_id, barcode, created, old_description, new_description
  )
  select p_tenant, p_import, described.id, described.barcode, false, described.old_description,
    described.new_description
  from described;

  create temporary table wanted_stock (component_id uuid, location text, quantity integer) on commit drop;
  insert into wanted_stock
  select judged.component_id, given.location, given.quantity
  from judged_rows judged
  join import_rows rows on rows.tenant_id = p_tenant and rows.import_id = p_import and rows.line = judged.line
  cross join lateral (values
    ('PRIMARY', rows.primary_quantity), ('SECONDARY', rows.secondary_quantity),
    ('FULFILLMENT', rows.fulfillment_quantity), ('DISTRIBUTION', rows.distribution_quantity),
    ('QUARANTINE', rows.quarantine_quantity)
  ) as given (location, quantity)
  where given.quantity is not null and (judged.kind = 'new' or not v_keep);
  analyze wanted_stock;

  insert into stock (tenant_id, component_id, location)
  select p_tenant, wanted.component_id, wanted.location
  from wanted_stock wanted
  where wanted.quantity > 0
  order by wanted.component_id, wanted.location
  on conflict (tenant_id, component_id, location) do nothing;

  perform 1
  from stock
  join wanted_stock wanted on wanted.component_id = stock.component_id and wanted.location = stock.location
  where stock.tenant_id = p_tenant
  order by stock.component_id, stock.location
  for update of stock;

  insert into movements (
    tenant_id, component_id, location, delta, quantity_after, cause, user_id, user_name, reference
  )
  select p_tenant, stock.component_id, stock.location, wanted.quantity - stock.quantity, wanted.quantity, 'import',
    p_user, p_user_name, p_import
  from stock
  join wanted_stock wanted on wanted.component_id = stock.component_id and wanted.location = stock.location
  where stock.tenant_id = p_tenant and stock.quantity <> wanted.quantity;

  update stock set quantity = wanted.quantity
  from wanted_stock wanted
  where stock.tenant_id = p_tenant and stock.component_id = wanted.component_id
    and stock.location = wanted.location and stock.quantity <> wanted.quantity;

  select count(distinct changed.component_id) into v_updated
  from (
    select import_changes.component_id from import_changes
    where import_changes.tenant_id = p_tenant and import_changes.import_id = p_import
    union all
    select movements.component_id from movements
    where movements.tenant_id = p_tenant and movements.reference = p_import
  ) as changed;
  v_updated := v_updated - v_created;

  update companies set component_count = component_count + v_created
  where tenant_id = p_tenant and v_created > 0;
  delete from import_rows where tenant_id = p_tenant and import_id = p_import;
  return query select v_created, v_updated, v_good - v_created - v_updated;
end
$$
-- ;;
-- Takes an import back: its movements by movements against them, and descriptions it changed and nobody since. The
-- components it made stay, without stock: the ledger names them. Says what keeps it from that, and then nothing is
-- done: the barcode of a component whose stock moved since, or that was made by it and counted since; no row when it is
-- undone.
create function undo_import(p_tenant uuid, p_import uuid, p_user uuid, p_user_name text)
returns table (obstacle text, reason text)
language plpgsql volatile
as $$
begin
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
  join components on components.tenant_id = p_tenant and components.id = posted.component_id
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
    )
  )
  order by made.barcode
  limit 1;
  if found then return; end if;

  insert into movements (
    tenant_id, component_id, location, delta, quantity_after, cause, user_id, user_name, reference
  )
  select p_tenant, posted.component_id, posted.location, -posted.delta, stock.quantity - posted.delta,
    'import_undone', p_user, p_user_name, p_import
  from movements posted
  join stock on stock.tenant_id = p_tenant and stock.component_id = posted.component_id
    and stock.location = posted.location
  where posted.tenant_id = p_tenant and posted.reference = p_import and posted.cause = 'import';

  update stock set quantity = stock.quantity - posted.delta
  from movements posted
  where stock.tenant_id = p_tenant and posted.tenant_id = p_tenant and posted.reference = p_import
    and posted.cause = 'import' and posted.component_id = stock.component_id and posted.location = stock.location;

  update components set description = changed.old_description, updated_at = now()
  from import_changes changed
  where components.tenant_id = p_tenant and changed.tenant_id = p_tenant and changed.import_id = p_import
    and not changed.created and components.id = changed.component_id
    and components.description = changed.new_description;
end
$$
-- ;;
alter table imports enable row level security
-- ;;
alter table imports force row level security
-- ;;
create policy own_company on imports using (tenant_id = current_tenant()) with check (tenant_id = current_tenant())
-- ;;
alter table import_rows enable row level security
-- ;;
alter table import_rows force row level security
-- ;;
create policy own_company on import_rows
  using (tenant_id = current_tenant()) with check (tenant_id = current_tenant())
-- ;;
alter table import_changes enable row level security
-- ;;
alter table import_changes force row level security
-- ;;
create policy own_company on import_changes
  using (tenant_id = current_tenant()) with check (tenant_id = current_tenant())
-- ;;
grant select, insert, update on imports to inventory_manager_app
-- ;;
grant select, insert, delete on import_rows to inventory_manager_app
-- ;;
grant select, insert on import_changes to inventory_manager_app
