-- The history of counts and the audit trail lie in parts, by the quarter their ids were made in
-- (docs/decisions/017-history-by-quarter.md).

-- Parts that were put aside: of each company how much of which is not in its history any more. Insert-only.
create table detached_history (
  tenant_id uuid not null references companies,
  history text not null check (history in ('audit_entries', 'count_history')),
  part text not null,
  -- The part holds ids from the first on and below the next.
  first_id uuid not null,
  next_id uuid not null,
  entries integer not null check (entries > 0),
  detached_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, history, part)
)
-- ;;
alter table detached_history enable row level security
-- ;;
alter table detached_history force row level security
-- ;;
create policy own_company on detached_history
  using (tenant_id = current_tenant()) with check (tenant_id = current_tenant())
-- ;;
grant select, insert on detached_history to inventory_manager_app
-- ;;
-- Where detached parts lie: not of the schema that is backed up, and nothing of the application's.
create schema if not exists detached
-- ;;
-- The parts there are, oldest first: `before_2027_q1` holds whatever is older, `rest` what has no part of its own.
create function history_parts() returns table (history text, part text, relation oid, first_id uuid, next_id uuid)
language sql stable set search_path = ''
begin atomic
  select parent.relname::text, substr(child.relname, length(parent.relname) + 2)::text, child.oid,
    case when bounds.text like 'FOR VALUES FROM (MINVALUE)%' then '00000000-0000-0000-0000-000000000000'
      else substring(bounds.text from 'FROM \(''([^'']+)''\)') end::uuid,
    substring(bounds.text from 'TO \(''([^'']+)''\)')::uuid
  from pg_catalog.pg_inherits
  join pg_catalog.pg_class parent on parent.oid = pg_inherits.inhparent and parent.relkind = 'p'
  join pg_catalog.pg_class child on child.oid = pg_inherits.inhrelid
  cross join lateral (select pg_catalog.pg_get_expr(child.relpartbound, child.oid) as text) as bounds
  where parent.relnamespace = 'public'::regnamespace
  order by 4 nulls last, 1;
end
-- ;;
-- Nobody reaches a part but through its table. What holds there, holds here as well.
create function guard_history_part(p_history text, p_part text) returns void
language plpgsql set search_path = ''
as $$
begin
  execute format('alter table public.%I enable row level security', p_part);
  execute format('alter table public.%I force row level security', p_part);
  execute format(
    'create policy own_company on public.%I using (tenant_id = public.current_tenant())
       with check (tenant_id = public.current_tenant())', p_part
  );
  if p_history = 'audit_entries' then
    execute format(
      'create trigger audit_entries_stay before update or delete or truncate on public.%I
         for each statement execute function public.refuse_change()', p_part
    );
  end if;
end
$$
-- ;;
-- Made beside its table and then attached: nobody who counts waits for it.
create function add_history_part(p_history text, p_part text, p_bounds text) returns void
language plpgsql set search_path = ''
as $$
begin
  execute format('create table public.%I (like public.%I including all)', p_part, p_history);
  perform public.guard_history_part(p_history, p_part);
  execute format('alter table public.%I attach partition public.%I %s', p_history, p_part, p_bounds);
end
$$
-- ;;
-- Makes the parts of this quarter and the next two that are missing, and says how many. Any number of nodes may call it.
-- Where somebody reads the rest at this moment, the next call tries again. Where the rest holds rows of the quarter already,
-- they stay there, and so does the quarter: moving them would make those wait who count.
create function make_history_quarters() returns integer
language plpgsql security definer set search_path = '' set lock_timeout = '200ms'
as $$
declare
  v_history text;
  v_start timestamp;
  v_first uuid;
  v_next uuid;
  v_made integer := 0;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('make_history_quarters', 0)) then return 0; end if;
  foreach v_history in array array['audit_entries', 'count_history'] loop
    for v_ahead in 0..2 loop
      v_start := date_trunc('quarter', now() at time zone 'UTC') + make_interval(months => 3 * v_ahead);
      v_first := public.id_at(v_start at time zone 'UTC');
      v_next := public.id_at((v_start + interval '3 months') at time zone 'UTC');
      continue when exists (
        select from public.history_parts() known
        where known.history = v_history and known.first_id < v_next and known.next_id > v_first
      );
      begin
        perform public.add_history_part(
          v_history, v_history || to_char(v_start, '_YYYY_"q"Q'), format('for values from (%L) to (%L)', v_first, v_next)
        );
        v_made := v_made + 1;
      exception when lock_not_available or check_violation then
        null;
      end;
    end loop;
  end loop;
  return v_made;
end
$$
-- ;;
revoke all on function add_history_part(text, text, text), guard_history_part(text, text), make_history_quarters()
  from public
-- ;;
grant execute on function make_history_quarters() to inventory_manager_app
-- ;;
-- The tables as they are become the first part of what is made in their place. It ends with this quarter.
create function divide_history(p_history text) returns void
language plpgsql set search_path = ''
as $$
declare
  v_quarter constant timestamp := date_trunc('quarter', now() at time zone 'UTC') + interval '3 months';
  v_part constant text := p_history || to_char(v_quarter, '"_before_"YYYY_"q"Q');
  v_index text;
begin
  execute format('lock table public.%I in access exclusive mode', p_history);
  -- Else an owner who is no superuser sees, and moves, nothing.
  execute format('alter table public.%I no force row level security', p_history);
  execute format('drop policy own_company on public.%I', p_history);
  execute format('drop trigger if exists audit_entries_stay on public.%I', p_history);
  execute format('revoke all on public.%I from inventory_manager_app', p_history);
  execute format('alter table public.%I rename to %I', p_history, v_part);
  for v_index in
    select relname from pg_catalog.pg_index join pg_catalog.pg_class on pg_class.oid = indexrelid
    where indrelid = format('public.%I', v_part)::regclass
  loop
    execute format('alter index public.%I rename to %I', v_index, replace(v_index, p_history, v_part));
  end loop;
  execute format(
    'create table public.%I (like public.%I including defaults including constraints) partition by range (id)',
    p_history, v_part
  );
  execute format('alter table public.%I add primary key (tenant_id, id)', p_history);
  execute format('alter table public.%I enable row level security', p_history);
  execute format('alter table public.%I force row level security', p_history);
  execute format(
    'create policy own_company on public.%I using (tenant_id = public.current_tenant())
       with check (tenant_id = public.current_tenant())', p_history
  );
  execute format('grant select, insert on public.%I to inventory_manager_app', p_history);
end
$$
-- ;;
-- Puts the rows there were under their new table: all at once, and what lies beyond this quarter into the rest.
create function keep_history(p_history text) returns void
language plpgsql set search_path = ''
as $$
declare
  v_quarter constant timestamp := date_trunc('quarter', now() at time zone 'UTC') + interval '3 months';
  v_next constant uuid := public.id_at(v_quarter at time zone 'UTC');
  v_part constant text := p_history || to_char(v_quarter, '"_before_"YYYY_"q"Q');
  v_rest constant text := p_history || '_rest';
begin
  execute format('create table public.%I (like public.%I including all)', v_rest, p_history);
  execute format(
    'with late as (delete from public.%I where id >= %L returning *) insert into public.%I select * from late',
    v_part, v_next, v_rest
  );
  execute format('alter table public.%I attach partition public.%I default', p_history, v_rest);
  execute format(
    'alter table public.%I attach partition public.%I for values from (minvalue) to (%L)', p_history, v_part, v_next
  );
  perform public.guard_history_part(p_history, v_part);
  perform public.guard_history_part(p_history, v_rest);
end
$$
-- ;;
drop function standing_counts(uuid, text, text, timestamptz)
-- ;;
select divide_history('count_history'), divide_history('audit_entries')
-- ;;
create index count_history_of_sku on count_history (tenant_id, sku, location, id)
-- ;;
create index count_history_reported on count_history (tenant_id, id) where not sets_mark and undoes is null
-- ;;
create index audit_entries_by_transaction on audit_entries (tenant_id, transaction_id)
-- ;;
create trigger audit_entries_stay before update or delete or truncate on audit_entries
  for each statement execute function refuse_change()
-- ;;
select keep_history('count_history'), keep_history('audit_entries')
-- ;;
drop function divide_history(text), keep_history(text)
-- ;;
-- As it was: its rows are of the table that is there now.
create function standing_counts(
  p_tenant uuid, p_sku text, p_location text, p_cleared_at timestamptz
)
returns setof count_history
language sql stable
as $$
  select entry.*
  from count_history entry
  where entry.tenant_id = p_tenant and entry.sku = p_sku and entry.location = p_location
    and entry.sets_mark and entry.created_at > coalesce(p_cleared_at, '-infinity')
    and not exists (
      select from count_history back
      where back.tenant_id = p_tenant and back.sku = p_sku and back.location = p_location and back.undoes = entry.id
    )
$$
-- ;;
select make_history_quarters()
