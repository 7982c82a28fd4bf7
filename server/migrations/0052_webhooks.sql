-- Webhooks: where a company's news are sent, and the queue and log of what is sent.
create table webhooks (
  tenant_id uuid not null references companies,
  id uuid not null default new_id(),
  url text not null,
  events text[] not null check (cardinality(events) > 0),
  -- Kept as it is, because each delivery is signed with it.
  secret text not null,
  -- The seal of the audit trail up to which deliveries were made: seals have no gaps, so none is missed.
  position bigint not null,
  failing_since timestamptz,
  disabled_at timestamptz,
  created_by text not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, id)
)
-- ;;
create table webhook_deliveries (
  tenant_id uuid not null,
  id uuid not null default new_id(),
  webhook_id uuid not null,
  -- The audit entry it tells of; null for a test.
  entry_id uuid,
  event text not null,
  body text not null,
  status text not null default 'waiting' check (status in ('waiting', 'delivered', 'failed')),
  attempts integer not null default 0,
  -- When it may be taken; while it is being sent, when another node may take it over.
  next_at timestamptz not null default clock_timestamp(),
  tried_at timestamptz,
  reply_status integer,
  problem text,
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, id),
  unique (tenant_id, webhook_id, entry_id, event),
  foreign key (tenant_id, webhook_id) references webhooks
)
-- ;;
create index webhook_deliveries_due on webhook_deliveries (tenant_id, webhook_id, next_at) where status = 'waiting'
-- ;;
alter table webhooks enable row level security
-- ;;
alter table webhooks force row level security
-- ;;
create policy own_company on webhooks
  using (tenant_id = current_tenant()) with check (tenant_id = current_tenant())
-- ;;
alter table webhook_deliveries enable row level security
-- ;;
alter table webhook_deliveries force row level security
-- ;;
create policy own_company on webhook_deliveries
  using (tenant_id = current_tenant()) with check (tenant_id = current_tenant())
-- ;;
grant select, insert, update, delete on webhooks, webhook_deliveries to inventory_manager_app
-- ;;
-- The companies that have sealed entries to make deliveries of, or deliveries that are due. p_plans: the plans that
-- include webhooks. One caller at a time: others get none.
create function companies_to_tell(p_plans text[]) returns setof uuid
language plpgsql volatile
as $$
declare
  v_tenant uuid;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('companies_to_tell', 0)) then return; end if;
  for v_tenant in select company_ids() loop
    perform set_config('app.tenant_id', v_tenant::text, true);
    if exists (
      select from webhooks
      join companies on companies.tenant_id = webhooks.tenant_id
      where webhooks.tenant_id = v_tenant and webhooks.disabled_at is null and companies.plan = any (p_plans)
        and (
          webhooks.position < (select max(seq) from audit_seals where tenant_id = v_tenant)
          or exists (
            select from webhook_deliveries
            where tenant_id = v_tenant and webhook_id = webhooks.id and status = 'waiting'
              and next_at <= clock_timestamp()
          )
        )
    ) then
      return next v_tenant;
    end if;
  end loop;
end
$$
