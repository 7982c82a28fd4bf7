-- What has less than its minimum, as it was last seen, so that it is told once each time that it falls below.

-- A row: when it was last looked, this component, which is in use, had less than its minimum at this location. `since` tells when that
-- was seen first, and `mailed` whether a mail has told it.
create table low_stock (
  tenant_id uuid not null references companies,
  component_id uuid not null,
  location text not null,
  since timestamptz not null default statement_timestamp(),
  mailed boolean not null default false,
  primary key (tenant_id, component_id, location),
  foreign key (tenant_id, component_id) references components
)
-- ;;
-- More than one of its indexes begin with the company (0211).
alter table low_stock alter column tenant_id set (n_distinct = -0.001)
-- ;;
-- What a mail is to tell, which is looked for in every company each minute.
create index low_stock_to_mail on low_stock (tenant_id) where not mailed
-- ;;
alter table low_stock enable row level security
-- ;;
alter table low_stock force row level security
-- ;;
create policy own_company on low_stock
  using (tenant_id = current_tenant()) with check (tenant_id = current_tenant())
-- ;;
grant select, insert, update, delete on low_stock to inventory_manager_app
-- ;;
-- Whether administrators get mails of what is low, and when one was last sent.
alter table companies
  add column low_stock_mail boolean not null default true,
  add column low_stock_mailed_at timestamptz
-- ;;
-- The companies with minimums, or with something that was low, in which anything was written in the last minutes, or ever where none
-- are given: every change writes an entry of the trail. None while another node asks the same.
create function companies_to_look_at(p_minutes integer) returns setof uuid
language plpgsql volatile
set enable_seqscan = off
as $$
declare
  v_tenant uuid;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('companies_to_look_at', 0)) then return; end if;
  for v_tenant in select company_ids() loop
    perform set_config('app.tenant_id', v_tenant::text, true);
    if (
      exists (select from placements where tenant_id = v_tenant and minimum is not null)
      or exists (select from low_stock where tenant_id = v_tenant)
    ) and (
      p_minutes is null or exists (
        select from audit_entries
        where tenant_id = v_tenant and id >= id_at(now() - make_interval(mins => p_minutes))
      )
    ) then
      return next v_tenant;
    end if;
  end loop;
end
$$
-- ;;
-- The companies whose administrators want mails of what is low, got none in the last hours, and have one to get. None while another
-- node asks the same.
create function companies_to_mail(p_hours integer) returns setof uuid
language plpgsql volatile
set enable_seqscan = off
as $$
declare
  v_tenant uuid;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('companies_to_mail', 0)) then return; end if;
  for v_tenant in select company_ids() loop
    perform set_config('app.tenant_id', v_tenant::text, true);
    if exists (select from low_stock where tenant_id = v_tenant and not mailed) and exists (
      select from companies
      where tenant_id = v_tenant and low_stock_mail
        and (low_stock_mailed_at is null or low_stock_mailed_at <= now() - make_interval(hours => p_hours))
    ) then
      return next v_tenant;
    end if;
  end loop;
end
$$
