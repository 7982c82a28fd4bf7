-- Who is asked to count a location in a month, and by when.

-- The month is that of the company's calendar, by its first day, so that it is the same one in whatever time zone.
create table count_assignments (
  tenant_id uuid not null references companies,
  id uuid not null default new_id(),
  month_start date not null,
  location text not null,
  user_id uuid not null,
  due_on date not null,
  created_by text not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, id),
  unique (tenant_id, month_start, location, user_id),
  foreign key (tenant_id, user_id) references users,
  check (extract(day from month_start) = 1),
  check (date_trunc('month', due_on::timestamp) = month_start::timestamp)
)
-- ;;
-- More than one of its indexes begin with the company (0211).
alter table count_assignments alter column tenant_id set (n_distinct = -0.001)
-- ;;
alter table count_assignments enable row level security
-- ;;
alter table count_assignments force row level security
-- ;;
create policy own_company on count_assignments
  using (tenant_id = current_tenant()) with check (tenant_id = current_tenant())
-- ;;
grant select, insert, update, delete on count_assignments to inventory_manager_app
