-- What one piece of a component costs, as administrators say it, in the currency of the company.

alter table companies add column currency text not null default 'USD' check (currency ~ '^[A-Z]{3}$')
-- ;;
-- Each cost holds from its moment until the next one: what was decided meanwhile stays worth what it was. Null: none is said any more.
create table component_costs (
  tenant_id uuid not null references companies,
  component_id uuid not null,
  since timestamptz not null,
  unit_cost numeric(11, 4) check (unit_cost >= 0),
  primary key (tenant_id, component_id, since),
  foreign key (tenant_id, component_id) references components
)
-- ;;
alter table component_costs enable row level security
-- ;;
alter table component_costs force row level security
-- ;;
create policy own_company on component_costs
  using (tenant_id = current_tenant()) with check (tenant_id = current_tenant())
-- ;;
grant select, insert on component_costs to inventory_manager_app
