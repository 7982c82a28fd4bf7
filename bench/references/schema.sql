-- What the references work on: one table that holds what ours keeps in several, without tenancy, ledger or keys.
drop schema if exists bench cascade;
create schema bench;
create table bench.component (
  id bigint generated always as identity primary key,
  tenant_id integer not null,
  barcode text not null,
  description text not null,
  primary_quantity integer not null,
  secondary_quantity integer not null,
  fulfillment_quantity integer not null,
  distribution_quantity integer not null,
  quarantine_quantity integer not null default 0,
  total_quantity integer generated always as (
    primary_quantity + secondary_quantity + fulfillment_quantity + distribution_quantity + quarantine_quantity
  ) stored,
  last_counted_date timestamptz,
  last_counted_location text,
  last_counted_source text,
  is_high_volume boolean not null default false,
  high_volume_config jsonb,
  unique (tenant_id, barcode)
) with (fillfactor = 80);
create table bench.count_history (
  id bigint generated always as identity primary key,
  tenant_id integer not null,
  component_id bigint not null references bench.component on delete cascade,
  sku text not null,
  quantity integer not null,
  expected integer not null,
  location text not null,
  count_type text not null,
  source text not null,
  user_id integer not null,
  count_session text not null,
  created_at timestamptz not null default now()
);
create index on bench.count_history (tenant_id, sku, created_at desc);
create table bench.audit_log (
  id bigint generated always as identity primary key,
  tenant_id integer not null,
  action text not null,
  sku text,
  quantity integer,
  location text,
  source text,
  user_type text,
  user_name text,
  metadata jsonb,
  created_at timestamptz not null default now()
);
create index on bench.audit_log (tenant_id, created_at desc);
insert into bench.component (
  tenant_id, barcode, description, primary_quantity, secondary_quantity, fulfillment_quantity, distribution_quantity
)
select tenant, 'SKU-' || lpad(i::text, 6, '0'), 'Component number ' || i || ' steel bracket M' || (i % 20),
  (i * 7) % 500, (i * 11) % 300, (i * 13) % 200, (i * 17) % 100
from generate_series(1, 20) tenant, generate_series(0, 4999) i;
analyze bench.component;
