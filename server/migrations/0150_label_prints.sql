-- Every print of a component's labels: one row for each component of a label job, written when the job is confirmed.
-- Append-only and kept for good, like the ledger: what a label on a shelf says must be found years later.
create table label_prints (
  tenant_id uuid not null,
  id uuid not null default new_id(),
  component_id uuid not null,
  -- Labels of this component in the job, all alike.
  copies integer not null check (copies > 0),
  -- Width and height in inches, such as '4x1.5'.
  size text not null,
  symbology text not null,
  format text not null,
  -- What the labels said.
  description text not null,
  user_id uuid not null,
  user_name text not null,
  printed_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, component_id) references components
)
-- ;;
create index label_prints_of_component on label_prints (tenant_id, component_id, id)
-- ;;
alter table label_prints enable row level security
-- ;;
alter table label_prints force row level security
-- ;;
create policy own_company on label_prints
  using (tenant_id = current_tenant()) with check (tenant_id = current_tenant())
-- ;;
grant select, insert on label_prints to inventory_manager_app
