-- When a component was last printed, and what its label said then: whoever differs from it needs a new one.
create table labelled_components (
  tenant_id uuid not null,
  component_id uuid not null,
  labelled_at timestamptz not null default now(),
  description text not null,
  primary key (tenant_id, component_id),
  foreign key (tenant_id, component_id) references components
)
-- ;;
alter table labelled_components enable row level security
-- ;;
alter table labelled_components force row level security
-- ;;
create policy own_company on labelled_components
  using (tenant_id = current_tenant()) with check (tenant_id = current_tenant())
-- ;;
grant select, insert, update on labelled_components to inventory_manager_app
