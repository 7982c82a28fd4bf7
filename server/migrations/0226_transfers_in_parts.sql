-- What was sent may arrive in parts, and in part never.

-- What arrived before the rest did, was given back or written off; of a transfer that arrived at once nothing.
alter table transfers add column received_in_part integer not null default 0
-- ;;
alter table transfers add constraint transfers_received_in_part_check
  check (received_in_part >= 0 and received_in_part < quantity)
-- ;;
alter table transfers drop constraint transfers_status_check
-- ;;
alter table transfers add constraint transfers_status_check
  check (status in ('in_transit', 'received', 'cancelled', 'written_off'))
-- ;;
-- Ends a transfer that is under way: the rest of it is received at its target, cancelled back to where it came from, or
-- written off. False, and nothing done, where it is not under way any more: so it arrives once, however many receive it.
create or replace function close_transfer(
  p_tenant uuid, p_transfer uuid, p_status text, p_user uuid, p_user_name text
)
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
  -- It belongs to no location: what never arrives leaves none.
  if p_status = 'written_off' then return true; end if;
  return post_transfer(
    p_tenant, p_transfer, v_transfer.component_id,
    case p_status when 'received' then v_transfer.to_location else v_transfer.from_location end,
    v_transfer.quantity - v_transfer.received_in_part,
    case p_status when 'received' then 'transfer' else 'transfer_cancelled' end,
    v_transfer.note, p_user, p_user_name
  );
end
$$
-- ;;
-- Receives some of a transfer, all that is left where p_quantity is null. What came of it: received, not_in_transit, or
-- more_than_sent; nothing done unless received.
create function receive_transfer(
  p_tenant uuid, p_transfer uuid, p_quantity integer, p_user uuid, p_user_name text
)
returns text
language plpgsql volatile
as $$
declare
  v_transfer transfers;
  v_left integer;
begin
  select * into v_transfer from transfers
  where tenant_id = p_tenant and id = p_transfer and status = 'in_transit'
  for update;
  if not found then return 'not_in_transit'; end if;
  v_left := v_transfer.quantity - v_transfer.received_in_part;
  if p_quantity > v_left then return 'more_than_sent'; end if;
  if coalesce(p_quantity, v_left) = v_left then
    perform close_transfer(p_tenant, p_transfer, 'received', p_user, p_user_name);
    return 'received';
  end if;
  update transfers set received_in_part = received_in_part + p_quantity
  where tenant_id = p_tenant and id = p_transfer;
  perform post_transfer(
    p_tenant, p_transfer, v_transfer.component_id, v_transfer.to_location, p_quantity, 'transfer', v_transfer.note,
    p_user, p_user_name
  );
  return 'received';
end
$$
