-- Where a component lies at a location, and how much of it should be there at the least. Nothing of it moves stock.

-- A row says one of both at least: a bin, which people walk to, or a minimum, below which the stock there is low.
create table placements (
  tenant_id uuid not null references companies,
  component_id uuid not null,
  location text not null,
  bin text not null check (char_length(bin) <= 40),
  minimum integer check (minimum >= 0),
  primary key (tenant_id, component_id, location),
  foreign key (tenant_id, component_id) references components,
  check (bin <> '' or minimum is not null)
)
-- ;;
-- More than one of its indexes begin with the company (0211).
alter table placements alter column tenant_id set (n_distinct = -0.001)
-- ;;
-- What may be low, which every overview asks for.
create index placements_with_minimum on placements (tenant_id) where minimum is not null
-- ;;
alter table placements enable row level security
-- ;;
alter table placements force row level security
-- ;;
create policy own_company on placements
  using (tenant_id = current_tenant()) with check (tenant_id = current_tenant())
-- ;;
grant select, insert, update, delete on placements to inventory_manager_app
