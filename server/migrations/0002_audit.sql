-- What happened, who did it, and who says so. Append-only for the application.
create table audit_entries (
  tenant_id uuid not null references companies,
  id uuid not null default new_id(),
  kind text not null check (kind in (
    'authentication', 'configuration', 'label_generation', 'weekly_count', 'monthly_count', 'bulk_import',
    'inventory_scan'
  )),
  event text not null,
  sku text not null,
  quantity integer,
  location text,
  source text not null,
  user_id uuid,
  user_type text not null,
  user_name text not null,
  origin text not null default 'server' check (origin in ('server', 'client')),
  metadata jsonb not null default '{}',
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, id)
)
-- ;;
alter table audit_entries enable row level security
-- ;;
alter table audit_entries force row level security
-- ;;
create policy own_company on audit_entries
  using (tenant_id = current_tenant()) with check (tenant_id = current_tenant())
-- ;;
grant select, insert on audit_entries to inventory_manager_app
