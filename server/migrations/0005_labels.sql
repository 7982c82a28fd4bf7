-- Labels used of the plan's monthly allowance, by the company's calendar month.
create table label_usage (
  tenant_id uuid not null references companies,
  month_start timestamptz not null,
  used integer not null check (used >= 0),
  primary key (tenant_id, month_start)
)
-- ;;
alter table label_usage enable row level security
-- ;;
alter table label_usage force row level security
-- ;;
create policy own_company on label_usage
  using (tenant_id = current_tenant()) with check (tenant_id = current_tenant())
-- ;;
grant select, insert, update on label_usage to inventory_manager_app
