-- A label job reserves its labels when it starts and confirms them when its file has been handed out whole.
-- `label_usage.used` holds both, so that the limit can never be passed. A reservation that is not renewed (the server
-- died) runs out, and its labels count no more.
create table label_jobs (
  tenant_id uuid not null,
  id uuid not null default new_id(),
  user_id uuid not null,
  -- The request's Idempotency-Key: a retry is the same job.
  request_key text,
  request_hash text not null,
  month_start timestamptz not null,
  labels integer not null check (labels > 0),
  state text not null default 'reserved' check (state in ('reserved', 'confirmed', 'released')),
  -- Replies that are being sent; the last one to fail gives the labels back.
  streams integer not null default 1 check (streams >= 0),
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, user_id, request_key),
  foreign key (tenant_id, user_id) references users
)
-- ;;
create index label_jobs_reserved on label_jobs (tenant_id, expires_at) where state = 'reserved'
-- ;;
-- Labels used or reserved in a company's month, without reservations that have run out.
create function labels_used(p_tenant uuid, p_month timestamptz)
returns integer
language sql stable
as $$
  select coalesce(
    (select used from label_usage where tenant_id = p_tenant and month_start = p_month), 0
  ) - coalesce((
    select sum(labels)
    from label_jobs
    where tenant_id = p_tenant and month_start = p_month and state = 'reserved' and expires_at < now()
  ), 0)::integer
$$
-- ;;
alter table label_jobs enable row level security
-- ;;
alter table label_jobs force row level security
-- ;;
create policy own_company on label_jobs using (tenant_id = current_tenant()) with check (tenant_id = current_tenant())
-- ;;
grant select, insert, update on label_jobs to inventory_manager_app
