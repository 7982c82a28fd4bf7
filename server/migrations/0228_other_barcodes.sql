-- A component is known by one barcode, and what stands on the shelf bears others, too: those of suppliers, or old ones.

-- Other barcodes of components. A component's own barcode comes before an alias of the same text.
create table alias_barcodes (
  tenant_id uuid not null references companies,
  barcode text not null check (char_length(barcode) between 1 and 48),
  component_id uuid not null,
  user_name text not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, barcode),
  foreign key (tenant_id, component_id) references components
)
-- ;;
-- Several of its indexes begin with the company (0211).
alter table alias_barcodes alter column tenant_id set (n_distinct = -0.001)
-- ;;
create index alias_barcodes_of_component on alias_barcodes (tenant_id, component_id)
-- ;;
alter table alias_barcodes enable row level security
-- ;;
alter table alias_barcodes force row level security
-- ;;
create policy own_company on alias_barcodes
  using (tenant_id = current_tenant()) with check (tenant_id = current_tenant())
-- ;;
grant select, insert, delete on alias_barcodes to inventory_manager_app
