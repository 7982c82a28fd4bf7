-- Spot counts that are asked for anew on some days of each week: of what is most likely wrong by then.
create table spot_schedules (
  tenant_id uuid not null references companies,
  id uuid not null default new_id(),
  location text not null,
  user_id uuid,
  days text[] not null,
  minutes integer not null,
  people integer not null,
  -- On which day, in the time zone of the company, it asked last, and for how many SKUs.
  asked_on date,
  asked_skus integer,
  created_by text not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users,
  check (cardinality(days) between 1 and 7),
  check (days <@ array['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']),
  check (minutes between 1 and 480),
  check (people between 1 and 20)
)
-- ;;
alter table spot_schedules enable row level security
-- ;;
alter table spot_schedules force row level security
-- ;;
create policy own_company on spot_schedules
  using (tenant_id = current_tenant()) with check (tenant_id = current_tenant())
-- ;;
grant select, insert, update, delete on spot_schedules to inventory_manager_app
-- ;;
-- Which of them asked for it. None is named that has ended since: what it asked for stays asked.
alter table spot_counts add column schedule_id uuid
-- ;;
-- The companies with something to ask for today; none while another node asks the same.
create function companies_to_ask() returns setof uuid
language plpgsql
set enable_seqscan to 'off'
as $$
declare
  v_tenant uuid;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('companies_to_ask', 0)) then return; end if;
  for v_tenant in select company_ids() loop
    perform set_config('app.tenant_id', v_tenant::text, true);
    continue when not exists (select from spot_schedules where tenant_id = v_tenant);
    begin
      if exists (
        select from companies
        join spot_schedules schedule on schedule.tenant_id = v_tenant
        where companies.tenant_id = v_tenant
          and to_char(now() at time zone companies.time_zone, 'FMDay') = any (schedule.days)
          and coalesce(schedule.asked_on, '-infinity') < (now() at time zone companies.time_zone)::date
      ) then
        return next v_tenant;
      end if;
    exception when invalid_parameter_value then
      -- A time zone that this database does not know, as after a restore, keeps no other company waiting.
      null;
    end;
  end loop;
end
$$
