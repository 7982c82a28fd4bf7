-- Which components somebody, or whoever counts there, is asked to count at a location, and by when.

-- What of it is counted say the marks of the stock: a count since it was asked for. Components are never deleted.
create table spot_counts (
  tenant_id uuid not null references companies,
  id uuid not null default new_id(),
  location text not null,
  component_ids uuid[] not null,
  user_id uuid,
  due_on date not null,
  created_by text not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users,
  check (cardinality(component_ids) between 1 and 500 and array_position(component_ids, null) is null)
)
-- ;;
alter table spot_counts enable row level security
-- ;;
alter table spot_counts force row level security
-- ;;
create policy own_company on spot_counts
  using (tenant_id = current_tenant()) with check (tenant_id = current_tenant())
-- ;;
grant select, insert, delete on spot_counts to inventory_manager_app
