-- Stock on its way between locations: it left one and has not arrived at the other, so it belongs to neither.
alter table movements drop constraint movements_cause_check
-- ;;
alter table movements add constraint movements_cause_check check (cause in (
  'import', 'correction', 'discrepancy', 'transfer', 'transfer_cancelled', 'import_undone'
))
-- ;;
-- What a movement belongs to: the transfer or import that posted it.
alter table movements add column reference uuid
-- ;;
create index movements_of_reference on movements (tenant_id, reference) where reference is not null
-- ;;
create table transfers (
  tenant_id uuid not null references companies,
  id uuid not null default new_id(),
  component_id uuid not null,
  from_location text not null,
  to_location text not null,
  quantity integer not null check (quantity > 0),
  status text not null check (status in ('in_transit', 'received', 'cancelled')),
  note text not null default '',
  user_id uuid not null,
  user_name text not null,
  created_at timestamptz not null default clock_timestamp(),
  closed_by text,
  closed_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, component_id) references components,
  check (from_location <> to_location)
)
-- ;;
create index transfers_under_way on transfers (tenant_id, to_location, id) where status = 'in_transit'
-- ;;
create index transfers_of_component on transfers (tenant_id, component_id, id)
-- ;;
-- Adds to a stock row and posts it as part of a transfer; false, and nothing done, where that would fall below 0.
create function post_transfer(
  p_tenant uuid, p_transfer uuid, p_component uuid, p_location text, p_delta integer, p_cause text, p_note text,
  p_user uuid, p_user_name text
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
  insert into movements (
    tenant_id, component_id, location, delta, quantity_after, cause, note, user_id, user_name, reference
  )
  values (
    p_tenant, p_component, p_location, p_delta, v_after, p_cause, p_note, p_user, p_user_name, p_transfer
  );
  return true;
end
$$
-- ;;
-- Takes stock out of a location and puts it on its way, or at once where p_arrives; null, and nothing done, where
-- the location holds less than that. Both rows are locked in one order, so that two moves never wait in a ring.
create function send_transfer(
  p_tenant uuid, p_component uuid, p_from text, p_to text, p_quantity integer, p_arrives boolean, p_note text,
  p_user uuid, p_user_name text
)
returns uuid
language plpgsql volatile
as $$
declare
  v_id uuid := new_id();
begin
  perform 1 from stock
  where tenant_id = p_tenant and component_id = p_component and location in (p_from, p_to)
  order by location
  for update;
  if not post_transfer(
    p_tenant, v_id, p_component, p_from, -p_quantity, 'transfer', p_note, p_user, p_user_name
  ) then
    return null;
  end if;
  if p_arrives then
    perform post_transfer(
      p_tenant, v_id, p_component, p_to, p_quantity, 'transfer', p_note, p_user, p_user_name
    );
  end if;
  insert into transfers (
    tenant_id, id, component_id, from_location, to_location, quantity, status, note, user_id, user_name, closed_by,
    closed_at
  )
  values (
    p_tenant, v_id, p_component, p_from, p_to, p_quantity, case when p_arrives then 'received' else 'in_transit' end,
    p_note, p_user, p_user_name, case when p_arrives then p_user_name end,
    case when p_arrives then clock_timestamp() end
  );
  return v_id;
end
$$
-- ;;
-- Ends a transfer that is under way: received at its target, or cancelled back to where it came from. False, and
-- nothing done, where it is not under way any more: so it arrives once, however many receive it at the same time.
create function close_transfer(p_tenant uuid, p_transfer uuid, p_status text, p_user uuid, p_user_name text)
returns boolean
language plpgsql volatile
as $$
declare
  v_transfer transfers;
begin
  update transfers
  set status = p_status, closed_by = p_user_name, closed_at = clock_timestamp()
  where tenant_id = p_tenant and id = p_transfer and status = 'in_transit'
  returning * into v_transfer;
  if not found then return false; end if;
  return post_transfer(
    p_tenant, p_transfer, v_transfer.component_id,
    case p_status when 'received' then v_transfer.to_location else v_transfer.from_location end,
    v_transfer.quantity, case p_status when 'received' then 'transfer' else 'transfer_cancelled' end,
    v_transfer.note, p_user, p_user_name
  );
end
$$
-- ;;
alter table transfers enable row level security
-- ;;
alter table transfers force row level security
-- ;;
create policy own_company on transfers using (tenant_id = current_tenant()) with check (tenant_id = current_tenant())
-- ;;
grant select, insert, update on transfers to inventory_manager_app
