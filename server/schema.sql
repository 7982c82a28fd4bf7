-- tables

table alias_barcodes (
  tenant_id uuid not null,
  barcode text not null,
  component_id uuid not null,
  user_name text not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  pieces integer not null default 1
)

table api_key_calls (
  tenant_id uuid not null,
  key_id uuid not null,
  window_start timestamp with time zone not null,
  taken integer not null
)

table api_key_prefixes (
  prefix text not null,
  tenant_id uuid not null
)

table api_keys (
  tenant_id uuid not null,
  id uuid not null default new_id(),
  name text not null,
  prefix text not null,
  secret_hash bytea not null,
  scopes text[] not null,
  user_id uuid not null,
  session_id uuid not null,
  created_by text not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  last_used_at timestamp with time zone,
  revoked_at timestamp with time zone
)

table attempts (
  key text not null,
  window_start timestamp with time zone not null,
  taken integer not null
)

table audit_entries (
  tenant_id uuid not null,
  id uuid not null default new_id(),
  kind text not null,
  event text not null,
  sku text not null,
  quantity integer,
  location text,
  source text not null,
  user_id uuid,
  user_type text not null,
  user_name text not null,
  origin text not null default 'server'::text,
  metadata jsonb not null default '{}'::jsonb,
  created_at timestamp with time zone not null default clock_timestamp(),
  transaction_id xid8 not null default pg_current_xact_id()
) partition by RANGE (id)

table audit_seals (
  tenant_id uuid not null,
  seq bigint not null,
  entry_id uuid not null,
  entry_hash bytea not null,
  hash bytea not null,
  settled_below uuid not null,
  sealed_at timestamp with time zone not null default clock_timestamp()
)

table billing_events (
  tenant_id uuid not null,
  event_id text not null,
  type text not null,
  created_at timestamp with time zone not null default clock_timestamp()
)

table companies (
  tenant_id uuid not null,
  name text not null,
  plan text not null,
  time_zone text not null,
  trial_ends_at timestamp with time zone not null,
  strict_blind_counts boolean not null default false,
  component_count integer not null default 0,
  created_at timestamp with time zone not null default now(),
  scanner_prefix text not null default ''::text,
  scanner_suffix text not null default ''::text,
  count_tolerance_units integer,
  count_tolerance_percent numeric(5,2),
  accent_colour text,
  currency text not null default 'USD'::text,
  low_stock_mail boolean not null default true,
  low_stock_mailed_at timestamp with time zone,
  not_kept_counts jsonb not null default '{}'::jsonb,
  location_names jsonb not null default '{}'::jsonb,
  first_count_sets_stock boolean not null default false
)

table company_logos (
  tenant_id uuid not null,
  content_type text not null,
  content bytea not null,
  hash text not null,
  updated_at timestamp with time zone not null default clock_timestamp(),
  label_rows text[]
)

table component_costs (
  tenant_id uuid not null,
  component_id uuid not null,
  since timestamp with time zone not null,
  unit_cost numeric(11,4)
)

table components (
  tenant_id uuid not null,
  id uuid not null default new_id(),
  barcode text not null,
  description text not null default ''::text,
  older_high_volume jsonb,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  retired_at timestamp with time zone,
  retired_by text,
  reinstated_at timestamp with time zone,
  described_at timestamp with time zone
)

table count_assignments (
  tenant_id uuid not null,
  id uuid not null default new_id(),
  month_start date not null,
  location text not null,
  user_id uuid not null,
  due_on date not null,
  created_by text not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  bins text[] not null default '{}'::text[]
)

table count_attempts (
  tenant_id uuid not null,
  id uuid not null default new_id(),
  discrepancy_id uuid not null,
  attempt integer not null,
  expected integer not null,
  counted integer not null,
  user_id uuid not null,
  user_name text not null,
  counted_at timestamp with time zone not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  overtaken boolean not null default false,
  starts_anew boolean not null default false
)

table count_history (
  tenant_id uuid not null,
  id uuid not null default new_id(),
  component_id uuid,
  sku text not null,
  location text not null,
  quantity integer not null,
  count_type text not null,
  count_session text not null,
  source text not null,
  user_id uuid not null,
  user_type text not null,
  user_name text not null,
  counted_at timestamp with time zone not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  undoes uuid,
  sets_mark boolean not null default true
) partition by RANGE (id)

table count_notes (
  tenant_id uuid not null,
  count_id uuid not null,
  attempt_id uuid,
  note text not null,
  user_id uuid not null,
  created_at timestamp with time zone not null default statement_timestamp(),
  updated_at timestamp with time zone not null default statement_timestamp()
)

table count_progress (
  tenant_id uuid not null,
  location text not null,
  month_start timestamp with time zone not null,
  counted integer not null
)

table count_resets (
  tenant_id uuid not null,
  location text not null,
  count_type text not null,
  day text not null,
  reset_at timestamp with time zone not null
)

table cycle_counts (
  tenant_id uuid not null,
  id text not null,
  location text not null,
  user_type text not null,
  progress jsonb not null,
  completed boolean not null,
  start_date timestamp with time zone not null,
  last_updated timestamp with time zone not null default clock_timestamp()
)

table cycle_resets (
  tenant_id uuid not null,
  id text not null,
  reset_at timestamp with time zone not null
)

table detached_history (
  tenant_id uuid not null,
  history text not null,
  part text not null,
  first_id uuid not null,
  next_id uuid not null,
  entries integer not null,
  detached_at timestamp with time zone not null default clock_timestamp()
)

table discrepancies (
  tenant_id uuid not null,
  id uuid not null default new_id(),
  component_id uuid not null,
  sku text not null,
  location text not null,
  count_type text not null,
  period_start timestamp with time zone not null,
  status text not null,
  expected integer not null,
  counted integer not null,
  attempts integer not null,
  user_id uuid not null,
  user_name text not null,
  reason text,
  note text,
  decided_by text,
  created_at timestamp with time zone not null default clock_timestamp(),
  updated_at timestamp with time zone not null default clock_timestamp(),
  before_dismissal jsonb
)

table high_volume_assignments (
  tenant_id uuid not null,
  component_id uuid not null,
  day text not null,
  location text not null
)

table import_aliases (
  tenant_id uuid not null,
  import_id uuid not null,
  component_id uuid not null,
  barcode text not null,
  pieces integer not null,
  added boolean not null
)

table import_changes (
  tenant_id uuid not null,
  import_id uuid not null,
  component_id uuid not null,
  barcode text not null,
  created boolean not null,
  old_description text not null,
  new_description text not null,
  reinstated boolean not null default false
)

table import_confirmed (
  tenant_id uuid not null,
  import_id uuid not null,
  part integer not null,
  components uuid[] not null,
  fields text[]
)

table import_costs (
  tenant_id uuid not null,
  import_id uuid not null,
  component_id uuid not null,
  old_cost numeric(11,4),
  new_cost numeric(11,4) not null,
  since timestamp with time zone not null,
  put_back timestamp with time zone
)

table import_placements (
  tenant_id uuid not null,
  import_id uuid not null,
  component_id uuid not null,
  location text not null,
  old_bin text not null,
  new_bin text not null,
  old_minimum integer,
  new_minimum integer
)

table import_rows (
  tenant_id uuid not null,
  import_id uuid not null,
  line integer not null,
  barcode text not null,
  description text not null,
  primary_quantity integer,
  secondary_quantity integer,
  fulfillment_quantity integer,
  distribution_quantity integer,
  quarantine_quantity integer,
  fault text,
  placements jsonb,
  unit_cost numeric(11,4),
  others jsonb
)

table imports (
  tenant_id uuid not null,
  id uuid not null default new_id(),
  name text not null,
  fields text[] not null,
  keep_existing boolean not null,
  status text not null,
  staged_rows integer not null default 0,
  created integer not null default 0,
  updated integer not null default 0,
  unchanged integer not null default 0,
  left_out integer not null default 0,
  user_id uuid not null,
  user_name text not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  finished_at timestamp with time zone,
  undone_by text,
  undone_at timestamp with time zone,
  reinstated integer not null default 0,
  retired integer not null default 0,
  leave_out_retired boolean not null default false,
  awaits_end boolean not null default false
)

table kysely_migration (
  name character varying(255) not null,
  timestamp character varying(255) not null
)

table kysely_migration_lock (
  id character varying(255) not null,
  is_locked integer not null default 0
)

table label_jobs (
  tenant_id uuid not null,
  id uuid not null default new_id(),
  user_id uuid not null,
  request_key text,
  request_hash text not null,
  month_start timestamp with time zone not null,
  labels integer not null,
  state text not null default 'reserved'::text,
  streams integer not null default 1,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone not null default now()
)

table label_prints (
  tenant_id uuid not null,
  id uuid not null default new_id(),
  component_id uuid not null,
  copies integer not null,
  size text not null,
  symbology text not null,
  format text not null,
  description text not null,
  user_id uuid not null,
  user_name text not null,
  printed_at timestamp with time zone not null default now()
)

table label_usage (
  tenant_id uuid not null,
  month_start timestamp with time zone not null,
  used integer not null
)

table labelled_components (
  tenant_id uuid not null,
  component_id uuid not null,
  labelled_at timestamp with time zone not null default now(),
  description text not null
)

table login_emails (
  email text not null,
  tenant_id uuid not null,
  user_id uuid not null
)

table low_stock (
  tenant_id uuid not null,
  component_id uuid not null,
  location text not null,
  since timestamp with time zone not null default statement_timestamp(),
  mailed boolean not null default false
)

table migration_files (
  name text not null,
  hash text not null
)

table movements (
  tenant_id uuid not null,
  id uuid not null default new_id(),
  component_id uuid not null,
  location text not null,
  delta integer not null,
  quantity_after integer not null,
  cause text not null,
  note text not null default ''::text,
  user_id uuid not null,
  user_name text not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  reference uuid
)

table not_kept (
  tenant_id uuid not null,
  location text not null,
  component_id uuid not null
)

table one_time_links (
  tenant_id uuid not null,
  id uuid not null default new_id(),
  kind text not null,
  secret_hash text not null,
  email text not null,
  role text,
  user_id uuid,
  created_by text not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  revoked_at timestamp with time zone,
  created_by_id uuid
)

table operations (
  tenant_id uuid not null,
  user_id uuid not null,
  key text not null,
  request_hash text not null,
  reply jsonb,
  created_at timestamp with time zone not null default now()
)

table placements (
  tenant_id uuid not null,
  component_id uuid not null,
  location text not null,
  bin text not null,
  minimum integer,
  bin_at timestamp with time zone,
  minimum_at timestamp with time zone
)

table scan_days (
  tenant_id uuid not null,
  location text not null,
  day date not null,
  scans integer not null
)

table sessions (
  tenant_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  user_agent text not null,
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null,
  last_used_at timestamp with time zone not null default now(),
  ended_at timestamp with time zone
)

table spot_counts (
  tenant_id uuid not null,
  id uuid not null default new_id(),
  location text not null,
  component_ids uuid[] not null,
  user_id uuid,
  due_on date not null,
  created_by text not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  schedule_id uuid
)

table spot_schedules (
  tenant_id uuid not null,
  id uuid not null default new_id(),
  location text not null,
  user_id uuid,
  days text[] not null,
  minutes integer not null,
  people integer not null,
  asked_on date,
  asked_skus integer,
  created_by text not null,
  created_at timestamp with time zone not null default clock_timestamp()
)

table stock (
  tenant_id uuid not null,
  component_id uuid not null,
  location text not null,
  quantity integer not null default 0,
  counted_at timestamp with time zone,
  counted_source text,
  weekly_counted_at timestamp with time zone,
  scans integer not null default 0,
  cleared_at timestamp with time zone,
  weekly_cleared_at timestamp with time zone,
  left_out_at timestamp with time zone
)

table subscriptions (
  tenant_id uuid not null,
  customer_id text not null,
  subscription_id text,
  status text not null default 'none'::text,
  period_ends_at timestamp with time zone,
  ends_with_period boolean not null default false,
  updated_at timestamp with time zone not null default clock_timestamp()
)

table transfers (
  tenant_id uuid not null,
  id uuid not null default new_id(),
  component_id uuid not null,
  from_location text not null,
  to_location text not null,
  quantity integer not null,
  status text not null,
  note text not null default ''::text,
  user_id uuid not null,
  user_name text not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  closed_by text,
  closed_at timestamp with time zone,
  received_in_part integer not null default 0
)

table unknown_code_scans (
  tenant_id uuid not null,
  id uuid not null default new_id(),
  unknown_code_id uuid not null,
  user_id uuid not null,
  user_name text not null,
  request_key text not null,
  scanned_at timestamp with time zone not null,
  quantity integer
)

table unknown_codes (
  tenant_id uuid not null,
  id uuid not null default new_id(),
  code text not null,
  location text not null,
  status text not null default 'open'::text,
  times integer not null default 1,
  found_by uuid not null,
  user_id uuid not null,
  user_name text not null,
  first_seen_at timestamp with time zone not null default clock_timestamp(),
  last_seen_at timestamp with time zone not null default clock_timestamp(),
  decided_by text,
  decided_at timestamp with time zone,
  opened_id uuid not null default new_id()
)

table users (
  tenant_id uuid not null,
  id uuid not null default new_id(),
  email text not null,
  name text not null,
  role text not null,
  password_hash text not null,
  active boolean not null default true,
  created_at timestamp with time zone not null default now(),
  seated boolean not null default true,
  email_confirmed_at timestamp with time zone
)

table webhook_deliveries (
  tenant_id uuid not null,
  id uuid not null default new_id(),
  webhook_id uuid not null,
  entry_id uuid,
  event text not null,
  body text not null,
  status text not null default 'waiting'::text,
  attempts integer not null default 0,
  next_at timestamp with time zone not null default clock_timestamp(),
  tried_at timestamp with time zone,
  reply_status integer,
  problem text,
  created_at timestamp with time zone not null default clock_timestamp()
)

table webhooks (
  tenant_id uuid not null,
  id uuid not null default new_id(),
  url text not null,
  events text[] not null,
  secret text not null,
  position bigint not null,
  failing_since timestamp with time zone,
  disabled_at timestamp with time zone,
  created_by text not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  failed_at timestamp with time zone
)

table weekly_counts (
  tenant_id uuid not null,
  id text not null,
  day text not null,
  location text not null,
  progress jsonb not null,
  completed boolean not null,
  last_updated timestamp with time zone not null default clock_timestamp()
)

table weekly_progress (
  tenant_id uuid not null,
  location text not null,
  day text not null,
  day_start timestamp with time zone,
  total integer not null default 0,
  counted integer not null default 0
)

-- constraints

alias_barcodes: CHECK (((char_length(barcode) >= 1) AND (char_length(barcode) <= 48)))
alias_barcodes: CHECK (((pieces >= 1) AND (pieces <= 10000)))
alias_barcodes: FOREIGN KEY (tenant_id) REFERENCES companies(tenant_id)
alias_barcodes: FOREIGN KEY (tenant_id, component_id) REFERENCES components(tenant_id, id)
alias_barcodes: PRIMARY KEY (tenant_id, barcode)
api_key_calls: PRIMARY KEY (tenant_id, key_id)
api_key_prefixes: PRIMARY KEY (prefix)
api_keys: CHECK (((scopes <@ ARRAY['read'::text, 'count'::text, 'labels'::text, 'admin'::text]) AND (cardinality(scopes) > 0)))
api_keys: CHECK ((length(secret_hash) = 32))
api_keys: FOREIGN KEY (tenant_id) REFERENCES companies(tenant_id)
api_keys: FOREIGN KEY (tenant_id, session_id) REFERENCES sessions(tenant_id, id)
api_keys: FOREIGN KEY (tenant_id, user_id) REFERENCES users(tenant_id, id)
api_keys: PRIMARY KEY (tenant_id, id)
api_keys: UNIQUE (tenant_id, prefix)
attempts: PRIMARY KEY (key)
audit_entries: CHECK ((kind = ANY (ARRAY['authentication'::text, 'configuration'::text, 'label_generation'::text, 'weekly_count'::text, 'monthly_count'::text, 'bulk_import'::text, 'inventory_scan'::text])))
audit_entries: CHECK ((origin = ANY (ARRAY['server'::text, 'client'::text])))
audit_entries: PRIMARY KEY (tenant_id, id)
audit_seals: CHECK ((length(entry_hash) = 32))
audit_seals: CHECK ((length(hash) = 32))
audit_seals: PRIMARY KEY (tenant_id, seq)
audit_seals: UNIQUE (tenant_id, entry_id)
billing_events: FOREIGN KEY (tenant_id) REFERENCES companies(tenant_id)
billing_events: PRIMARY KEY (tenant_id, event_id)
companies: CHECK (((count_tolerance_percent > (0)::numeric) AND (count_tolerance_percent <= (100)::numeric)))
companies: CHECK ((accent_colour ~ '^#[0-9a-f]{6}$'::text))
companies: CHECK ((count_tolerance_units >= 1))
companies: CHECK ((currency ~ '^[A-Z]{3}$'::text))
companies: CHECK ((jsonb_typeof(location_names) = 'object'::text))
companies: CHECK ((plan = ANY (ARRAY['starter'::text, 'professional'::text, 'enterprise'::text])))
companies: PRIMARY KEY (tenant_id)
company_logos: CHECK ((((cardinality(label_rows) >= 1) AND (cardinality(label_rows) <= 96)) AND (length(label_rows[1]) <= 360)))
company_logos: CHECK ((content_type = ANY (ARRAY['image/png'::text, 'image/jpeg'::text, 'image/svg+xml'::text])))
company_logos: CHECK ((octet_length(content) <= 131072))
company_logos: FOREIGN KEY (tenant_id) REFERENCES companies(tenant_id)
company_logos: PRIMARY KEY (tenant_id)
component_costs: CHECK ((unit_cost >= (0)::numeric))
component_costs: FOREIGN KEY (tenant_id) REFERENCES companies(tenant_id)
component_costs: FOREIGN KEY (tenant_id, component_id) REFERENCES components(tenant_id, id)
component_costs: PRIMARY KEY (tenant_id, component_id, since)
components: CHECK (((char_length(barcode) >= 1) AND (char_length(barcode) <= 48)))
components: FOREIGN KEY (tenant_id) REFERENCES companies(tenant_id)
components: PRIMARY KEY (tenant_id, id)
components: UNIQUE (tenant_id, barcode)
count_assignments: CHECK (((cardinality(bins) <= 50) AND (array_position(bins, NULL::text) IS NULL)))
count_assignments: CHECK ((EXTRACT(day FROM month_start) = (1)::numeric))
count_assignments: CHECK ((date_trunc('month'::text, (due_on)::timestamp without time zone) = (month_start)::timestamp without time zone))
count_assignments: FOREIGN KEY (tenant_id) REFERENCES companies(tenant_id)
count_assignments: FOREIGN KEY (tenant_id, user_id) REFERENCES users(tenant_id, id)
count_assignments: PRIMARY KEY (tenant_id, id)
count_assignments: UNIQUE (tenant_id, month_start, location, user_id)
count_attempts: FOREIGN KEY (tenant_id, discrepancy_id) REFERENCES discrepancies(tenant_id, id)
count_attempts: PRIMARY KEY (tenant_id, id)
count_history: CHECK ((count_type = ANY (ARRAY['monthly'::text, 'weekly'::text, 'admin'::text])))
count_history: PRIMARY KEY (tenant_id, id)
count_notes: CHECK (((char_length(note) >= 1) AND (char_length(note) <= 500)))
count_notes: FOREIGN KEY (tenant_id) REFERENCES companies(tenant_id)
count_notes: PRIMARY KEY (tenant_id, count_id)
count_progress: CHECK ((counted >= 0))
count_progress: FOREIGN KEY (tenant_id) REFERENCES companies(tenant_id)
count_progress: PRIMARY KEY (tenant_id, location, month_start)
count_resets: CHECK ((count_type = ANY (ARRAY['monthly'::text, 'weekly'::text])))
count_resets: FOREIGN KEY (tenant_id) REFERENCES companies(tenant_id)
count_resets: PRIMARY KEY (tenant_id, location, count_type, day)
cycle_counts: CHECK ((user_type = ANY (ARRAY['admin'::text, 'user'::text])))
cycle_counts: FOREIGN KEY (tenant_id) REFERENCES companies(tenant_id)
cycle_counts: PRIMARY KEY (tenant_id, user_type, id)
cycle_resets: FOREIGN KEY (tenant_id) REFERENCES companies(tenant_id)
cycle_resets: PRIMARY KEY (tenant_id, id)
detached_history: CHECK ((entries > 0))
detached_history: CHECK ((history = ANY (ARRAY['audit_entries'::text, 'count_history'::text])))
detached_history: FOREIGN KEY (tenant_id) REFERENCES companies(tenant_id)
detached_history: PRIMARY KEY (tenant_id, history, part)
discrepancies: CHECK ((count_type = ANY (ARRAY['monthly'::text, 'weekly'::text, 'admin'::text])))
discrepancies: CHECK ((status = ANY (ARRAY['attempted'::text, 'open'::text, 'recount'::text, 'matched'::text, 'accepted'::text, 'dismissed'::text])))
discrepancies: FOREIGN KEY (tenant_id) REFERENCES companies(tenant_id)
discrepancies: FOREIGN KEY (tenant_id, component_id) REFERENCES components(tenant_id, id)
discrepancies: PRIMARY KEY (tenant_id, id)
high_volume_assignments: CHECK ((day = ANY (ARRAY['Monday'::text, 'Tuesday'::text, 'Wednesday'::text, 'Thursday'::text, 'Friday'::text])))
high_volume_assignments: CHECK ((location = ANY (ARRAY['PRIMARY'::text, 'SECONDARY'::text, 'FULFILLMENT'::text, 'DISTRIBUTION'::text])))
high_volume_assignments: FOREIGN KEY (tenant_id, component_id) REFERENCES components(tenant_id, id)
high_volume_assignments: PRIMARY KEY (tenant_id, component_id, day, location)
import_aliases: FOREIGN KEY (tenant_id) REFERENCES companies(tenant_id)
import_aliases: FOREIGN KEY (tenant_id, import_id) REFERENCES imports(tenant_id, id)
import_aliases: PRIMARY KEY (tenant_id, import_id, barcode)
import_changes: PRIMARY KEY (tenant_id, import_id, component_id)
import_confirmed: FOREIGN KEY (tenant_id) REFERENCES companies(tenant_id)
import_confirmed: FOREIGN KEY (tenant_id, import_id) REFERENCES imports(tenant_id, id)
import_confirmed: PRIMARY KEY (tenant_id, import_id, part)
import_costs: FOREIGN KEY (tenant_id) REFERENCES companies(tenant_id)
import_costs: FOREIGN KEY (tenant_id, import_id) REFERENCES imports(tenant_id, id)
import_costs: PRIMARY KEY (tenant_id, import_id, component_id)
import_placements: FOREIGN KEY (tenant_id) REFERENCES companies(tenant_id)
import_placements: FOREIGN KEY (tenant_id, import_id) REFERENCES imports(tenant_id, id)
import_placements: PRIMARY KEY (tenant_id, import_id, component_id, location)
import_rows: PRIMARY KEY (tenant_id, import_id, line)
imports: CHECK ((status = ANY (ARRAY['staged'::text, 'done'::text, 'undone'::text, 'cancelled'::text, 'expired'::text])))
imports: FOREIGN KEY (tenant_id) REFERENCES companies(tenant_id)
imports: PRIMARY KEY (tenant_id, id)
kysely_migration: PRIMARY KEY (name)
kysely_migration_lock: PRIMARY KEY (id)
label_jobs: CHECK ((labels > 0))
label_jobs: CHECK ((state = ANY (ARRAY['reserved'::text, 'confirmed'::text, 'released'::text])))
label_jobs: CHECK ((streams >= 0))
label_jobs: FOREIGN KEY (tenant_id, user_id) REFERENCES users(tenant_id, id)
label_jobs: PRIMARY KEY (tenant_id, id)
label_jobs: UNIQUE (tenant_id, user_id, request_key)
label_prints: CHECK ((copies > 0))
label_prints: FOREIGN KEY (tenant_id, component_id) REFERENCES components(tenant_id, id)
label_prints: PRIMARY KEY (tenant_id, id)
label_usage: CHECK ((used >= 0))
label_usage: FOREIGN KEY (tenant_id) REFERENCES companies(tenant_id)
label_usage: PRIMARY KEY (tenant_id, month_start)
labelled_components: FOREIGN KEY (tenant_id, component_id) REFERENCES components(tenant_id, id)
labelled_components: PRIMARY KEY (tenant_id, component_id)
login_emails: PRIMARY KEY (email)
low_stock: FOREIGN KEY (tenant_id) REFERENCES companies(tenant_id)
low_stock: FOREIGN KEY (tenant_id, component_id) REFERENCES components(tenant_id, id)
low_stock: PRIMARY KEY (tenant_id, component_id, location)
migration_files: PRIMARY KEY (name)
movements: CHECK ((cause = ANY (ARRAY['import'::text, 'correction'::text, 'discrepancy'::text, 'transfer'::text, 'transfer_cancelled'::text, 'import_undone'::text, 'received'::text, 'issued'::text, 'damaged'::text, 'lost'::text, 'found'::text, 'other'::text])))
movements: CHECK ((delta <> 0))
movements: CHECK ((quantity_after >= 0))
movements: PRIMARY KEY (tenant_id, id)
not_kept: FOREIGN KEY (tenant_id) REFERENCES companies(tenant_id)
not_kept: FOREIGN KEY (tenant_id, component_id) REFERENCES components(tenant_id, id)
not_kept: PRIMARY KEY (tenant_id, location, component_id)
one_time_links: CHECK (((kind = 'invitation'::text) = (role IS NOT NULL)))
one_time_links: CHECK (((kind = 'invitation'::text) = (user_id IS NULL)))
one_time_links: CHECK ((kind = ANY (ARRAY['invitation'::text, 'password'::text, 'email'::text])))
one_time_links: CHECK ((role = ANY (ARRAY['admin'::text, 'user'::text])))
one_time_links: FOREIGN KEY (tenant_id) REFERENCES companies(tenant_id)
one_time_links: FOREIGN KEY (tenant_id, created_by_id) REFERENCES users(tenant_id, id)
one_time_links: FOREIGN KEY (tenant_id, user_id) REFERENCES users(tenant_id, id)
one_time_links: PRIMARY KEY (tenant_id, id)
one_time_links: UNIQUE (tenant_id, secret_hash)
operations: PRIMARY KEY (tenant_id, user_id, key)
placements: CHECK (((bin <> ''::text) OR (minimum IS NOT NULL)))
placements: CHECK ((char_length(bin) <= 40))
placements: CHECK ((minimum >= 0))
placements: FOREIGN KEY (tenant_id) REFERENCES companies(tenant_id)
placements: FOREIGN KEY (tenant_id, component_id) REFERENCES components(tenant_id, id)
placements: PRIMARY KEY (tenant_id, component_id, location)
scan_days: FOREIGN KEY (tenant_id) REFERENCES companies(tenant_id)
scan_days: PRIMARY KEY (tenant_id, location, day)
sessions: FOREIGN KEY (tenant_id, user_id) REFERENCES users(tenant_id, id)
sessions: PRIMARY KEY (tenant_id, id)
spot_counts: CHECK ((((cardinality(component_ids) >= 1) AND (cardinality(component_ids) <= 500)) AND (array_position(component_ids, NULL::uuid) IS NULL)))
spot_counts: FOREIGN KEY (tenant_id) REFERENCES companies(tenant_id)
spot_counts: FOREIGN KEY (tenant_id, user_id) REFERENCES users(tenant_id, id)
spot_counts: PRIMARY KEY (tenant_id, id)
spot_schedules: CHECK (((cardinality(days) >= 1) AND (cardinality(days) <= 7)))
spot_schedules: CHECK (((minutes >= 1) AND (minutes <= 480)))
spot_schedules: CHECK (((people >= 1) AND (people <= 20)))
spot_schedules: CHECK ((days <@ ARRAY['Monday'::text, 'Tuesday'::text, 'Wednesday'::text, 'Thursday'::text, 'Friday'::text, 'Saturday'::text, 'Sunday'::text]))
spot_schedules: FOREIGN KEY (tenant_id) REFERENCES companies(tenant_id)
spot_schedules: FOREIGN KEY (tenant_id, user_id) REFERENCES users(tenant_id, id)
spot_schedules: PRIMARY KEY (tenant_id, id)
stock: CHECK ((counted_source = ANY (ARRAY['monthly'::text, 'weekly'::text, 'admin'::text])))
stock: CHECK ((location = ANY (ARRAY['PRIMARY'::text, 'SECONDARY'::text, 'FULFILLMENT'::text, 'DISTRIBUTION'::text, 'QUARANTINE'::text])))
stock: CHECK ((quantity >= 0))
stock: FOREIGN KEY (tenant_id, component_id) REFERENCES components(tenant_id, id)
stock: PRIMARY KEY (tenant_id, component_id, location)
subscriptions: CHECK ((status = ANY (ARRAY['none'::text, 'active'::text, 'past_due'::text, 'ended'::text])))
subscriptions: FOREIGN KEY (tenant_id) REFERENCES companies(tenant_id)
subscriptions: PRIMARY KEY (tenant_id)
transfers: CHECK (((received_in_part >= 0) AND (received_in_part < quantity)))
transfers: CHECK ((from_location <> to_location))
transfers: CHECK ((quantity > 0))
transfers: CHECK ((status = ANY (ARRAY['in_transit'::text, 'received'::text, 'cancelled'::text, 'written_off'::text])))
transfers: FOREIGN KEY (tenant_id) REFERENCES companies(tenant_id)
transfers: FOREIGN KEY (tenant_id, component_id) REFERENCES components(tenant_id, id)
transfers: PRIMARY KEY (tenant_id, id)
unknown_code_scans: FOREIGN KEY (tenant_id, unknown_code_id) REFERENCES unknown_codes(tenant_id, id)
unknown_code_scans: PRIMARY KEY (tenant_id, id)
unknown_code_scans: UNIQUE (tenant_id, unknown_code_id, user_id, request_key)
unknown_codes: CHECK (((char_length(code) >= 1) AND (char_length(code) <= 48)))
unknown_codes: CHECK ((location = ANY (ARRAY['PRIMARY'::text, 'SECONDARY'::text, 'FULFILLMENT'::text, 'DISTRIBUTION'::text])))
unknown_codes: CHECK ((status = ANY (ARRAY['open'::text, 'component'::text, 'ignored'::text])))
unknown_codes: FOREIGN KEY (tenant_id) REFERENCES companies(tenant_id)
unknown_codes: PRIMARY KEY (tenant_id, id)
unknown_codes: UNIQUE (tenant_id, code, location)
users: CHECK ((role = ANY (ARRAY['admin'::text, 'user'::text, 'api_key'::text])))
users: FOREIGN KEY (tenant_id) REFERENCES companies(tenant_id)
users: PRIMARY KEY (tenant_id, id)
users: UNIQUE (tenant_id, email)
webhook_deliveries: CHECK ((status = ANY (ARRAY['waiting'::text, 'delivered'::text, 'failed'::text])))
webhook_deliveries: FOREIGN KEY (tenant_id, webhook_id) REFERENCES webhooks(tenant_id, id)
webhook_deliveries: PRIMARY KEY (tenant_id, id)
webhook_deliveries: UNIQUE (tenant_id, webhook_id, entry_id, event)
webhooks: CHECK ((cardinality(events) > 0))
webhooks: FOREIGN KEY (tenant_id) REFERENCES companies(tenant_id)
webhooks: PRIMARY KEY (tenant_id, id)
weekly_counts: FOREIGN KEY (tenant_id) REFERENCES companies(tenant_id)
weekly_counts: PRIMARY KEY (tenant_id, id)
weekly_progress: FOREIGN KEY (tenant_id) REFERENCES companies(tenant_id)
weekly_progress: PRIMARY KEY (tenant_id, location, day)

-- indexes

CREATE INDEX alias_barcodes_of_component ON public.alias_barcodes USING btree (tenant_id, component_id)
CREATE UNIQUE INDEX alias_barcodes_pkey ON public.alias_barcodes USING btree (tenant_id, barcode)
CREATE UNIQUE INDEX api_key_calls_pkey ON public.api_key_calls USING btree (tenant_id, key_id)
CREATE UNIQUE INDEX api_key_prefixes_pkey ON public.api_key_prefixes USING btree (prefix)
CREATE UNIQUE INDEX api_keys_pkey ON public.api_keys USING btree (tenant_id, id)
CREATE UNIQUE INDEX api_keys_tenant_id_prefix_key ON public.api_keys USING btree (tenant_id, prefix)
CREATE UNIQUE INDEX attempts_pkey ON public.attempts USING btree (key)
CREATE INDEX audit_entries_by_transaction ON ONLY public.audit_entries USING btree (tenant_id, transaction_id)
CREATE UNIQUE INDEX audit_entries_pkey ON ONLY public.audit_entries USING btree (tenant_id, id)
CREATE UNIQUE INDEX audit_seals_pkey ON public.audit_seals USING btree (tenant_id, seq)
CREATE UNIQUE INDEX audit_seals_tenant_id_entry_id_key ON public.audit_seals USING btree (tenant_id, entry_id)
CREATE UNIQUE INDEX billing_events_pkey ON public.billing_events USING btree (tenant_id, event_id)
CREATE UNIQUE INDEX companies_pkey ON public.companies USING btree (tenant_id)
CREATE UNIQUE INDEX company_logos_pkey ON public.company_logos USING btree (tenant_id)
CREATE UNIQUE INDEX component_costs_pkey ON public.component_costs USING btree (tenant_id, component_id, since)
CREATE INDEX components_retired_idx ON public.components USING btree (tenant_id, barcode) WHERE (retired_at IS NOT NULL)
CREATE UNIQUE INDEX components_pkey ON public.components USING btree (tenant_id, id)
CREATE UNIQUE INDEX components_tenant_id_barcode_key ON public.components USING btree (tenant_id, barcode)
CREATE UNIQUE INDEX count_assignments_pkey ON public.count_assignments USING btree (tenant_id, id)
CREATE UNIQUE INDEX count_assignments_tenant_id_month_start_location_user_id_key ON public.count_assignments USING btree (tenant_id, month_start, location, user_id)
CREATE INDEX attempts_of_discrepancy ON public.count_attempts USING btree (tenant_id, discrepancy_id, attempt)
CREATE UNIQUE INDEX count_attempts_pkey ON public.count_attempts USING btree (tenant_id, id)
CREATE INDEX count_history_admin ON ONLY public.count_history USING btree (tenant_id, counted_at, id) WHERE (count_type = 'admin'::text)
CREATE INDEX count_history_by_time ON ONLY public.count_history USING btree (tenant_id, counted_at, id)
CREATE INDEX count_history_of_sku ON ONLY public.count_history USING btree (tenant_id, sku, location, id)
CREATE INDEX count_history_reported ON ONLY public.count_history USING btree (tenant_id, id) WHERE ((NOT sets_mark) AND (undoes IS NULL))
CREATE INDEX count_history_undoing ON ONLY public.count_history USING btree (tenant_id, undoes) WHERE (undoes IS NOT NULL)
CREATE INDEX count_history_weekly ON ONLY public.count_history USING btree (tenant_id, counted_at, id) WHERE (count_type = 'weekly'::text)
CREATE UNIQUE INDEX count_history_pkey ON ONLY public.count_history USING btree (tenant_id, id)
CREATE INDEX count_notes_of_attempts ON public.count_notes USING btree (tenant_id, attempt_id) WHERE (attempt_id IS NOT NULL)
CREATE UNIQUE INDEX count_notes_pkey ON public.count_notes USING btree (tenant_id, count_id)
CREATE UNIQUE INDEX count_progress_pkey ON public.count_progress USING btree (tenant_id, location, month_start)
CREATE UNIQUE INDEX count_resets_pkey ON public.count_resets USING btree (tenant_id, location, count_type, day)
CREATE UNIQUE INDEX cycle_counts_pkey ON public.cycle_counts USING btree (tenant_id, user_type, id)
CREATE UNIQUE INDEX cycle_resets_pkey ON public.cycle_resets USING btree (tenant_id, id)
CREATE UNIQUE INDEX detached_history_pkey ON public.detached_history USING btree (tenant_id, history, part)
CREATE INDEX discrepancies_by_period ON public.discrepancies USING btree (tenant_id, period_start, location)
CREATE INDEX discrepancies_by_status ON public.discrepancies USING btree (tenant_id, status, id)
CREATE INDEX discrepancies_of_component ON public.discrepancies USING btree (tenant_id, component_id, id)
CREATE INDEX discrepancies_of_sku ON public.discrepancies USING btree (tenant_id, location, sku, id)
CREATE UNIQUE INDEX discrepancies_pkey ON public.discrepancies USING btree (tenant_id, id)
CREATE UNIQUE INDEX one_undecided_discrepancy ON public.discrepancies USING btree (tenant_id, component_id, location, count_type, period_start) WHERE (status = ANY (ARRAY['attempted'::text, 'open'::text, 'recount'::text]))
CREATE INDEX high_volume_of_day ON public.high_volume_assignments USING btree (tenant_id, location, day)
CREATE UNIQUE INDEX high_volume_assignments_pkey ON public.high_volume_assignments USING btree (tenant_id, component_id, day, location)
CREATE INDEX import_aliases_of_barcode ON public.import_aliases USING btree (tenant_id, barcode)
CREATE UNIQUE INDEX import_aliases_pkey ON public.import_aliases USING btree (tenant_id, import_id, barcode)
CREATE UNIQUE INDEX import_changes_pkey ON public.import_changes USING btree (tenant_id, import_id, component_id)
CREATE UNIQUE INDEX import_confirmed_pkey ON public.import_confirmed USING btree (tenant_id, import_id, part)
CREATE INDEX import_costs_of_component ON public.import_costs USING btree (tenant_id, component_id)
CREATE UNIQUE INDEX import_costs_pkey ON public.import_costs USING btree (tenant_id, import_id, component_id)
CREATE UNIQUE INDEX import_placements_pkey ON public.import_placements USING btree (tenant_id, import_id, component_id, location)
CREATE UNIQUE INDEX import_rows_pkey ON public.import_rows USING btree (tenant_id, import_id, line)
CREATE UNIQUE INDEX imports_pkey ON public.imports USING btree (tenant_id, id)
CREATE UNIQUE INDEX kysely_migration_pkey ON public.kysely_migration USING btree (name)
CREATE UNIQUE INDEX kysely_migration_lock_pkey ON public.kysely_migration_lock USING btree (id)
CREATE INDEX label_jobs_reserved ON public.label_jobs USING btree (tenant_id, expires_at) WHERE (state = 'reserved'::text)
CREATE UNIQUE INDEX label_jobs_pkey ON public.label_jobs USING btree (tenant_id, id)
CREATE UNIQUE INDEX label_jobs_tenant_id_user_id_request_key_key ON public.label_jobs USING btree (tenant_id, user_id, request_key)
CREATE INDEX label_prints_of_component ON public.label_prints USING btree (tenant_id, component_id, id)
CREATE UNIQUE INDEX label_prints_pkey ON public.label_prints USING btree (tenant_id, id)
CREATE UNIQUE INDEX label_usage_pkey ON public.label_usage USING btree (tenant_id, month_start)
CREATE UNIQUE INDEX labelled_components_pkey ON public.labelled_components USING btree (tenant_id, component_id)
CREATE UNIQUE INDEX login_emails_pkey ON public.login_emails USING btree (email)
CREATE INDEX low_stock_to_mail ON public.low_stock USING btree (tenant_id) WHERE (NOT mailed)
CREATE UNIQUE INDEX low_stock_pkey ON public.low_stock USING btree (tenant_id, component_id, location)
CREATE UNIQUE INDEX migration_files_pkey ON public.migration_files USING btree (name)
CREATE INDEX movements_of_component ON public.movements USING btree (tenant_id, component_id, id)
CREATE INDEX movements_of_reference ON public.movements USING btree (tenant_id, reference) WHERE (reference IS NOT NULL)
CREATE UNIQUE INDEX movements_pkey ON public.movements USING btree (tenant_id, id)
CREATE UNIQUE INDEX not_kept_pkey ON public.not_kept USING btree (tenant_id, location, component_id)
CREATE INDEX links_of_email ON public.one_time_links USING btree (tenant_id, email)
CREATE UNIQUE INDEX one_time_links_pkey ON public.one_time_links USING btree (tenant_id, id)
CREATE UNIQUE INDEX one_time_links_tenant_id_secret_hash_key ON public.one_time_links USING btree (tenant_id, secret_hash)
CREATE INDEX operations_by_age ON public.operations USING btree (uuid_hash_extended(tenant_id, (0)::bigint), created_at)
CREATE UNIQUE INDEX operations_pkey ON public.operations USING btree (tenant_id, user_id, key)
CREATE INDEX placements_by_bin ON public.placements USING btree (tenant_id, location, lower((bin COLLATE "C")), component_id) WHERE (bin <> ''::text)
CREATE INDEX placements_with_minimum ON public.placements USING btree (tenant_id) WHERE (minimum IS NOT NULL)
CREATE UNIQUE INDEX placements_pkey ON public.placements USING btree (tenant_id, component_id, location)
CREATE UNIQUE INDEX scan_days_pkey ON public.scan_days USING btree (tenant_id, location, day)
CREATE INDEX sessions_of_user ON public.sessions USING btree (tenant_id, user_id)
CREATE UNIQUE INDEX sessions_pkey ON public.sessions USING btree (tenant_id, id)
CREATE UNIQUE INDEX spot_counts_pkey ON public.spot_counts USING btree (tenant_id, id)
CREATE UNIQUE INDEX spot_schedules_pkey ON public.spot_schedules USING btree (tenant_id, id)
CREATE UNIQUE INDEX stock_pkey ON public.stock USING btree (tenant_id, component_id, location)
CREATE UNIQUE INDEX subscriptions_pkey ON public.subscriptions USING btree (tenant_id)
CREATE INDEX transfers_of_component ON public.transfers USING btree (tenant_id, component_id, id)
CREATE INDEX transfers_under_way ON public.transfers USING btree (tenant_id, to_location, id) WHERE (status = 'in_transit'::text)
CREATE UNIQUE INDEX transfers_pkey ON public.transfers USING btree (tenant_id, id)
CREATE UNIQUE INDEX unknown_code_scans_pkey ON public.unknown_code_scans USING btree (tenant_id, id)
CREATE UNIQUE INDEX unknown_code_scans_tenant_id_unknown_code_id_user_id_reques_key ON public.unknown_code_scans USING btree (tenant_id, unknown_code_id, user_id, request_key)
CREATE INDEX unknown_codes_by_status ON public.unknown_codes USING btree (tenant_id, status, opened_id)
CREATE UNIQUE INDEX unknown_codes_pkey ON public.unknown_codes USING btree (tenant_id, id)
CREATE UNIQUE INDEX unknown_codes_tenant_id_code_location_key ON public.unknown_codes USING btree (tenant_id, code, location)
CREATE UNIQUE INDEX users_pkey ON public.users USING btree (tenant_id, id)
CREATE UNIQUE INDEX users_tenant_id_email_key ON public.users USING btree (tenant_id, email)
CREATE INDEX webhook_deliveries_due ON public.webhook_deliveries USING btree (tenant_id, webhook_id, next_at) WHERE (status = 'waiting'::text)
CREATE INDEX webhook_deliveries_given_up ON public.webhook_deliveries USING btree (tenant_id, webhook_id, id) WHERE (status = 'failed'::text)
CREATE UNIQUE INDEX webhook_deliveries_pkey ON public.webhook_deliveries USING btree (tenant_id, id)
CREATE UNIQUE INDEX webhook_deliveries_tenant_id_webhook_id_entry_id_event_key ON public.webhook_deliveries USING btree (tenant_id, webhook_id, entry_id, event)
CREATE UNIQUE INDEX webhooks_pkey ON public.webhooks USING btree (tenant_id, id)
CREATE UNIQUE INDEX weekly_counts_pkey ON public.weekly_counts USING btree (tenant_id, id)
CREATE UNIQUE INDEX weekly_progress_pkey ON public.weekly_progress USING btree (tenant_id, location, day)

-- row level security

alias_barcodes: enabled and forced, using (tenant_id = current_tenant()), with check (tenant_id = current_tenant())
api_key_calls: enabled and forced, using (tenant_id = current_tenant()), with check (tenant_id = current_tenant())
api_keys: enabled and forced, using (tenant_id = current_tenant()), with check (tenant_id = current_tenant())
audit_entries: enabled and forced, using (tenant_id = current_tenant()), with check (tenant_id = current_tenant())
audit_seals: enabled and forced, using (tenant_id = current_tenant()), with check (tenant_id = current_tenant())
billing_events: enabled and forced, using (tenant_id = current_tenant()), with check (tenant_id = current_tenant())
companies: enabled and forced, using (tenant_id = current_tenant()), with check (tenant_id = current_tenant())
company_logos: enabled and forced, using (tenant_id = current_tenant()), with check (tenant_id = current_tenant())
component_costs: enabled and forced, using (tenant_id = current_tenant()), with check (tenant_id = current_tenant())
components: enabled and forced, using (tenant_id = current_tenant()), with check (tenant_id = current_tenant())
count_assignments: enabled and forced, using (tenant_id = current_tenant()), with check (tenant_id = current_tenant())
count_attempts: enabled and forced, using (tenant_id = current_tenant()), with check (tenant_id = current_tenant())
count_history: enabled and forced, using (tenant_id = current_tenant()), with check (tenant_id = current_tenant())
count_notes: enabled and forced, using (tenant_id = current_tenant()), with check (tenant_id = current_tenant())
count_progress: enabled and forced, using (tenant_id = current_tenant()), with check (tenant_id = current_tenant())
count_resets: enabled and forced, using (tenant_id = current_tenant()), with check (tenant_id = current_tenant())
cycle_counts: enabled and forced, using (tenant_id = current_tenant()), with check (tenant_id = current_tenant())
cycle_resets: enabled and forced, using (tenant_id = current_tenant()), with check (tenant_id = current_tenant())
detached_history: enabled and forced, using (tenant_id = current_tenant()), with check (tenant_id = current_tenant())
discrepancies: enabled and forced, using (tenant_id = current_tenant()), with check (tenant_id = current_tenant())
high_volume_assignments: enabled and forced, using (tenant_id = current_tenant()), with check (tenant_id = current_tenant())
import_aliases: enabled and forced, using (tenant_id = current_tenant()), with check (tenant_id = current_tenant())
import_changes: enabled and forced, using (tenant_id = current_tenant()), with check (tenant_id = current_tenant())
import_confirmed: enabled and forced, using (tenant_id = current_tenant()), with check (tenant_id = current_tenant())
import_costs: enabled and forced, using (tenant_id = current_tenant()), with check (tenant_id = current_tenant())
import_placements: enabled and forced, using (tenant_id = current_tenant()), with check (tenant_id = current_tenant())
import_rows: enabled and forced, using (tenant_id = current_tenant()), with check (tenant_id = current_tenant())
imports: enabled and forced, using (tenant_id = current_tenant()), with check (tenant_id = current_tenant())
label_jobs: enabled and forced, using (tenant_id = current_tenant()), with check (tenant_id = current_tenant())
label_prints: enabled and forced, using (tenant_id = current_tenant()), with check (tenant_id = current_tenant())
label_usage: enabled and forced, using (tenant_id = current_tenant()), with check (tenant_id = current_tenant())
labelled_components: enabled and forced, using (tenant_id = current_tenant()), with check (tenant_id = current_tenant())
low_stock: enabled and forced, using (tenant_id = current_tenant()), with check (tenant_id = current_tenant())
movements: enabled and forced, using (tenant_id = current_tenant()), with check (tenant_id = current_tenant())
not_kept: enabled and forced, using (tenant_id = current_tenant()), with check (tenant_id = current_tenant())
one_time_links: enabled and forced, using (tenant_id = current_tenant()), with check (tenant_id = current_tenant())
operations: enabled and forced, using (tenant_id = current_tenant()), with check (tenant_id = current_tenant())
placements: enabled and forced, using (tenant_id = current_tenant()), with check (tenant_id = current_tenant())
scan_days: enabled and forced, using (tenant_id = current_tenant()), with check (tenant_id = current_tenant())
sessions: enabled and forced, using (tenant_id = current_tenant()), with check (tenant_id = current_tenant())
spot_counts: enabled and forced, using (tenant_id = current_tenant()), with check (tenant_id = current_tenant())
spot_schedules: enabled and forced, using (tenant_id = current_tenant()), with check (tenant_id = current_tenant())
stock: enabled and forced, using (tenant_id = current_tenant()), with check (tenant_id = current_tenant())
subscriptions: enabled and forced, using (tenant_id = current_tenant()), with check (tenant_id = current_tenant())
transfers: enabled and forced, using (tenant_id = current_tenant()), with check (tenant_id = current_tenant())
unknown_code_scans: enabled and forced, using (tenant_id = current_tenant()), with check (tenant_id = current_tenant())
unknown_codes: enabled and forced, using (tenant_id = current_tenant()), with check (tenant_id = current_tenant())
users: enabled and forced, using (tenant_id = current_tenant()), with check (tenant_id = current_tenant())
webhook_deliveries: enabled and forced, using (tenant_id = current_tenant()), with check (tenant_id = current_tenant())
webhooks: enabled and forced, using (tenant_id = current_tenant()), with check (tenant_id = current_tenant())
weekly_counts: enabled and forced, using (tenant_id = current_tenant()), with check (tenant_id = current_tenant())
weekly_progress: enabled and forced, using (tenant_id = current_tenant()), with check (tenant_id = current_tenant())

-- triggers

CREATE TRIGGER audit_entries_stay BEFORE DELETE OR UPDATE OR TRUNCATE ON public.audit_entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()
CREATE TRIGGER audit_seals_stay BEFORE DELETE OR UPDATE OR TRUNCATE ON public.audit_seals FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()

-- parts

every part of audit_entries: row level security enabled and forced, granted to nobody, triggers audit_entries_stay
every part of count_history: row level security enabled and forced, granted to nobody, triggers none

-- grants

delete, insert, select on alias_barcodes
insert, select, update on api_key_calls
insert, select, update on api_keys
delete, insert, select, update on attempts
insert, select on audit_entries
insert, select on audit_seals
insert, select on billing_events
insert, select, update on companies
delete, insert, select, update on company_logos
insert, select on component_costs
insert, select, update on components
delete, insert, select, update on count_assignments
insert, select on count_attempts
insert, select on count_history
delete, insert, select, update on count_notes
delete, insert, select, update on count_progress
insert, select, update on count_resets
delete, insert, select, update on cycle_counts
insert, select, update on cycle_resets
insert, select on detached_history
insert, select, update on discrepancies
delete, insert, select on high_volume_assignments
insert, select, update on import_aliases
insert, select, update on import_changes
insert, select on import_confirmed
insert, select, update on import_costs
insert, select, update on import_placements
delete, insert, select on import_rows
insert, select, update on imports
insert, select, update on label_jobs
insert, select on label_prints
insert, select, update on label_usage
insert, select, update on labelled_components
delete, insert, select, update on low_stock
insert, select on movements
delete, insert, select on not_kept
delete, insert, select, update on one_time_links
delete, insert, select, update on operations
delete, insert, select, update on placements
delete, insert, select, update on scan_days
delete, insert, select, update on sessions
delete, insert, select on spot_counts
delete, insert, select, update on spot_schedules
insert, select, update on stock
select on stock_held
insert, select, update on subscriptions
insert, select, update on transfers
delete, insert, select on unknown_code_scans
insert, select, update on unknown_codes
insert, select, update on users
delete, insert, select, update on webhook_deliveries
delete, insert, select, update on webhooks
delete, insert, select, update on weekly_counts
select on weekly_plans
delete, insert, select, update on weekly_progress

-- views

view stock_held (tenant_id uuid, component_id uuid, quantities bigint[], counted text[], counted_at timestamp with time zone, counted_location text, counted_source text) with (security_invoker=true) as
 SELECT tenant_id,
    component_id,
    quantities,
        CASE
            WHEN (counted_at IS NOT NULL) THEN ARRAY[to_char((counted_at AT TIME ZONE 'UTC'::text), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'::text), (ARRAY['PRIMARY'::text, 'SECONDARY'::text, 'FULFILLMENT'::text, 'DISTRIBUTION'::text, 'QUARANTINE'::text])[(((newest / 4) % (8)::bigint) + 1)], (ARRAY['monthly'::text, 'weekly'::text, 'admin'::text])[((newest % (4)::bigint) + 1)]]
            ELSE NULL::text[]
        END AS counted,
    counted_at,
    (ARRAY['PRIMARY'::text, 'SECONDARY'::text, 'FULFILLMENT'::text, 'DISTRIBUTION'::text, 'QUARANTINE'::text])[(((newest / 4) % (8)::bigint) + 1)] AS counted_location,
    (ARRAY['monthly'::text, 'weekly'::text, 'admin'::text])[((newest % (4)::bigint) + 1)] AS counted_source
   FROM ( SELECT stock.tenant_id,
            stock.component_id,
            max(stock.counted_at) AS counted_at,
            ARRAY[COALESCE(sum(stock.quantity) FILTER (WHERE (stock.location = 'PRIMARY'::text)), (0)::bigint), COALESCE(sum(stock.quantity) FILTER (WHERE (stock.location = 'SECONDARY'::text)), (0)::bigint), COALESCE(sum(stock.quantity) FILTER (WHERE (stock.location = 'FULFILLMENT'::text)), (0)::bigint), COALESCE(sum(stock.quantity) FILTER (WHERE (stock.location = 'DISTRIBUTION'::text)), (0)::bigint), COALESCE(sum(stock.quantity) FILTER (WHERE (stock.location = 'QUARANTINE'::text)), (0)::bigint), sum(stock.quantity)] AS quantities,
            max((((((date_part('epoch'::text, stock.counted_at) * (1000000)::double precision))::bigint * 32) +
                CASE stock.location
                    WHEN 'PRIMARY'::text THEN 0
                    WHEN 'SECONDARY'::text THEN 4
                    WHEN 'FULFILLMENT'::text THEN 8
                    WHEN 'DISTRIBUTION'::text THEN 12
                    ELSE 16
                END) +
                CASE stock.counted_source
                    WHEN 'monthly'::text THEN 0
                    WHEN 'weekly'::text THEN 1
                    WHEN 'admin'::text THEN 2
                    ELSE 3
                END)) AS newest
           FROM stock
          GROUP BY stock.tenant_id, stock.component_id) summed;
view weekly_plans (tenant_id uuid, component_id uuid, config json, days text[]) with (security_invoker=true) as
 SELECT tenant_id,
    component_id,
    json_object_agg(day, locations ORDER BY (array_position(ARRAY['Monday'::text, 'Tuesday'::text, 'Wednesday'::text, 'Thursday'::text, 'Friday'::text], day))) AS config,
    array_agg(day) AS days
   FROM ( SELECT high_volume_assignments.tenant_id,
            high_volume_assignments.component_id,
            high_volume_assignments.day,
            json_agg(high_volume_assignments.location ORDER BY high_volume_assignments.location) AS locations
           FROM high_volume_assignments
          GROUP BY high_volume_assignments.tenant_id, high_volume_assignments.component_id, high_volume_assignments.day) daily
  GROUP BY tenant_id, component_id;

-- functions

CREATE OR REPLACE FUNCTION public.accept_differences(p_tenant uuid, p_ids uuid[], p_note text, p_user uuid, p_user_name text)
 RETURNS TABLE(outcome text, id uuid, sku text, location text, count_type text, status text, expected integer, counted integer)
 LANGUAGE plpgsql
AS $function$
#variable_conflict use_column
declare
  v_id uuid;
  v_item discrepancies;
  v_change integer;
  v_quantity bigint;
  v_outcome text;
  v_other discrepancies;
  v_settled uuid[] := '{}';
begin
  foreach v_id in array p_ids loop
    continue when v_id = any (v_settled);
    select * into v_item from discrepancies where tenant_id = p_tenant and id = v_id;
    v_change := v_item.counted - v_item.expected;
    select quantity into v_quantity from stock
    where tenant_id = p_tenant and component_id = v_item.component_id and location = v_item.location;
    -- A first entry is not the count yet: the SKU stays pending until there is a second.
    v_outcome := case
      when v_item.status <> 'open' then 'not_recorded'
      when v_quantity + v_change > 2147483647 then 'stock_limit'
      when not move_stock(
        p_tenant, v_item.component_id, v_item.location, v_change, 'discrepancy', p_note, p_user, p_user_name
      ) then 'below_zero'
    end;
    if v_outcome is not null then
      return query select v_outcome, v_id, v_item.sku, v_item.location, v_item.count_type, v_item.status, v_item.expected,
        v_item.counted;
      return;
    end if;
    for v_other in
      select * from settle_differences(p_tenant, v_id, v_item.component_id, v_item.location, v_change, p_user_name)
    loop
      v_settled := v_settled || v_other.id;
      return query select 'settled', v_other.id, v_other.sku, v_other.location, v_other.count_type, v_other.status,
        v_other.expected, v_other.counted;
    end loop;
  end loop;
end
$function$
CREATE OR REPLACE FUNCTION public.add_history_part(p_history text, p_part text, p_bounds text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  execute format('create table public.%I (like public.%I including all)', p_part, p_history);
  perform public.guard_history_part(p_history, p_part);
  execute format('alter table public.%I attach partition public.%I %s', p_history, p_part, p_bounds);
end
$function$
CREATE OR REPLACE FUNCTION public.add_to_weekly_progress(p_tenant uuid, p_component uuid, p_location text, p_day text, p_day_start timestamp with time zone, p_is_new boolean)
 RETURNS weekly_progress
 LANGUAGE plpgsql
AS $function$
declare
  v_list record;
  v_progress weekly_progress;
  v_asked weekly_progress;
begin
  -- In one order and after count_progress, because others who count wait for these rows until the commit.
  for v_list in
    select day, bool_or(is_listed) and p_is_new as is_new
    from (
      select day, true as is_listed from high_volume_assignments
      where tenant_id = p_tenant and component_id = p_component and location = p_location
      union all
      select p_day, false
    ) as lists
    group by day
    order by day
  loop
    continue when not v_list.is_new and v_list.day <> p_day;
    update weekly_progress set counted = counted + v_list.is_new::integer
    where tenant_id = p_tenant and location = p_location and day = v_list.day and day_start = p_day_start
    returning * into v_progress;
    if not found then
      v_progress := count_weekly_progress(p_tenant, p_location, v_list.day, p_day_start);
    end if;
    if v_list.day = p_day then v_asked := v_progress; end if;
  end loop;
  return v_asked;
end
$function$
CREATE OR REPLACE FUNCTION public.audit_horizon()
 RETURNS uuid
 LANGUAGE sql
BEGIN ATOMIC
 SELECT id_at((LEAST(clock_timestamp(), ( SELECT min(pg_stat_activity.xact_start) AS min
            FROM pg_stat_activity
           WHERE ((pg_stat_activity.datname = current_database()) AND (pg_stat_activity.pid <> pg_backend_pid()) AND ((pg_stat_activity.application_name IS DISTINCT FROM 'inventory-manager only reading'::text) OR (pg_stat_activity.backend_xid IS NOT NULL)))), ( SELECT (clock_timestamp() - '00:10:00'::interval)
            FROM (pg_stat_activity other
              JOIN pg_locks held ON ((held.pid = other.pid)))
           WHERE ((other.datname = current_database()) AND (other.usesysid IS NOT NULL) AND (other.backend_type IS NULL) AND (held.relation = ('audit_entries'::regclass)::oid) AND (held.mode <> 'AccessShareLock'::text))
          LIMIT 1)) - '00:00:10'::interval)) AS id_at;
END
CREATE OR REPLACE FUNCTION public.change_time_zone(p_tenant uuid, p_zone text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  v_old text;
  v_month timestamptz;
  v_last date;
begin
  perform pg_advisory_xact_lock(time_zone_lock(p_tenant));
  select time_zone into v_old from companies where tenant_id = p_tenant for no key update;
  update companies set time_zone = p_zone where tenant_id = p_tenant;
  v_month := start_of_month(now(), p_zone);

  update label_usage
  set month_start = (month_start at time zone v_old) at time zone p_zone
  where tenant_id = p_tenant;
  update label_jobs
  set month_start = (month_start at time zone v_old) at time zone p_zone
  where tenant_id = p_tenant;

  -- By way of the distant past, because two zones a day apart give one day the other's beginning.
  update discrepancies
  set period_start = (
    (((period_start at time zone v_old) at time zone p_zone) at time zone 'UTC') - interval '400000 days'
  ) at time zone 'UTC'
  where tenant_id = p_tenant and status in ('attempted', 'open', 'recount');
  update discrepancies
  set period_start = ((period_start at time zone 'UTC') + interval '400000 days') at time zone 'UTC'
  where tenant_id = p_tenant and status in ('attempted', 'open', 'recount');

  update count_progress
  set month_start = (month_start at time zone v_old) at time zone p_zone
  where tenant_id = p_tenant;
  delete from count_progress where tenant_id = p_tenant and month_start >= v_month;
  insert into count_progress (tenant_id, location, month_start, counted)
  select p_tenant, location, v_month, count(*)
  from stock
  join components on components.tenant_id = p_tenant and components.id = stock.component_id
    and components.retired_at is null
  where stock.tenant_id = p_tenant and counted_at >= v_month and not exists (
    select from not_kept
    where not_kept.tenant_id = p_tenant and not_kept.location = stock.location and not_kept.component_id = stock.component_id
  )
  group by location
  on conflict (tenant_id, location, month_start) do nothing;
  perform forget_weekly_progress(p_tenant, array['PRIMARY', 'SECONDARY', 'FULFILLMENT', 'DISTRIBUTION']);

  -- Up to the last day, in whatever zone, that a count which was put aside may have: what is left in the history moves there
  -- from its old day to its new one, and the rest keeps its days. Those after it are counted anew.
  select max((instant_of(next_id) + interval '1 day') at time zone 'UTC')::date into v_last
  from detached_history
  where tenant_id = p_tenant and history = 'count_history';
  v_last := coalesce(v_last, '-infinity');
  delete from scan_days where tenant_id = p_tenant and day > v_last;
  insert into scan_days (tenant_id, location, day, scans)
  select p_tenant, location, (counted_at at time zone p_zone)::date, count(*)
  from count_history entry
  where tenant_id = p_tenant and undoes is null and not exists (
    select from count_history back
    where back.tenant_id = p_tenant and back.sku = entry.sku and back.location = entry.location
      and back.undoes = entry.id and back.undoes is not null
  )
  group by 2, 3
  on conflict (tenant_id, location, day) do update set scans = scan_days.scans + excluded.scans;
  if v_last > '-infinity' then
    insert into scan_days (tenant_id, location, day, scans)
    select p_tenant, location, (counted_at at time zone v_old)::date, -count(*)
    from count_history entry
    where tenant_id = p_tenant and undoes is null and (counted_at at time zone v_old)::date <= v_last
      -- As the index of the history by time has it, and later than that day ends anywhere.
      and counted_at < (v_last + 2)::timestamp at time zone 'UTC' and not exists (
        select from count_history back
        where back.tenant_id = p_tenant and back.sku = entry.sku and back.location = entry.location
          and back.undoes = entry.id and back.undoes is not null
      )
    group by 2, 3
    on conflict (tenant_id, location, day) do update set scans = scan_days.scans + excluded.scans;
  end if;
  delete from scan_days where tenant_id = p_tenant and scans <= 0;

  -- A difference is of the day or month of its newest scan, as its line is, unless another one of its place waits in that. Those of
  -- counts that were put aside stay where they are.
  with scanned as materialized (
    select difference.id, difference.component_id, difference.location, difference.count_type,
      difference.status in ('attempted', 'open', 'recount') as waits,
      case
        when difference.count_type = 'weekly' then start_of_day(difference.period_start + interval '12 hours', p_zone)
        else start_of_month(difference.period_start + interval '15 days', p_zone)
      end as named,
      case
        when difference.count_type = 'weekly' then start_of_day(newest.counted_at, p_zone)
        else start_of_month(newest.counted_at, p_zone)
      end as period_start
    from discrepancies difference
    join (
      select attempt.discrepancy_id, max(attempt.counted_at) as counted_at
      from count_attempts attempt
      join discrepancies tried on tried.tenant_id = p_tenant and tried.id = attempt.discrepancy_id
        and attempt.attempt <= tried.attempts
      where attempt.tenant_id = p_tenant and not attempt.overtaken and not exists (
        select from count_attempts later
        where later.tenant_id = p_tenant and later.discrepancy_id = attempt.discrepancy_id
          and later.attempt = attempt.attempt and later.id > attempt.id
      )
      group by 1
    ) as newest on newest.discrepancy_id = difference.id
    where difference.tenant_id = p_tenant and (newest.counted_at at time zone p_zone)::date > v_last
  )
  update discrepancies difference
  set period_start = moved.period_start
  from (
    select mine.id, mine.period_start
    from scanned mine
    where mine.period_start <> mine.named and not (mine.waits and exists (
      select from scanned other
      where other.waits and other.id <> mine.id and other.component_id = mine.component_id
        and other.location = mine.location and other.count_type = mine.count_type
        and (other.named = mine.period_start or other.period_start = mine.period_start)
    ))
  ) as moved
  where difference.tenant_id = p_tenant and difference.id = moved.id;
end
$function$
CREATE OR REPLACE FUNCTION public.claim_api_key_prefix(p_prefix text, p_tenant uuid)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
BEGIN ATOMIC
 INSERT INTO api_key_prefixes (prefix, tenant_id)
   VALUES (claim_api_key_prefix.p_prefix, claim_api_key_prefix.p_tenant);
END
CREATE OR REPLACE FUNCTION public.claim_email(p_email text, p_tenant uuid, p_user uuid)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
BEGIN ATOMIC
 INSERT INTO login_emails (email, tenant_id, user_id)
   VALUES (claim_email.p_email, claim_email.p_tenant, claim_email.p_user);
END
CREATE OR REPLACE FUNCTION public.clear_marks(p_tenant uuid, p_component uuid, p_location text, p_count_type text, p_month_start timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  v_counted_at timestamptz;
begin
  select counted_at into v_counted_at from stock
  where tenant_id = p_tenant and component_id = p_component and location = p_location
  for update;
  if p_count_type = 'weekly' then
    update stock set weekly_counted_at = null, weekly_cleared_at = clock_timestamp()
    where tenant_id = p_tenant and component_id = p_component and location = p_location;
    perform forget_weekly_progress(p_tenant, array[p_location]);
    return;
  end if;
  update stock set counted_at = null, counted_source = null, cleared_at = clock_timestamp()
  where tenant_id = p_tenant and component_id = p_component and location = p_location;
  update count_progress
  set counted = counted - 1
  where tenant_id = p_tenant and location = p_location and month_start = p_month_start
    and v_counted_at >= p_month_start;
end
$function$
CREATE OR REPLACE FUNCTION public.close_transfer(p_tenant uuid, p_transfer uuid, p_status text, p_user uuid, p_user_name text)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
declare
  v_transfer transfers;
begin
  update transfers
  set status = p_status, closed_by = p_user_name, closed_at = clock_timestamp()
  where tenant_id = p_tenant and id = p_transfer and status = 'in_transit'
  returning * into v_transfer;
  if not found then return false; end if;
  -- It belongs to no location: what never arrives leaves none.
  if p_status = 'written_off' then return true; end if;
  return post_transfer(
    p_tenant, p_transfer, v_transfer.component_id,
    case p_status when 'received' then v_transfer.to_location else v_transfer.from_location end,
    v_transfer.quantity - v_transfer.received_in_part,
    case p_status when 'received' then 'transfer' else 'transfer_cancelled' end,
    v_transfer.note, p_user, p_user_name
  );
end
$function$
CREATE OR REPLACE FUNCTION public.codes_one_slip_away(p_code text)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (SELECT COALESCE(array_agg(slips.slip), '{}'::text[]) AS "coalesce" FROM (SELECT OVERLAY(codes_one_slip_away.p_code PLACING (digit.digit)::text FROM place.place FOR 1) AS slip FROM generate_series(1, char_length(codes_one_slip_away.p_code)) place(place), generate_series(0, 9) digit(digit) WHERE ((substr(codes_one_slip_away.p_code, place.place, 1) >= '0'::text) AND (substr(codes_one_slip_away.p_code, place.place, 1) <= '9'::text)) UNION SELECT OVERLAY(codes_one_slip_away.p_code PLACING reverse(substr(codes_one_slip_away.p_code, place.place, 2)) FROM place.place FOR 2) AS "overlay" FROM generate_series(1, (char_length(codes_one_slip_away.p_code) - 1)) place(place)) slips WHERE (slips.slip <> codes_one_slip_away.p_code))
CREATE OR REPLACE FUNCTION public.commit_import(p_tenant uuid, p_import uuid, p_user uuid, p_user_name text)
 RETURNS TABLE(created integer, updated integer, unchanged integer)
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
declare
  v_keep constant boolean := (select keep_existing from imports where tenant_id = p_tenant and id = p_import);
  v_created integer;
  v_updated integer;
  v_good integer;
  v_components uuid[];
  v_locations text[];
  v_quantities integer[];
begin
  -- What the rows would do, judged once. Gone with the transaction.
  create temporary table judged_rows (
    line integer, barcode text, description text, old_description text, kind text
  ) on commit drop;
  insert into judged_rows
  select judged.line, judged.barcode, judged.description, judged.old_description, judged.kind
  from judge_import(p_tenant, p_import) as judged
  where judged.kind <> 'bad';
  get diagnostics v_good = row_count;
  analyze judged_rows;

  with inserted as (
    insert into components (tenant_id, barcode, description)
    select p_tenant, judged.barcode, judged.description
    from judged_rows judged
    where judged.kind = 'new'
    order by judged.barcode
    on conflict (tenant_id, barcode) do nothing
    returning components.id, components.barcode, components.description
  )
  insert into import_changes (
    tenant_id, import_id, component_id, barcode, created, old_description, new_description
  )
  select p_tenant, p_import, inserted.id, inserted.barcode, true, '', inserted.description from inserted;
  get diagnostics v_created = row_count;

  with described as (
    insert into components as present (tenant_id, barcode, description)
    select p_tenant, judged.barcode, judged.description
    from judged_rows judged
    where judged.kind = 'changed' and judged.description <> ''
    order by judged.barcode
    on conflict (tenant_id, barcode) do update set description = excluded.description, updated_at = now()
    where present.description <> excluded.description
    returning present.id, present.barcode, present.description
  )
  insert into import_changes (
    tenant_id, import_id, component_id, barcode, created, old_description, new_description
  )
  select p_tenant, p_import, described.id, described.barcode, false, judged.old_description, described.description
  from judged_rows judged
  join described on described.barcode = judged.barcode;

  select coalesce(array_agg(components.id), '{}'), coalesce(array_agg(given.location), '{}'),
    coalesce(array_agg(given.quantity), '{}')
  into v_components, v_locations, v_quantities
  from judged_rows judged
  join components on components.tenant_id = p_tenant and components.barcode = judged.barcode
  cross join lateral (
    select * from import_rows
    where import_rows.tenant_id = p_tenant and import_rows.import_id = p_import and import_rows.line = judged.line
    offset 0
  ) as rows
  cross join lateral (values
    ('PRIMARY', rows.primary_quantity), ('SECONDARY', rows.secondary_quantity),
    ('FULFILLMENT', rows.fulfillment_quantity), ('DISTRIBUTION', rows.distribution_quantity),
    ('QUARANTINE', rows.quarantine_quantity)
  ) as given (location, quantity)
  where given.quantity is not null and (judged.kind = 'new' or not v_keep);
  perform set_stock(
    p_tenant, v_components, v_locations, v_quantities, 'import', p_user, p_user_name, p_import
  );

  select count(distinct changed.component_id) into v_updated
  from (
    select import_changes.component_id from import_changes
    where import_changes.tenant_id = p_tenant and import_changes.import_id = p_import
    union all
    select movements.component_id from movements
    where movements.tenant_id = p_tenant and movements.reference = p_import
  ) as changed;
  v_updated := v_updated - v_created;

  update companies set component_count = component_count + v_created
  where tenant_id = p_tenant and v_created > 0;
  delete from import_rows where tenant_id = p_tenant and import_id = p_import;
  return query select v_created, v_updated, v_good - v_created - v_updated;
end
$function$
CREATE OR REPLACE FUNCTION public.companies_overdue(p_minutes integer)
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
declare
  v_tenant uuid;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('companies_overdue', 0)) then return; end if;
  for v_tenant in select company_ids() loop
    perform set_config('app.tenant_id', v_tenant::text, true);
    if exists (
      select from subscriptions
      where tenant_id = v_tenant and status in ('active', 'past_due')
        and period_ends_at < now() - interval '1 day'
        and updated_at < now() - make_interval(mins => p_minutes)
    ) then
      return next v_tenant;
    end if;
  end loop;
end
$function$
CREATE OR REPLACE FUNCTION public.companies_to_ask()
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
declare
  v_tenant uuid;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('companies_to_ask', 0)) then return; end if;
  for v_tenant in select company_ids() loop
    perform set_config('app.tenant_id', v_tenant::text, true);
    continue when not exists (select from spot_schedules where tenant_id = v_tenant);
    begin
      if exists (
        select from companies
        join spot_schedules schedule on schedule.tenant_id = v_tenant
        where companies.tenant_id = v_tenant
          and to_char(now() at time zone companies.time_zone, 'FMDay') = any (schedule.days)
          and coalesce(schedule.asked_on, '-infinity') < (now() at time zone companies.time_zone)::date
      ) then
        return next v_tenant;
      end if;
    exception when invalid_parameter_value then
      -- A time zone that this database does not know, as after a restore, keeps no other company waiting.
      null;
    end;
  end loop;
end
$function$
CREATE OR REPLACE FUNCTION public.companies_to_look_at(p_minutes integer)
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
declare
  v_tenant uuid;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('companies_to_look_at', 0)) then return; end if;
  for v_tenant in select company_ids() loop
    perform set_config('app.tenant_id', v_tenant::text, true);
    if (
      exists (select from placements where tenant_id = v_tenant and minimum is not null)
      or exists (select from low_stock where tenant_id = v_tenant)
    ) and (
      p_minutes is null or exists (
        select from audit_entries
        where tenant_id = v_tenant and id >= id_at(now() - make_interval(mins => p_minutes))
      )
    ) then
      return next v_tenant;
    end if;
  end loop;
end
$function$
CREATE OR REPLACE FUNCTION public.companies_to_mail(p_hours integer)
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
declare
  v_tenant uuid;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('companies_to_mail', 0)) then return; end if;
  for v_tenant in select company_ids() loop
    perform set_config('app.tenant_id', v_tenant::text, true);
    if exists (select from low_stock where tenant_id = v_tenant and not mailed) and exists (
      select from companies
      where tenant_id = v_tenant and low_stock_mail
        and (low_stock_mailed_at is null or low_stock_mailed_at <= now() - make_interval(hours => p_hours))
    ) and exists (
      select from users
      where tenant_id = v_tenant and role = 'admin' and active and email_confirmed_at is not null
    ) then
      return next v_tenant;
    end if;
  end loop;
end
$function$
CREATE OR REPLACE FUNCTION public.companies_to_prune(p_days integer)
 RETURNS SETOF uuid
 LANGUAGE plpgsql
AS $function$
declare
  v_tenant uuid;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('companies_to_prune', 0)) then return; end if;
  for v_tenant in select company_ids() loop
    perform set_config('app.tenant_id', v_tenant::text, true);
    if exists (
      select from operations
      where tenant_id = v_tenant and uuid_hash_extended(tenant_id, 0) = uuid_hash_extended(v_tenant, 0)
        and created_at < now() - make_interval(days => p_days)
    ) or exists (
      select from imports
      where tenant_id = v_tenant and (
        status = 'staged' and created_at < now() - interval '24 hours'
        or status = 'expired' and exists (
          select from import_rows
          where import_rows.tenant_id = v_tenant and import_rows.import_id = imports.id
        )
      )
    ) or exists (
      select from webhook_deliveries
      where tenant_id = v_tenant and id < id_at(now() - interval '30 days') and (
        status <> 'waiting' or entry_id is not null and next_at < now() - interval '1 day'
      )
    ) or exists (
      select from one_time_links where tenant_id = v_tenant and expires_at < now() - interval '90 days'
    ) or exists (
      select from sessions old
      where old.tenant_id = v_tenant and old.expires_at < now() - interval '90 days' and exists (
        select from sessions later
        where later.tenant_id = v_tenant and later.user_id = old.user_id
          and (later.last_used_at, later.id) > (old.last_used_at, old.id)
      )
    ) then
      return next v_tenant;
    end if;
  end loop;
end
$function$
CREATE OR REPLACE FUNCTION public.companies_to_seal()
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
AS $function$
declare
  v_tenant uuid;
  v_last uuid;
  v_from uuid;
  v_sealed_at timestamptz;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('companies_to_seal', 0)) then return; end if;
  for v_tenant in select company_ids() loop
    perform set_config('app.tenant_id', v_tenant::text, true);
    select entry_id into v_last from audit_seals where tenant_id = v_tenant order by entry_id desc limit 1;
    v_last := coalesce(v_last, '00000000-0000-0000-0000-000000000000');
    perform from audit_entries entry
    where entry.tenant_id = v_tenant and entry.id > v_last
    order by entry.id
    limit 1;
    if found then
      return next v_tenant;
      continue;
    end if;
    select settled_below, sealed_at into v_from, v_sealed_at
    from audit_seals where tenant_id = v_tenant order by seq desc limit 1;
    if v_sealed_at > clock_timestamp() - interval '1 minute' then
      perform from late_entries(v_tenant, v_from, v_last) limit 1;
      if found then return next v_tenant; end if;
    end if;
  end loop;
end
$function$
CREATE OR REPLACE FUNCTION public.companies_to_tell(p_plans text[])
 RETURNS SETOF uuid
 LANGUAGE plpgsql
AS $function$
begin
  if not pg_try_advisory_xact_lock(hashtextextended('companies_to_tell', 0)) then return; end if;
  return query select companies_to_tell(p_plans, array(select company_ids()));
end
$function$
CREATE OR REPLACE FUNCTION public.companies_to_tell(p_plans text[], p_tenants uuid[])
 RETURNS SETOF uuid
 LANGUAGE plpgsql
AS $function$
declare
  v_tenant uuid;
begin
  foreach v_tenant in array p_tenants loop
    perform set_config('app.tenant_id', v_tenant::text, true);
    if exists (
      select from webhooks
      join companies on companies.tenant_id = webhooks.tenant_id
      where webhooks.tenant_id = v_tenant and webhooks.disabled_at is null and companies.plan = any (p_plans)
        and (
          webhooks.position < (select max(seq) from audit_seals where tenant_id = v_tenant)
          or exists (
            select from webhook_deliveries
            where tenant_id = v_tenant and webhook_id = webhooks.id and status = 'waiting'
              and next_at <= clock_timestamp()
          )
        )
    ) then
      return next v_tenant;
    end if;
  end loop;
end
$function$
CREATE OR REPLACE FUNCTION public.company_ids()
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
BEGIN ATOMIC
 SELECT DISTINCT login.tenant_id
    FROM login_emails login;
END
CREATE OR REPLACE FUNCTION public.component_text(p_id uuid, p_barcode text, p_description text, p_quantities bigint[], p_counted text[], p_config json, p_is_today boolean)
 RETURNS text
 LANGUAGE sql
 STABLE
RETURN format('{"id":"%s","barcode":%s,"description":%s,"primary_quantity":%s,"secondary_quantity":%s,"fulfillment_quantity":%s,"distribution_quantity":%s,"quarantine_quantity":%s,"total_quantity":%s,"last_counted_date":%s,"last_counted_location":%s,"last_counted_source":%s,"is_high_volume":%s,"is_high_volume_today":%s,"high_volume_config":%s}'::text, p_id, to_json(p_barcode), to_json(p_description), COALESCE((p_quantities)[1], (0)::bigint), COALESCE((p_quantities)[2], (0)::bigint), COALESCE((p_quantities)[3], (0)::bigint), COALESCE((p_quantities)[4], (0)::bigint), COALESCE((p_quantities)[5], (0)::bigint), COALESCE((p_quantities)[6], (0)::bigint), COALESCE((('"'::text || (p_counted)[1]) || '"'::text), 'null'::text), COALESCE((('"'::text || (p_counted)[2]) || '"'::text), 'null'::text), COALESCE((('"'::text || (p_counted)[3]) || '"'::text), 'null'::text), ((p_config IS NOT NULL))::text, (COALESCE(p_is_today, false))::text, COALESCE((p_config)::text, 'null'::text))
CREATE OR REPLACE FUNCTION public.component_text(p_id uuid, p_barcode text, p_description text, p_quantities bigint[], p_counted_at timestamp with time zone, p_counted_location text, p_counted_source text, p_config json, p_is_today boolean)
 RETURNS text
 LANGUAGE sql
 STABLE
RETURN format('{"id":"%s","barcode":%s,"description":%s,"primary_quantity":%s,"secondary_quantity":%s,"fulfillment_quantity":%s,"distribution_quantity":%s,"quarantine_quantity":%s,"total_quantity":%s,"last_counted_date":%s,"last_counted_location":%s,"last_counted_source":%s,"is_high_volume":%s,"is_high_volume_today":%s,"high_volume_config":%s}'::text, p_id, to_json(p_barcode), to_json(p_description), COALESCE((p_quantities)[1], (0)::bigint), COALESCE((p_quantities)[2], (0)::bigint), COALESCE((p_quantities)[3], (0)::bigint), COALESCE((p_quantities)[4], (0)::bigint), COALESCE((p_quantities)[5], (0)::bigint), COALESCE((p_quantities)[6], (0)::bigint), COALESCE((('"'::text || to_char((p_counted_at AT TIME ZONE 'UTC'::text), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'::text)) || '"'::text), 'null'::text), COALESCE((('"'::text || p_counted_location) || '"'::text), 'null'::text), COALESCE((('"'::text || p_counted_source) || '"'::text), 'null'::text), ((p_config IS NOT NULL))::text, (COALESCE(p_is_today, false))::text, COALESCE((p_config)::text, 'null'::text))
CREATE OR REPLACE FUNCTION public.count_again_in_cycle(p_tenant uuid, p_discrepancy uuid)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  v_found discrepancies;
  v_month timestamptz;
  v_cycles text[];
begin
  select * into v_found from discrepancies where tenant_id = p_tenant and id = p_discrepancy;
  select start_of_month(now(), time_zone) into v_month from companies where tenant_id = p_tenant;
  select array_agg(distinct count_session) into v_cycles from count_history
  where tenant_id = p_tenant and sku = v_found.sku and location = v_found.location
    and id >= id_at(greatest(v_found.period_start, v_month)) and count_type = 'admin';
  perform from cycle_counts
  where tenant_id = p_tenant and user_type = 'admin' and id = any (v_cycles)
  order by id
  for update;
  update cycle_counts
  set progress = progress - v_found.sku, completed = false, last_updated = clock_timestamp()
  where tenant_id = p_tenant and user_type = 'admin' and location = v_found.location and progress ? v_found.sku
    and id = any (v_cycles);
end
$function$
CREATE OR REPLACE FUNCTION public.count_or_keep_code(p_tenant uuid, p_session uuid, p_key text, p_hash text, p_plans text[], p_codes text[], p_quantity integer, p_location text, p_source text, p_count_session text, p_at timestamp with time zone, p_day text, p_recount boolean, p_is_timed boolean)
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
declare
  v_reply constant jsonb := record_count(
    p_tenant, p_session, p_key, p_hash, p_plans, p_codes, p_quantity, p_location, p_source, p_count_session, p_at,
    p_day, p_recount, p_is_timed
  );
begin
  if v_reply ->> 'outcome' in ('not_found', 'retired') and not keep_unknown_code(
    p_tenant, p_session, p_key, p_codes[1], p_quantity, p_location, p_source, p_count_session, p_at,
    v_reply ->> 'outcome'
  )
  then
    return v_reply || '{"kept": false}'::jsonb;
  end if;
  return v_reply;
end
$function$
CREATE OR REPLACE FUNCTION public.count_weekly_progress(p_tenant uuid, p_location text, p_day text, p_day_start timestamp with time zone)
 RETURNS weekly_progress
 LANGUAGE plpgsql
AS $function$
declare
  v_total integer;
  v_counted integer;
  v_progress weekly_progress;
begin
  -- From here on the row is this transaction's: what others counted is either seen below, or added when this one is committed.
  insert into weekly_progress (tenant_id, location, day) values (p_tenant, p_location, p_day)
  on conflict (tenant_id, location, day) do update set day_start = null;
  select count(*), count(*) filter (where stock.weekly_counted_at >= p_day_start)
  into v_total, v_counted
  from high_volume_assignments listed
  left join stock on stock.tenant_id = listed.tenant_id and stock.component_id = listed.component_id
    and stock.location = listed.location
  where listed.tenant_id = p_tenant and listed.location = p_location and listed.day = p_day;
  update weekly_progress set day_start = p_day_start, total = v_total, counted = v_counted
  where tenant_id = p_tenant and location = p_location and day = p_day
  returning * into v_progress;
  return v_progress;
end
$function$
CREATE OR REPLACE FUNCTION public.counted_in_cycle(p_tenant uuid, p_cycle text, p_sku text, p_location text)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  v_reset_at timestamptz;
  v_asked_at timestamptz;
  v_back_at timestamptz;
  v_left_out_at timestamptz;
  v_quantity integer;
begin
  select reset_at into v_reset_at from cycle_resets where tenant_id = p_tenant and id = p_cycle;
  select max(discrepancies.updated_at) into v_asked_at
  from components
  join discrepancies on discrepancies.tenant_id = components.tenant_id and discrepancies.component_id = components.id
  where components.tenant_id = p_tenant and components.barcode = p_sku
    and discrepancies.location = p_location and discrepancies.count_type = 'admin' and discrepancies.status = 'recount';
  -- What is retired leaves the cycles of its month; one of another month still says what was counted.
  select components.reinstated_at into v_back_at
  from components
  join companies on companies.tenant_id = components.tenant_id
  where components.tenant_id = p_tenant and components.barcode = p_sku
    and starts_with(
      p_cycle, to_char(components.reinstated_at at time zone companies.time_zone, '"Cycle_"YYYY-MM"_"')
    );
  -- So does what the location leaves out: kept again, it is to be counted in both.
  select stock.left_out_at into v_left_out_at
  from components
  join companies on companies.tenant_id = components.tenant_id
  join stock on stock.tenant_id = components.tenant_id and stock.component_id = components.id
  where components.tenant_id = p_tenant and components.barcode = p_sku and stock.location = p_location
    and starts_with(p_cycle, to_char(stock.left_out_at at time zone companies.time_zone, '"Cycle_"YYYY-MM"_"'));
  select quantity into v_quantity
  from standing_counts(p_tenant, p_sku, p_location, greatest(v_reset_at, v_asked_at, v_back_at, v_left_out_at))
  where count_type = 'admin' and count_session = p_cycle
  order by counted_at desc, id desc
  limit 1;
  if not found then return null; end if;
  return jsonb_build_object(p_sku, v_quantity);
end
$function$
CREATE OR REPLACE FUNCTION public.current_tenant()
 RETURNS uuid
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid
CREATE OR REPLACE FUNCTION public.cycle_progress(p_tenant uuid, p_cycle text, p_location text, p_given jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  v_given record;
  v_counted jsonb;
  v_skus text[] := '{}';
  v_values jsonb[] := '{}';
begin
  for v_given in select * from jsonb_each(p_given) as part (sku, value) loop
    v_counted := v_given.value;
    if jsonb_typeof(v_given.value) = 'number' then
      perform from count_history
      where tenant_id = p_tenant and sku = v_given.sku and location = p_location and sets_mark
        and count_type = 'admin' and count_session = p_cycle
      limit 1;
      if found then v_counted := counted_in_cycle(p_tenant, p_cycle, v_given.sku, p_location)->v_given.sku; end if;
    end if;
    if v_counted is not null then
      v_skus := v_skus || v_given.sku;
      v_values := v_values || v_counted;
    end if;
  end loop;
  return (select coalesce(jsonb_object_agg(sku, value), '{}') from unnest(v_skus, v_values) as part (sku, value));
end
$function$
CREATE OR REPLACE FUNCTION public.dismiss_answered(p_tenant uuid, p_ids uuid[], p_reason text, p_user_name text)
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
declare
  v_were jsonb;
begin
  select jsonb_agg(jsonb_build_object(
    'id', id, 'status', status, 'reason', reason, 'decided_by', decided_by, 'updated_at', updated_at
  ))
  into v_were
  from discrepancies
  where tenant_id = p_tenant and id = any (p_ids);
  update discrepancies
  set status = 'dismissed', reason = p_reason, decided_by = p_user_name, updated_at = clock_timestamp()
  where tenant_id = p_tenant and id = any (p_ids);
  return v_were;
end
$function$
CREATE OR REPLACE FUNCTION public.find_api_key(p_prefix text)
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
declare
  v_tenant constant uuid := find_api_key_company(p_prefix);
begin
  perform set_config('app.tenant_id', coalesce(v_tenant::text, ''), true);
  return (
    select jsonb_build_object(
      'tenantId', api_keys.tenant_id, 'keyId', api_keys.id, 'userId', api_keys.user_id,
      'sessionId', api_keys.session_id, 'secretHash', encode(api_keys.secret_hash, 'hex'),
      'scopes', to_jsonb(api_keys.scopes), 'plan', companies.plan
    )
    from api_keys
    join companies on companies.tenant_id = api_keys.tenant_id
    where api_keys.tenant_id = v_tenant and api_keys.prefix = p_prefix and api_keys.revoked_at is null
  );
end
$function$
CREATE OR REPLACE FUNCTION public.find_api_key_company(p_prefix text)
 RETURNS uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
BEGIN ATOMIC
 SELECT key.tenant_id
    FROM api_key_prefixes key
   WHERE (key.prefix = find_api_key_company.p_prefix);
END
CREATE OR REPLACE FUNCTION public.find_components(p_asked jsonb)
 RETURNS TABLE(outcome text, component text)
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
AS $function$
declare
  v_asked record;
  v_tenant uuid;
  v_setting text;
  v_session record;
  v_code text;
  v_component record;
begin
  for v_asked in
    select * from jsonb_to_recordset(p_asked) as asked (tenant uuid, session uuid, "user" uuid, codes text[])
  loop
    v_tenant := v_asked.tenant;
    v_setting := set_config('app.tenant_id', v_tenant::text, true);
    v_component := null;
    component := null;
    select sessions.last_used_at, to_char(now() at time zone companies.time_zone, 'FMDay') as today
    into v_session
    from sessions
    join users on users.tenant_id = sessions.tenant_id and users.id = sessions.user_id
    join companies on companies.tenant_id = sessions.tenant_id
    where sessions.tenant_id = v_tenant and sessions.id = v_asked.session and sessions.user_id = v_asked."user"
      and sessions.ended_at is null and sessions.expires_at > now() and users.active;
    if found then
      if v_session.last_used_at < now() - interval '1 minute' then
        update sessions set last_used_at = now() where tenant_id = v_tenant and id = v_asked.session;
      end if;
      foreach v_code in array v_asked.codes loop
        select id, barcode, description into v_component
        from components
        where tenant_id = v_tenant and barcode = v_code and retired_at is null;
        exit when found;
      end loop;
      if v_component.id is null then
        foreach v_code in array v_asked.codes loop
          select components.id, components.barcode, components.description into v_component
          from alias_barcodes
          join components on components.tenant_id = v_tenant and components.id = alias_barcodes.component_id
          where alias_barcodes.tenant_id = v_tenant and alias_barcodes.barcode = v_code
            and components.retired_at is null;
          exit when found;
        end loop;
      end if;
      if v_component.id is not null then
        select component_text(
          v_component.id, v_component.barcode, v_component.description, held.quantities, held.counted_at,
          held.counted_location, held.counted_source, planned.config, v_session.today = any (planned.days)
        )
        into component
        from (values (1)) as one
        left join stock_held held on held.tenant_id = v_tenant and held.component_id = v_component.id
        left join weekly_plans planned on planned.tenant_id = v_tenant and planned.component_id = v_component.id;
      end if;
      outcome := case when component is null then 'not_found' else 'found' end;
    else
      outcome := 'unauthorized';
    end if;
    return next;
  end loop;
end
$function$
CREATE OR REPLACE FUNCTION public.find_login(p_email text)
 RETURNS TABLE(tenant_id uuid, user_id uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
BEGIN ATOMIC
 SELECT login.tenant_id,
     login.user_id
    FROM login_emails login
   WHERE (login.email = find_login.p_email);
END
CREATE OR REPLACE FUNCTION public.forget_weekly_progress(p_tenant uuid, p_locations text[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  insert into weekly_progress (tenant_id, location, day)
  select p_tenant, location, day
  from unnest(p_locations) as location, unnest(array['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday']) as day
  order by location, day
  on conflict (tenant_id, location, day) do update set day_start = null;
end
$function$
CREATE OR REPLACE FUNCTION public.guard_history_part(p_history text, p_part text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  execute format('alter table public.%I enable row level security', p_part);
  execute format('alter table public.%I force row level security', p_part);
  execute format(
    'create policy own_company on public.%I using (tenant_id = public.current_tenant())
       with check (tenant_id = public.current_tenant())', p_part
  );
  if p_history = 'audit_entries' then
    execute format(
      'create trigger audit_entries_stay before update or delete or truncate on public.%I
         for each statement execute function public.refuse_change()', p_part
    );
  end if;
end
$function$
CREATE OR REPLACE FUNCTION public.history_parts()
 RETURNS TABLE(history text, part text, relation oid, first_id uuid, next_id uuid)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
BEGIN ATOMIC
 SELECT (parent.relname)::text AS relname,
     substr((child.relname)::text, (length((parent.relname)::text) + 2)) AS substr,
     child.oid,
     (
         CASE
             WHEN (bounds.text ~~ 'FOR VALUES FROM (MINVALUE)%'::text) THEN '00000000-0000-0000-0000-000000000000'::text
             ELSE "substring"(bounds.text, 'FROM \(''([^'']+)''\)'::text)
         END)::uuid AS "substring",
     ("substring"(bounds.text, 'TO \(''([^'']+)''\)'::text))::uuid AS "substring"
    FROM (((pg_inherits
      JOIN pg_class parent ON (((parent.oid = pg_inherits.inhparent) AND (parent.relkind = 'p'::"char"))))
      JOIN pg_class child ON ((child.oid = pg_inherits.inhrelid)))
      CROSS JOIN LATERAL ( SELECT pg_get_expr(child.relpartbound, child.oid) AS text) bounds)
   WHERE (parent.relnamespace = ('public'::regnamespace)::oid)
   ORDER BY (
         CASE
             WHEN (bounds.text ~~ 'FOR VALUES FROM (MINVALUE)%'::text) THEN '00000000-0000-0000-0000-000000000000'::text
             ELSE "substring"(bounds.text, 'FROM \(''([^'']+)''\)'::text)
         END)::uuid, ((parent.relname)::text);
END
CREATE OR REPLACE FUNCTION public.id_at(p_at timestamp with time zone, p_rest bytea DEFAULT '\x00000000000000000000000000000000'::bytea)
 RETURNS uuid
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
declare
  v_micros constant bigint := extract(epoch from p_at) * 1000000;
  v_fraction constant integer := (v_micros % 1000) * 4096 / 1000;
begin
  return encode(
    set_byte(
      set_byte(
        overlay(p_rest placing substring(int8send(v_micros / 1000) from 3) from 1 for 6),
        6, 112 | (v_fraction >> 8)
      ),
      7, v_fraction & 255
    ),
    'hex'
  )::uuid;
end
$function$
CREATE OR REPLACE FUNCTION public.import_components(p_tenant uuid, p_barcodes text[], p_descriptions text[], p_primary integer[], p_secondary integer[], p_fulfillment integer[], p_distribution integer[], p_quarantine integer[], p_high_volume jsonb[], p_keep boolean, p_user uuid, p_user_name text)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_nestloop TO 'off'
AS $function$
declare
  v_total constant integer := cardinality(p_barcodes);
  v_ids constant uuid[] := new_ids(v_total);
  v_given record;
  v_created uuid[];
  v_back uuid[] := '{}';
  v_changed uuid[];
  v_changes integer;
  v_components uuid[];
  v_locations text[];
  v_quantities integer[];
  v_known text[];
  v_before text[];
  v_described integer;
  v_descriptions jsonb := '[]';
begin
  perform pg_advisory_xact_lock_shared(retire_lock(p_tenant));
  -- As they are written below, so that what they said before is what the trail tells.
  perform 1 from components
  where tenant_id = p_tenant and barcode = any (p_barcodes)
  order by barcode
  for no key update;
  select array_agg(barcode), array_agg(description) into v_known, v_before
  from components
  where tenant_id = p_tenant and barcode = any (p_barcodes);
  select count(*) into v_described
  from unnest(p_barcodes, p_descriptions) as given (barcode, description)
  join unnest(v_known, v_before) as known (barcode, description) on known.barcode = given.barcode
  where given.description <> '' and given.description <> known.description;
  -- Of more than the trail names (audit/configuration.ts) only their number is told.
  if v_described between 1 and 500 then
    select jsonb_agg(
      jsonb_build_object('sku', given.barcode, 'before', known.description, 'after', given.description)
      order by given.barcode
    )
    into v_descriptions
    from unnest(p_barcodes, p_descriptions) as given (barcode, description)
    join unnest(v_known, v_before) as known (barcode, description) on known.barcode = given.barcode
    where given.description <> '' and given.description <> known.description;
  end if;
  -- What is new has no stock: only what there is of it is set.
  with given as materialized (
    select * from unnest(
      p_barcodes, p_descriptions, p_primary, p_secondary, p_fulfillment, p_distribution, p_quarantine
    ) as rows (barcode, description, in_primary, in_secondary, in_fulfillment, in_distribution, in_quarantine)
  ),
  written as (
    insert into components as present (tenant_id, id, barcode, description)
    select p_tenant, v_ids[row_number() over (order by given.barcode)], given.barcode, given.description
    from given
    order by given.barcode
    on conflict (tenant_id, barcode) do update
    set description = excluded.description, updated_at = now(), described_at = excluded.updated_at
    where excluded.description <> '' and present.description <> excluded.description
    -- A row that this statement inserted was changed by nobody.
    returning present.id, present.barcode, present.xmax = 0 as is_new
  ),
  first_stock as (
    select written.id, part.location, part.quantity
    from written
    join given on given.barcode = written.barcode
    cross join lateral (values
      ('PRIMARY', given.in_primary), ('SECONDARY', given.in_secondary), ('FULFILLMENT', given.in_fulfillment),
      ('DISTRIBUTION', given.in_distribution), ('QUARANTINE', given.in_quarantine)
    ) as part (location, quantity)
    where written.is_new and part.quantity > 0
  )
  select own.created, own.changed, stocked.components, stocked.locations, stocked.quantities
  into v_created, v_changed, v_components, v_locations, v_quantities
  from (
    select coalesce(array_agg(id) filter (where is_new), '{}') as created,
      coalesce(array_agg(id) filter (where not is_new), '{}') as changed
    from written
  ) as own
  cross join (
    select coalesce(array_agg(id), '{}') as components, coalesce(array_agg(location), '{}') as locations,
      coalesce(array_agg(quantity), '{}') as quantities
    from first_stock
  ) as stocked;
  perform set_first_stock(
    p_tenant, v_components, v_locations, v_quantities, 'import', p_user, p_user_name, null
  );

  for v_given in
    select given.barcode, given.high_volume
    from unnest(p_barcodes, p_high_volume) as given (barcode, high_volume)
    where given.high_volume is not null
    order by given.barcode
  loop
    update components set older_high_volume = v_given.high_volume
    where tenant_id = p_tenant and barcode = v_given.barcode;
  end loop;

  if cardinality(v_created) < v_total then
    v_back := reinstate_components(p_tenant, array(
      select components.id
      from components
      join unnest(p_barcodes) as given (barcode) on given.barcode = components.barcode
      where components.tenant_id = p_tenant and components.retired_at is not null
    ));

    select coalesce(array_agg(found.id), '{}'), coalesce(array_agg(part.location), '{}'),
      coalesce(array_agg(part.quantity), '{}')
    into v_components, v_locations, v_quantities
    from unnest(
      p_barcodes, p_primary, p_secondary, p_fulfillment, p_distribution, p_quarantine
    ) as given (barcode, in_primary, in_secondary, in_fulfillment, in_distribution, in_quarantine)
    cross join lateral (
      select components.id from components
      where components.tenant_id = p_tenant and components.barcode = given.barcode
      offset 0
    ) as found
    cross join lateral (values
      ('PRIMARY', given.in_primary), ('SECONDARY', given.in_secondary), ('FULFILLMENT', given.in_fulfillment),
      ('DISTRIBUTION', given.in_distribution), ('QUARANTINE', given.in_quarantine)
    ) as part (location, quantity)
    where part.quantity is not null and found.id not in (select unnest(v_created))
      and (not p_keep or found.id in (select unnest(v_back)));
    v_changed := v_changed || v_back || array(
      select set_stock(p_tenant, v_components, v_locations, v_quantities, 'import', p_user, p_user_name, null)
    );
  end if;

  select count(*) into v_changes
  from (select unnest(v_changed) except select unnest(v_created)) as changed;

  update companies
  set component_count = component_count + cardinality(v_created)
  where tenant_id = p_tenant and cardinality(v_created) > 0;

  return jsonb_build_object(
    'created', cardinality(v_created), 'updated', v_changes, 'unchanged', v_total - cardinality(v_created) - v_changes,
    'described', v_described, 'descriptions', v_descriptions,
    'reinstated', array(select barcode from components where tenant_id = p_tenant and id = any (v_back) order by barcode)
  );
end
$function$
CREATE OR REPLACE FUNCTION public.import_components(p_tenant uuid, p_rows jsonb, p_keep boolean, p_user uuid, p_user_name text)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
declare
  v_given record;
  v_created uuid[];
  v_back uuid[] := '{}';
  v_changed uuid[];
  v_changes integer;
  v_components uuid[];
  v_locations text[];
  v_quantities integer[];
  v_total integer := jsonb_array_length(p_rows);
begin
  perform pg_advisory_xact_lock_shared(retire_lock(p_tenant));
  -- What is new has no stock: only what there is of it is set.
  with given as materialized (
    select rows.barcode, coalesce(rows.description, '') as description, rows.stock
    from jsonb_to_recordset(p_rows) as rows (barcode text, description text, stock jsonb)
  ),
  written as (
    insert into components as present (tenant_id, barcode, description)
    select p_tenant, given.barcode, given.description
    from given
    order by given.barcode
    on conflict (tenant_id, barcode) do update set description = excluded.description, updated_at = now()
    where excluded.description <> '' and present.description <> excluded.description
    -- A row that this statement inserted was changed by nobody.
    returning present.id, present.barcode, present.xmax = 0 as is_new
  ),
  first_stock as (
    select written.id, part.location, part.quantity
    from written
    join given on given.barcode = written.barcode
    cross join lateral jsonb_to_recordset(given.stock) as part (location text, quantity integer)
    where written.is_new and part.quantity > 0
  )
  select own.created, own.changed, stocked.components, stocked.locations, stocked.quantities
  into v_created, v_changed, v_components, v_locations, v_quantities
  from (
    select coalesce(array_agg(id) filter (where is_new), '{}') as created,
      coalesce(array_agg(id) filter (where not is_new), '{}') as changed
    from written
  ) as own
  cross join (
    select coalesce(array_agg(id), '{}') as components, coalesce(array_agg(location), '{}') as locations,
      coalesce(array_agg(quantity), '{}') as quantities
    from first_stock
  ) as stocked;

  for v_given in
    select given.barcode, given.high_volume
    from jsonb_to_recordset(p_rows) as given (barcode text, high_volume jsonb)
    where jsonb_typeof(given.high_volume) <> 'null'
    order by given.barcode
  loop
    update components set older_high_volume = v_given.high_volume
    where tenant_id = p_tenant and barcode = v_given.barcode;
  end loop;

  if cardinality(v_created) < v_total then
    v_back := reinstate_components(p_tenant, array(
      select components.id
      from components
      join jsonb_to_recordset(p_rows) as given (barcode text) on given.barcode = components.barcode
      where components.tenant_id = p_tenant and components.retired_at is not null
    ));
    v_changed := v_changed || v_back;

    select v_components || coalesce(array_agg(found.id), '{}'), v_locations || coalesce(array_agg(part.location), '{}'),
      v_quantities || coalesce(array_agg(part.quantity), '{}')
    into v_components, v_locations, v_quantities
    from jsonb_to_recordset(p_rows) as given (barcode text, stock jsonb)
    cross join lateral (
      select components.id from components
      where components.tenant_id = p_tenant and components.barcode = given.barcode
      offset 0
    ) as found
    cross join lateral jsonb_to_recordset(given.stock) as part (location text, quantity integer)
    where found.id not in (select unnest(v_created)) and (not p_keep or found.id in (select unnest(v_back)));
  end if;

  v_changed := v_changed || array(
    select set_stock(p_tenant, v_components, v_locations, v_quantities, 'import', p_user, p_user_name, null)
  );
  select count(*) into v_changes
  from (select unnest(v_changed) except select unnest(v_created)) as changed;

  update companies
  set component_count = component_count + cardinality(v_created)
  where tenant_id = p_tenant and cardinality(v_created) > 0;

  return jsonb_build_object(
    'created', cardinality(v_created), 'updated', v_changes, 'unchanged', v_total - cardinality(v_created) - v_changes,
    'reinstated', array(select barcode from components where tenant_id = p_tenant and id = any (v_back) order by barcode)
  );
end
$function$
CREATE OR REPLACE FUNCTION public.instant_of(p_id uuid)
 RETURNS timestamp with time zone
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN to_timestamp((((((('x0000'::text || "left"(replace((p_id)::text, '-'::text, ''::text), 12)))::bit(64))::bigint)::numeric / 1000.0))::double precision)
CREATE OR REPLACE FUNCTION public.is_retired(p_tenant uuid, p_codes text[])
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select exists (
      select from components
      where tenant_id = p_tenant and barcode = any (p_codes) and retired_at is not null
    )
    or exists (
      select from alias_barcodes
      join components on components.tenant_id = p_tenant and components.id = alias_barcodes.component_id
      where alias_barcodes.tenant_id = p_tenant and alias_barcodes.barcode = any (p_codes) and components.retired_at is not null
    )
$function$
CREATE OR REPLACE FUNCTION public.judge_import(p_tenant uuid, p_import uuid)
 RETURNS TABLE(line integer, barcode text, description text, component_id uuid, old_description text, kind text, fault text, retired boolean, primary_quantity integer, secondary_quantity integer, fulfillment_quantity integer, distribution_quantity integer, quarantine_quantity integer)
 LANGUAGE sql
 STABLE
 SET enable_seqscan TO 'off'
AS $function$
  select * from judge_rows(p_tenant, p_import, null, 0, null)
$function$
CREATE OR REPLACE FUNCTION public.judge_rows(p_tenant uuid, p_import uuid, p_kind text, p_after integer, p_limit integer)
 RETURNS TABLE(line integer, barcode text, description text, component_id uuid, old_description text, kind text, fault text, retired boolean, primary_quantity integer, secondary_quantity integer, fulfillment_quantity integer, distribution_quantity integer, quarantine_quantity integer)
 LANGUAGE sql
 STABLE
 SET enable_seqscan TO 'off'
AS $function$
  with others as materialized (
    select told.line, told.added > 0 as adds,
      coalesce(told.fault, case when told.had + told.added > 20 then 'the component would have more than 20 other barcodes' end)
        as fault
    from (
      select codes.line, count(*) filter (where taken.component_id is null) as added, coalesce(min(present.others), 0) as had,
        (array_agg(faulty.fault order by codes.place) filter (where faulty.fault is not null))[1] as fault
      from (
        -- What stands in the file, read once: its own barcodes and its other ones, by what both writings of a UPC are known by.
        select given.*,
          min(given.line) filter (where given.is_own) over (partition by upc_of(given.code)) as own_line,
          min(given.line) filter (where not given.is_own) over (
            partition by upc_of(given.code) order by given.line, given.place
            rows between unbounded preceding and 1 preceding
          ) as other_line
        from (
          select import_rows.line, import_rows.barcode as own, import_rows.barcode as code, null::integer as pieces,
            true as is_own, 0::bigint as place
          from imports
          join import_rows on import_rows.tenant_id = imports.tenant_id and import_rows.import_id = imports.id
          where imports.tenant_id = p_tenant and imports.id = p_import and import_rows.fault is null
            and 'other_barcodes' = any (imports.fields)
          union all
          select import_rows.line, import_rows.barcode, named.barcode, named.pieces, false, named.place
          from imports
          join import_rows on import_rows.tenant_id = imports.tenant_id and import_rows.import_id = imports.id
          cross join lateral rows from (
            jsonb_to_recordset(import_rows.others) as (barcode text, pieces integer)
          ) with ordinality as named (barcode, pieces, place)
          where imports.tenant_id = p_tenant and imports.id = p_import and import_rows.fault is null
            and 'other_barcodes' = any (imports.fields)
        ) as given
      ) as codes
      left join lateral (
        select components.id, (
            select count(*) from alias_barcodes had
            where had.tenant_id = p_tenant and had.component_id = components.id
          ) as others
        from components
        where components.tenant_id = p_tenant and components.barcode = codes.own
        offset 0
      ) as present on true
      left join lateral (
        select own.barcode
        from unnest(upc_writings(codes.code)) as writing (code)
        cross join lateral (
          select components.barcode from components
          where components.tenant_id = p_tenant and components.barcode = writing.code
          offset 0
        ) as own
        limit 1
      ) as named on true
      left join lateral (
        select known.component_id, known.pieces, owner.barcode as owner
        from unnest(upc_writings(codes.code)) with ordinality as writing (code, place)
        cross join lateral (
          select alias_barcodes.component_id, alias_barcodes.pieces from alias_barcodes
          where alias_barcodes.tenant_id = p_tenant and alias_barcodes.barcode = writing.code
          offset 0
        ) as known
        cross join lateral (
          select components.barcode from components
          where components.tenant_id = p_tenant and components.id = known.component_id
          offset 0
        ) as owner
        order by writing.place
        limit 1
      ) as taken on true
      cross join lateral (
        select 'the other barcode ' || codes.code || case
          when named.barcode = codes.code then ' is the barcode of a component already'
          when named.barcode is not null then ' is another writing of ' || named.barcode || ', which is there already'
          when taken.component_id <> present.id or taken.component_id is not null and present.id is null
            then ' belongs to ' || taken.owner || ' already'
          when taken.pieces <> codes.pieces
            then ' stands for ' || taken.pieces || ' already: change that on the page of the component'
          when codes.own_line is not null then ' is the barcode at line ' || codes.own_line
          when codes.other_line is not null then ' stands already at line ' || codes.other_line
        end as fault
      ) as faulty
      where not codes.is_own
      group by codes.line
    ) as told
  ),
  -- Barcodes that stand in several rows, each with the first line that can be taken, looked up like others below.
  first_lines as materialized (
    select jsonb_object_agg(same.barcode, same.line) as lines
    from (
      select import_rows.barcode, min(import_rows.line) filter (where import_rows.fault is null) as line
      from import_rows
      where import_rows.tenant_id = p_tenant and import_rows.import_id = p_import
      group by import_rows.barcode
      having count(*) > 1
    ) as same
  ),
  -- The same of UPCs that stand in both of their writings.
  first_writings as materialized (
    select jsonb_object_agg(same.upc, same.line) as lines
    from (
      select upc_of(import_rows.barcode) as upc, min(import_rows.line) filter (where import_rows.fault is null) as line
      from import_rows
      where import_rows.tenant_id = p_tenant and import_rows.import_id = p_import and length(import_rows.barcode) in (12, 13)
      group by 1
      having count(*) > 1
    ) as same
  )
  select * from (
    select rows.line, rows.barcode, rows.description, present.id as component_id, present.description as old_description,
      case
        when coalesce(rows.fault, rows.twice, aliased.fault, twin.fault) is not null then 'bad'
        when present.id is null and rows.other_writing is not null then 'bad'
        when others.said ->> 'fault' is not null then 'bad'
        when present.id is null then 'new'
        when present.retired_at is not null then case when rows.leave_out_retired then 'unchanged' else 'changed' end
        when rows.description <> '' and rows.description <> present.description then 'changed'
        when rows.placements is not null and exists (
          select from jsonb_to_recordset(rows.placements) as given (location text, bin text, minimum integer)
          left join lateral (
            select placements.bin, placements.minimum from placements
            where placements.tenant_id = p_tenant and placements.component_id = present.id
              and placements.location = given.location
            offset 0
          ) as placed on true
          where given.bin <> coalesce(placed.bin, '') or given.minimum <> coalesce(placed.minimum, -1)
        ) then 'changed'
        when rows.unit_cost is not null and rows.unit_cost is distinct from (
          select costs.unit_cost from component_costs costs
          where costs.tenant_id = p_tenant and costs.component_id = present.id
          order by costs.since desc
          limit 1
        ) then 'changed'
        when (others.said -> 'adds')::boolean then 'changed'
        when not rows.keep_existing and exists (
          select from (values
            ('PRIMARY', rows.primary_quantity), ('SECONDARY', rows.secondary_quantity),
            ('FULFILLMENT', rows.fulfillment_quantity), ('DISTRIBUTION', rows.distribution_quantity),
            ('QUARANTINE', rows.quarantine_quantity)
          ) as given (location, quantity)
          where given.quantity <> coalesce(
            (
              select stock.quantity from stock
              where stock.tenant_id = p_tenant and stock.component_id = present.id and stock.location = given.location
            ),
            0
          )
        ) then 'changed'
        else 'unchanged'
      end as kind,
      coalesce(
        rows.fault, rows.twice, aliased.fault, twin.fault, case when present.id is null then rows.other_writing end,
        others.said ->> 'fault'
      ) as fault,
      present.retired_at is not null as retired,
      rows.primary_quantity, rows.secondary_quantity, rows.fulfillment_quantity, rows.distribution_quantity,
      rows.quarantine_quantity
    from (
      select import_rows.*, imports.keep_existing, imports.leave_out_retired,
        case when import_rows.fault is null and told.first_line < import_rows.line
          then 'the barcode stands already at line ' || told.first_line
        end as twice,
        case when import_rows.fault is null and told.first_writing < import_rows.line
          then 'the barcode is another writing of the one at line ' || told.first_writing
        end as other_writing
      from imports
      join import_rows on import_rows.tenant_id = imports.tenant_id and import_rows.import_id = imports.id
      cross join lateral (
        select ((select known.lines from first_lines known) ->> import_rows.barcode)::integer as first_line,
          ((select known.lines from first_writings known) ->> upc_of(import_rows.barcode))::integer as first_writing
        offset 0
      ) as told
      where imports.tenant_id = p_tenant and imports.id = p_import and import_rows.line > p_after
      order by import_rows.line
    ) as rows
    -- By their line, so that they are not looked through for each row.
    cross join lateral (
      select (
        select jsonb_object_agg(told.line, jsonb_build_object('adds', told.adds, 'fault', told.fault)) from others told
      ) -> rows.line::text as said
      offset 0
    ) as others
    left join lateral (
      select components.id, components.description, components.retired_at from components
      where components.tenant_id = p_tenant and components.barcode = rows.barcode
      offset 0
    ) as present on true
    left join lateral (
      select 'the barcode is another barcode of ' || owner.barcode || ' already' as fault
      from unnest(upc_writings(rows.barcode)) as writing (code)
      cross join lateral (
        select alias_barcodes.component_id from alias_barcodes
        where alias_barcodes.tenant_id = p_tenant and alias_barcodes.barcode = writing.code
        offset 0
      ) as known
      cross join lateral (
        select components.barcode from components
        where components.tenant_id = p_tenant and components.id = known.component_id
        offset 0
      ) as owner
      where present.id is null
        -- Asked once: most companies have none.
        and (select exists (select from alias_barcodes other where other.tenant_id = p_tenant))
      limit 1
    ) as aliased on true
    left join lateral (
      select 'the barcode is another writing of ' || own.barcode || ', which is there already' as fault
      from unnest(upc_writings(rows.barcode)) as writing (code)
      cross join lateral (
        select components.barcode from components
        where components.tenant_id = p_tenant and components.barcode = writing.code
        offset 0
      ) as own
      where present.id is null and writing.code <> rows.barcode
    ) as twin on true
  ) as judged
  where p_kind is null or judged.kind = p_kind
  order by judged.line
  limit p_limit
$function$
CREATE OR REPLACE FUNCTION public.keep_at(p_tenant uuid, p_location text, p_components uuid[])
 RETURNS uuid[]
 LANGUAGE plpgsql
 SET enable_nestloop TO 'off'
AS $function$
declare
  v_kept uuid[];
begin
  with kept as (
    delete from not_kept
    where tenant_id = p_tenant and location = p_location and component_id in (select unnest(p_components))
    returning component_id
  )
  select coalesce(array_agg(component_id), '{}') into v_kept from kept;
  update companies
  set not_kept_counts = less_not_kept(not_kept_counts, jsonb_build_object(p_location, cardinality(v_kept)))
  where tenant_id = p_tenant and cardinality(v_kept) > 0;
  return v_kept;
end
$function$
CREATE OR REPLACE FUNCTION public.keep_unknown_code(p_tenant uuid, p_session uuid, p_key text, p_code text, p_quantity integer, p_location text, p_source text, p_count_session text, p_at timestamp with time zone, p_reason text)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
declare
  v_scans_kept constant integer := 10;
  v_most_open constant integer := 5000;
  v_most_open_of_one constant integer := 1000;
  v_actor record;
  v_code unknown_codes;
  v_is_found boolean := false;
  v_is_kept boolean := true;
begin
  select users.id, users.name, users.role into v_actor
  from sessions
  join users on users.tenant_id = sessions.tenant_id and users.id = sessions.user_id
  where sessions.tenant_id = p_tenant and sessions.id = p_session;

  select * into v_code from unknown_codes
  where tenant_id = p_tenant and code = p_code and location = p_location
  for update;
  if not found then
    -- One at a time, so that those who come at once do not all find the last place free.
    perform pg_advisory_xact_lock(hashtextextended('unknown codes ' || p_tenant::text, 0));
    v_is_kept := exists (
        select from unknown_codes where tenant_id = p_tenant and code = p_code and location = p_location
      )
      or (select count(*) from unknown_codes where tenant_id = p_tenant and status = 'open') < v_most_open
      and (
        select count(*) from unknown_codes
        where tenant_id = p_tenant and status = 'open' and found_by = v_actor.id
      ) < v_most_open_of_one;
    if v_is_kept then
      insert into unknown_codes (tenant_id, code, location, times, found_by, user_id, user_name)
      values (p_tenant, p_code, p_location, 0, v_actor.id, v_actor.id, v_actor.name)
      on conflict (tenant_id, code, location) do nothing;
      v_is_found := found;
      select * into v_code from unknown_codes
      where tenant_id = p_tenant and code = p_code and location = p_location
      for update;
    end if;
  end if;

  if v_is_kept then
    insert into unknown_code_scans (
      tenant_id, unknown_code_id, user_id, user_name, request_key, scanned_at, quantity
    )
    values (p_tenant, v_code.id, v_actor.id, v_actor.name, p_key, p_at, p_quantity)
    on conflict (tenant_id, unknown_code_id, user_id, request_key) do nothing;
    if not found then return true; end if;
    v_is_found := v_is_found or v_code.status = 'component';
  end if;

  insert into audit_entries (
    tenant_id, kind, event, sku, quantity, location, source, user_id, user_type, user_name, metadata
  )
  values (
    p_tenant, 'inventory_scan',
    case
      when v_is_found then 'unknown_code_found'
      when p_source = 'admin' then 'admin_view_error'
      else p_source || '_count_error'
    end,
    p_code, p_quantity, p_location, p_source, v_actor.id, v_actor.role, v_actor.name,
    jsonb_build_object('session', p_count_session, 'counted_at', p_at, 'reason', p_reason)
      || case when v_is_kept then '{}'::jsonb else '{"not_kept": true}'::jsonb end
  );
  if not v_is_kept then return false; end if;

  -- A code that became a component and is unknown again waits for a decision again; an ignored one stays ignored.
  update unknown_codes
  set times = times + 1, user_id = v_actor.id, user_name = v_actor.name, last_seen_at = clock_timestamp(),
    status = case when status = 'component' then 'open' else status end,
    opened_id = case when status = 'component' then new_id() else opened_id end,
    decided_by = case when status = 'component' then null else decided_by end,
    decided_at = case when status = 'component' then null else decided_at end
  where tenant_id = p_tenant and id = v_code.id;

  delete from unknown_code_scans
  where tenant_id = p_tenant and unknown_code_id = v_code.id and id not in (
    select newest.id from unknown_code_scans newest
    where newest.tenant_id = p_tenant and newest.unknown_code_id = v_code.id
    order by newest.id desc
    limit v_scans_kept
  );
  return true;
end
$function$
CREATE OR REPLACE FUNCTION public.keep_with_stock(p_tenant uuid, p_components uuid[], p_locations text[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  v_fewer jsonb;
begin
  perform from companies where tenant_id = p_tenant and not_kept_counts <> '{}';
  if not found then return; end if;
  with kept as (
    delete from not_kept
    where tenant_id = p_tenant and (location, component_id) in (
      select given.location, given.component_id
      from unnest(p_components, p_locations) as given (component_id, location)
      cross join lateral (
        select from stock
        where stock.tenant_id = p_tenant and stock.component_id = given.component_id and stock.location = given.location
          and stock.quantity > 0
        offset 0
      ) as present
    )
    returning location
  )
  select jsonb_object_agg(location, fewer) into v_fewer
  from (select location, count(*) as fewer from kept group by location) as of_location;
  update companies set not_kept_counts = less_not_kept(not_kept_counts, v_fewer)
  where tenant_id = p_tenant and v_fewer is not null;
end
$function$
CREATE OR REPLACE FUNCTION public.labels_used(p_tenant uuid, p_month timestamp with time zone)
 RETURNS integer
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce(
    (select used from label_usage where tenant_id = p_tenant and month_start = p_month), 0
  ) - coalesce((
    select sum(labels)
    from label_jobs
    where tenant_id = p_tenant and month_start = p_month and state = 'reserved' and expires_at < now()
  ), 0)::integer
$function$
CREATE OR REPLACE FUNCTION public.last_scan_of(p_tenant uuid, p_discrepancy uuid)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
AS $function$
  select max(attempt.counted_at)
  from discrepancies difference
  join count_attempts attempt on attempt.tenant_id = difference.tenant_id and attempt.discrepancy_id = difference.id
  where difference.tenant_id = p_tenant and difference.id = p_discrepancy
    and attempt.attempt <= difference.attempts and not attempt.overtaken
    and not exists (
      select from count_attempts later
      where later.tenant_id = p_tenant and later.discrepancy_id = attempt.discrepancy_id
        and later.attempt = attempt.attempt and later.id > attempt.id
    )
$function$
CREATE OR REPLACE FUNCTION public.late_entries(p_tenant uuid, p_from uuid, p_last uuid)
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 STABLE
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
AS $function$
begin
  return query
    select id from audit_entries where tenant_id = p_tenant and id >= p_from and id < p_last
    except
    select entry_id from audit_seals where tenant_id = p_tenant and entry_id >= p_from and entry_id < p_last;
end
$function$
CREATE OR REPLACE FUNCTION public.leave_out(p_tenant uuid, p_location text, p_components uuid[])
 RETURNS TABLE(component_id uuid, barcode text, outcome text)
 LANGUAGE plpgsql
 SET enable_nestloop TO 'off'
AS $function$
#variable_conflict use_column
declare
  v_zone text;
  v_month timestamptz;
  v_ids uuid[];
  v_barcodes text[];
  v_outcomes text[];
  v_left uuid[];
begin
  -- As retire_component.
  perform pg_advisory_xact_lock(retire_lock(p_tenant));
  perform from stock
  where tenant_id = p_tenant and location = p_location and component_id in (select unnest(p_components))
  order by component_id
  for update;
  perform from components
  where tenant_id = p_tenant and id in (select unnest(p_components))
  order by id
  for no key update;
  perform pg_advisory_xact_lock(time_zone_lock(p_tenant));

  select array_agg(judged.id), array_agg(judged.barcode), array_agg(judged.outcome) into v_ids, v_barcodes, v_outcomes
  from (
    select components.id, components.barcode, case
      when components.retired_at is not null then 'retired'
      when exists (
        select from not_kept
        where not_kept.tenant_id = p_tenant and not_kept.location = p_location and not_kept.component_id = components.id
      ) then 'already'
      when exists (
        select from stock
        where stock.tenant_id = p_tenant and stock.component_id = components.id and stock.location = p_location
          and stock.quantity > 0
      ) then 'stock'
      when exists (
        select from transfers
        where transfers.tenant_id = p_tenant and transfers.component_id = components.id
          and transfers.to_location = p_location and transfers.status = 'in_transit'
      ) then 'on_its_way'
      when exists (
        select from discrepancies
        where discrepancies.tenant_id = p_tenant and discrepancies.component_id = components.id
          and discrepancies.location = p_location and discrepancies.status in ('attempted', 'open', 'recount')
      ) then 'difference'
      when exists (
        select from high_volume_assignments listed
        where listed.tenant_id = p_tenant and listed.component_id = components.id and listed.location = p_location
      ) then 'weekly'
      else 'left_out'
    end as outcome
    from components
    where components.tenant_id = p_tenant and components.id in (select unnest(p_components))
  ) as judged;
  v_left := array(select judged.id from unnest(v_ids, v_outcomes) as judged (id, outcome) where judged.outcome = 'left_out');

  -- What was counted there this month no longer counts, as of what is retired.
  select time_zone into v_zone from companies where tenant_id = p_tenant;
  v_month := start_of_month(now(), v_zone);
  update stock
  set weekly_counted_at = null, weekly_cleared_at = clock_timestamp()
  where tenant_id = p_tenant and location = p_location and component_id in (select unnest(v_left))
    and weekly_counted_at >= start_of_day(now(), v_zone);
  -- Nor does it come back into their cycles.
  update stock
  set left_out_at = clock_timestamp()
  where tenant_id = p_tenant and location = p_location and component_id in (select unnest(v_left)) and scans > 0;
  with cleared as (
    update stock
    set counted_at = null, counted_source = null, cleared_at = clock_timestamp()
    where tenant_id = p_tenant and location = p_location and component_id in (select unnest(v_left))
      and counted_at >= v_month
    returning component_id
  )
  update count_progress
  set counted = counted - gone.marks
  from (select count(*)::integer as marks from cleared) as gone
  where tenant_id = p_tenant and month_start = v_month and location = p_location and gone.marks > 0;
  insert into not_kept (tenant_id, location, component_id)
  select p_tenant, p_location, gone.id from unnest(v_left) as gone (id)
  on conflict (tenant_id, location, component_id) do nothing;
  update companies
  set not_kept_counts = less_not_kept(not_kept_counts, jsonb_build_object(p_location, -cardinality(v_left)))
  where tenant_id = p_tenant and cardinality(v_left) > 0;
  return query select * from unnest(v_ids, v_barcodes, v_outcomes);
end
$function$
CREATE OR REPLACE FUNCTION public.less_not_kept(p_counts jsonb, p_fewer jsonb)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select coalesce(jsonb_object_agg(location, coalesce((p_counts ->> location)::integer, 0) - coalesce((p_fewer ->> location)::integer, 0)), '{}')
  from (select jsonb_object_keys(p_counts) as location union select jsonb_object_keys(p_fewer)) as named
$function$
CREATE OR REPLACE FUNCTION public.make_history_quarters()
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET lock_timeout TO '200ms'
AS $function$
declare
  v_history text;
  v_start timestamp;
  v_first uuid;
  v_next uuid;
  v_made integer := 0;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('make_history_quarters', 0)) then return 0; end if;
  foreach v_history in array array['audit_entries', 'count_history'] loop
    for v_ahead in 0..2 loop
      v_start := date_trunc('quarter', now() at time zone 'UTC') + make_interval(months => 3 * v_ahead);
      v_first := public.id_at(v_start at time zone 'UTC');
      v_next := public.id_at((v_start + interval '3 months') at time zone 'UTC');
      continue when exists (
        select from public.history_parts() known
        where known.history = v_history and known.first_id < v_next and known.next_id > v_first
      );
      begin
        perform public.add_history_part(
          v_history, v_history || to_char(v_start, '_YYYY_"q"Q'), format('for values from (%L) to (%L)', v_first, v_next)
        );
        v_made := v_made + 1;
      exception when lock_not_available or check_violation then
        null;
      end;
    end loop;
  end loop;
  return v_made;
end
$function$
CREATE OR REPLACE FUNCTION public.move_stock(p_tenant uuid, p_component uuid, p_location text, p_delta integer, p_cause text, p_note text, p_user uuid, p_user_name text)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
declare
  v_after integer;
begin
  insert into stock (tenant_id, component_id, location) values (p_tenant, p_component, p_location)
  on conflict (tenant_id, component_id, location) do nothing;
  update stock set quantity = quantity + p_delta
  where tenant_id = p_tenant and component_id = p_component and location = p_location and quantity + p_delta >= 0
  returning quantity into v_after;
  if not found then return false; end if;
  if p_delta <> 0 then
    insert into movements (
      tenant_id, component_id, location, delta, quantity_after, cause, note, user_id, user_name
    )
    values (p_tenant, p_component, p_location, p_delta, v_after, p_cause, p_note, p_user, p_user_name);
  end if;
  if p_delta > 0 then perform keep_at(p_tenant, p_location, array[p_component]); end if;
  return true;
end
$function$
CREATE OR REPLACE FUNCTION public.new_id()
 RETURNS uuid
 LANGUAGE sql
 PARALLEL SAFE
RETURN uuidv7()
CREATE OR REPLACE FUNCTION public.new_ids(p_count integer)
 RETURNS uuid[]
 LANGUAGE sql
 PARALLEL SAFE
AS $function$
  select array(
    select (prefix || lpad(to_hex(first + place), 12, '0'))::uuid from generate_series(1, p_count) as place
  )
  from (
    -- One bit less, so that counting up never carries.
    select left(id::text, 24) as prefix, ('x' || right(id::text, 12))::bit(48)::bigint & 140737488355327 as first
    from new_id() as id
  ) as start
$function$
CREATE OR REPLACE FUNCTION public.newest_cycle_counts(p_tenant uuid, p_location text, p_user_types text[], p_limit integer, p_bytes integer)
 RETURNS SETOF cycle_counts
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  v_record cycle_counts;
  v_bytes integer := 0;
begin
  for v_record in
    select * from cycle_counts
    where tenant_id = p_tenant and (p_location is null or location = p_location) and user_type = any (p_user_types)
    order by last_updated desc
    limit p_limit
  loop
    exit when v_bytes >= p_bytes;
    v_bytes := v_bytes + octet_length(v_record.progress::text);
    return next v_record;
  end loop;
end
$function$
CREATE OR REPLACE FUNCTION public.newest_weekly_counts(p_tenant uuid, p_location text, p_day text, p_limit integer, p_bytes integer)
 RETURNS SETOF weekly_counts
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  v_record weekly_counts;
  v_bytes integer := 0;
begin
  for v_record in
    select * from weekly_counts
    where tenant_id = p_tenant and (p_location is null or location = p_location) and (p_day is null or day = p_day)
    order by last_updated desc
    limit p_limit
  loop
    exit when v_bytes >= p_bytes;
    v_bytes := v_bytes + octet_length(v_record.progress::text);
    return next v_record;
  end loop;
end
$function$
CREATE OR REPLACE FUNCTION public.post_transfer(p_tenant uuid, p_transfer uuid, p_component uuid, p_location text, p_delta integer, p_cause text, p_note text, p_user uuid, p_user_name text)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
declare
  v_after integer;
begin
  insert into stock (tenant_id, component_id, location) values (p_tenant, p_component, p_location)
  on conflict (tenant_id, component_id, location) do nothing;
  update stock set quantity = quantity + p_delta
  where tenant_id = p_tenant and component_id = p_component and location = p_location and quantity + p_delta >= 0
  returning quantity into v_after;
  if not found then return false; end if;
  insert into movements (
    tenant_id, component_id, location, delta, quantity_after, cause, note, user_id, user_name, reference
  )
  values (
    p_tenant, p_component, p_location, p_delta, v_after, p_cause, p_note, p_user, p_user_name, p_transfer
  );
  if p_delta > 0 then perform keep_at(p_tenant, p_location, array[p_component]); end if;
  return true;
end
$function$
CREATE OR REPLACE FUNCTION public.receive_transfer(p_tenant uuid, p_transfer uuid, p_quantity integer, p_user uuid, p_user_name text)
 RETURNS text
 LANGUAGE plpgsql
AS $function$
declare
  v_transfer transfers;
  v_left integer;
begin
  select * into v_transfer from transfers
  where tenant_id = p_tenant and id = p_transfer and status = 'in_transit'
  for update;
  if not found then return 'not_in_transit'; end if;
  v_left := v_transfer.quantity - v_transfer.received_in_part;
  if p_quantity > v_left then return 'more_than_sent'; end if;
  if coalesce(p_quantity, v_left) = v_left then
    perform close_transfer(p_tenant, p_transfer, 'received', p_user, p_user_name);
    return 'received';
  end if;
  update transfers set received_in_part = received_in_part + p_quantity
  where tenant_id = p_tenant and id = p_transfer;
  perform post_transfer(
    p_tenant, p_transfer, v_transfer.component_id, v_transfer.to_location, p_quantity, 'transfer', v_transfer.note,
    p_user, p_user_name
  );
  return 'received';
end
$function$
CREATE OR REPLACE FUNCTION public.record_count(p_tenant uuid, p_session uuid, p_key text, p_hash text, p_plans text[], p_codes text[], p_quantity integer, p_location text, p_source text, p_count_session text, p_at timestamp with time zone, p_day text, p_recount boolean, p_is_timed boolean)
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
declare
  v_now constant timestamptz := clock_timestamp();
  v_actor record;
  v_code text;
  v_day text;
  v_component record;
  v_stock record;
  v_period timestamptz;
  v_month timestamptz;
  v_this_month timestamptz;
  v_today timestamptz;
  v_progress weekly_progress;
  v_discrepancy discrepancies;
  v_late boolean;
  v_expected integer;
  v_waits boolean;
  v_recounts boolean;
  v_overtaken boolean := false;
  v_opens_nothing boolean;
  v_last_scan timestamptz;
  v_last_entry record;
  v_restarts boolean := false;
  v_newer_at timestamptz;
  v_newer_by text;
  v_disproved boolean := false;
  v_matched boolean;
  v_tolerated boolean;
  v_first boolean := false;
  v_difference integer;
  v_recorded boolean;
  v_marks boolean;
  v_weekly_mark boolean;
  v_was jsonb;
  v_dismissed jsonb;
  v_settled discrepancies[];
  v_recounted discrepancies[];
  v_closed discrepancies[];
  v_other discrepancies;
  v_entry uuid;
  v_attempt_id uuid;
  v_attempt integer;
  v_told integer;
  v_counted integer;
  v_total integer;
  v_reply jsonb;
begin
  -- Assigned, because that costs a tenth of a statement.
  v_code := set_config('app.tenant_id', p_tenant::text, true);
  -- Against change_time_zone, which moves the rows that a count writes to.
  perform pg_advisory_xact_lock_shared(time_zone_lock(p_tenant));

  select users.id, users.name, users.role, users.seated, companies.plan, companies.time_zone,
    companies.strict_blind_counts, companies.component_count, companies.not_kept_counts, companies.trial_ends_at,
    companies.count_tolerance_units, companies.count_tolerance_percent, companies.first_count_sets_stock,
    sessions.last_used_at,
    operations.request_hash, operations.reply
  into v_actor
  from sessions
  join users on users.tenant_id = sessions.tenant_id and users.id = sessions.user_id
  join companies on companies.tenant_id = sessions.tenant_id
  left join operations on operations.tenant_id = p_tenant and operations.user_id = users.id and operations.key = p_key
  where sessions.tenant_id = p_tenant and sessions.id = p_session
    and sessions.ended_at is null and sessions.expires_at > v_now and users.active;
  if not found then return jsonb_build_object('outcome', 'unauthorized'); end if;

  if v_actor.request_hash <> p_hash then return jsonb_build_object('outcome', 'key_reused'); end if;
  if v_actor.request_hash = p_hash then return v_actor.reply; end if;

  if p_source = 'admin' and v_actor.role <> 'admin' then return jsonb_build_object('outcome', 'forbidden'); end if;
  if v_actor.trial_ends_at <= v_now and current_setting('app.billing', true) = 'stripe' then
    perform from subscriptions where tenant_id = p_tenant and status in ('active', 'past_due');
    if not found then return jsonb_build_object('outcome', 'trial_expired'); end if;
  end if;
  if not v_actor.seated then return jsonb_build_object('outcome', 'not_seated'); end if;
  if not v_actor.plan = any (p_plans) then return jsonb_build_object('outcome', 'location_not_in_plan'); end if;
  if p_at < v_now - interval '7 days' then return jsonb_build_object('outcome', 'too_old'); end if;
  if p_at > v_now + interval '5 minutes' then return jsonb_build_object('outcome', 'too_early'); end if;
  -- A clock that is ahead must not count in a day that has not begun; within one it keeps the order of its scans.
  if p_at > v_now and start_of_day(p_at, v_actor.time_zone) > start_of_day(v_now, v_actor.time_zone) then
    p_at := v_now;
  end if;

  foreach v_code in array p_codes loop
    select id, barcode, description into v_component
    from components
    where tenant_id = p_tenant and barcode = v_code and retired_at is null;
    exit when found;
  end loop;
  if v_component.id is null then
    foreach v_code in array p_codes loop
      select components.id, components.barcode, components.description into v_component
      from alias_barcodes
      join components on components.tenant_id = p_tenant and components.id = alias_barcodes.component_id
      where alias_barcodes.tenant_id = p_tenant and alias_barcodes.barcode = v_code and components.retired_at is null;
      exit when found;
    end loop;
  end if;
  if v_component.id is null then
    return jsonb_build_object('outcome', case when is_retired(p_tenant, p_codes) then 'retired' else 'not_found' end);
  end if;

  if p_source = 'weekly' then
    -- A condition with coalesce is not taken for a key under row level security.
    v_day := coalesce(p_day, trim(to_char(p_at at time zone v_actor.time_zone, 'Day')));
    perform from high_volume_assignments
    where tenant_id = p_tenant and component_id = v_component.id and location = p_location and day = v_day;
    if not found then
      -- A recount that was asked for can be done also where the SKU has left every day's list since.
      perform from discrepancies
      where tenant_id = p_tenant and component_id = v_component.id and location = p_location
        and count_type = 'weekly' and status = 'recount'
        and not exists (
          select from high_volume_assignments listed
          where listed.tenant_id = p_tenant and listed.component_id = v_component.id and listed.location = p_location
        );
      if not found then return jsonb_build_object('outcome', 'not_in_list'); end if;
    end if;
  end if;

  select quantity, counted_at, weekly_counted_at, cleared_at, weekly_cleared_at into v_stock from stock
  where tenant_id = p_tenant and component_id = v_component.id and location = p_location
  for update;
  if not found then
    insert into stock (tenant_id, component_id, location) values (p_tenant, v_component.id, p_location)
    on conflict (tenant_id, component_id, location) do nothing;
    select quantity, counted_at, weekly_counted_at, cleared_at, weekly_cleared_at into v_stock from stock
    where tenant_id = p_tenant and component_id = v_component.id and location = p_location
    for update;
  end if;

  if p_source = 'weekly' and not p_recount
    and start_of_day(v_stock.weekly_counted_at, v_actor.time_zone) = start_of_day(p_at, v_actor.time_zone) then
    return jsonb_build_object('outcome', 'already_counted');
  end if;

  -- Clocks of devices may be off by as much as they may be ahead.
  v_late := p_at < v_now - interval '5 minutes';
  v_expected := v_stock.quantity;
  -- By as much as a known clock may be off, and an entry be on its way.
  if v_late or p_is_timed and p_at < v_now - interval '2 minutes' then
    -- The stock at the moment of the scan: without what has moved since, but with a difference that was accepted since, which
    -- was there before, and with the first quantity of all that somebody entered, before which nothing is known. An import
    -- that was undone has set and taken back nothing.
    select greatest(v_stock.quantity - coalesce(sum(delta), 0), 0) into v_expected
    from movements
    where tenant_id = p_tenant and component_id = v_component.id and id >= id_at(p_at) and location = p_location
      and cause <> 'discrepancy'
      and not exists (
        select from imports
        where imports.tenant_id = p_tenant and imports.id = movements.reference and imports.undone_at is not null
      )
      and not (
        cause in ('import', 'correction') and id = (
          select id from movements
          where tenant_id = p_tenant and component_id = v_component.id and location = p_location
            and not exists (
              select from imports
              where imports.tenant_id = p_tenant and imports.id = movements.reference and imports.undone_at is not null
            )
          order by id
          limit 1
        )
      );
  end if;
  v_matched := v_expected = p_quantity;
  v_difference := p_quantity - v_expected;
  v_tolerated := not v_matched
    and coalesce(v_actor.count_tolerance_units, v_actor.count_tolerance_percent) is not null
    and abs(v_difference) <= coalesce(v_actor.count_tolerance_units, 2147483647)
    and (
      v_actor.count_tolerance_percent is null
      or abs(v_difference)::numeric * 100 <= v_actor.count_tolerance_percent * v_expected
    );
  if v_late and not v_matched then
    select counted_at, user_name into v_newer_at, v_newer_by
    from standing_counts(p_tenant, v_component.barcode, p_location, null) as newer
    where newer.id >= id_at(p_at) and newer.counted_at > p_at
    order by newer.counted_at desc, newer.id desc
    limit 1;
  end if;
  -- A scan says nothing about stock that was counted or moved since, however soon it comes.
  if v_tolerated then
    v_tolerated := v_newer_at is null and coalesce(v_stock.counted_at, '-infinity') <= p_at and not exists (
      select from movements
      where tenant_id = p_tenant and component_id = v_component.id and id >= id_at(p_at) and location = p_location
    );
  end if;
  -- Of what nobody has moved or counted there nothing is known: its first count says what there is. What first counts that were taken
  -- back have moved there and back has not moved.
  if v_actor.first_count_sets_stock and not v_matched and v_expected = 0 and v_stock.quantity = 0
    and v_stock.counted_at is null then
    v_first := not exists (select from standing_counts(p_tenant, v_component.barcode, p_location, null))
      and not exists (
        select from movements
        where tenant_id = p_tenant and component_id = v_component.id and location = p_location
          and not exists (
            select from discrepancies taken_back
            where taken_back.tenant_id = p_tenant and taken_back.id = movements.reference
          )
      )
      -- Whoever counts what has arrived before it is received finds what is on its way there.
      and not exists (
        select from transfers
        where tenant_id = p_tenant and component_id = v_component.id and to_location = p_location
          and status = 'in_transit'
      );
    v_tolerated := v_tolerated or v_first;
  end if;
  v_period := case p_source
    when 'weekly' then start_of_day(p_at, v_actor.time_zone)
    else start_of_month(p_at, v_actor.time_zone)
  end;

  -- Mostly nothing waits there, of whatever kind.
  perform from discrepancies
  where tenant_id = p_tenant and component_id = v_component.id and location = p_location
    and status in ('attempted', 'open', 'recount');
  v_waits := found;
  if v_waits then
    select * into v_discrepancy from discrepancies
    where tenant_id = p_tenant and component_id = v_component.id and location = p_location
      and count_type = p_source and status in ('attempted', 'open', 'recount')
      and (period_start = v_period or status = 'recount' and period_start < v_period)
    order by period_start desc
    limit 1
    for update;
  end if;
  v_recounts := v_discrepancy.id is not null;
  if v_discrepancy.period_start < v_period then v_discrepancy := null; end if;
  if v_newer_at is not null and v_discrepancy.id is null then
    -- Another entry of what was counted since.
    select * into v_discrepancy from discrepancies
    where tenant_id = p_tenant and component_id = v_component.id and location = p_location
      and count_type = p_source and period_start = v_period and status = 'dismissed' and reason = 'Counted since'
      and updated_at > p_at
    order by id desc
    limit 1
    for update;
  end if;
  if v_late and v_discrepancy.id is not null then
    -- What was found, or asked for, after this scan stays as it is.
    v_last_scan := last_scan_of(p_tenant, v_discrepancy.id);
    v_overtaken := v_discrepancy.status = 'recount' and v_discrepancy.updated_at > p_at
      or coalesce(v_last_scan > p_at, false);
    v_tolerated := v_tolerated and not v_overtaken;
    v_first := v_first and not v_overtaken;
  end if;
  if v_newer_at is not null then
    v_disproved := case
      when v_overtaken then v_discrepancy.status in ('attempted', 'dismissed') and v_newer_at > v_last_scan
      else true
    end;
  end if;
  v_opens_nothing := v_overtaken and not v_matched and v_discrepancy.status in ('open', 'recount');
  v_attempt := coalesce(v_discrepancy.attempts, 0);
  if v_actor.strict_blind_counts and v_actor.role <> 'admin' then
    -- Attempts that began anew after a match would tell by the next verdict that it was one, and those that administrators begin
    -- would give another.
    select greatest(v_attempt, coalesce(max(attempts), 0)) into v_attempt from discrepancies
    where tenant_id = p_tenant and component_id = v_component.id and location = p_location
      and count_type = p_source and period_start = v_period;
  end if;
  v_attempt := v_attempt + 1;
  if v_discrepancy.status in ('attempted', 'open') and not v_matched and not v_tolerated and not v_overtaken
    and not v_disproved and (v_actor.role = 'admin' or not v_actor.strict_blind_counts) then
    -- Counting began anew with a reset since its last entry: this is a first one, beside what was found before.
    select counted_at, created_at into v_last_entry from count_attempts
    where tenant_id = p_tenant and discrepancy_id = v_discrepancy.id and attempt <= v_discrepancy.attempts
    order by attempt desc, id desc
    limit 1;
    v_restarts := was_reset(
      p_tenant, v_component.id, p_location, case when p_source = 'weekly' then 'weekly' else 'monthly' end,
      v_last_entry.counted_at, v_last_entry.created_at, v_actor.time_zone
    ) and not was_reset(
      p_tenant, v_component.id, p_location, case when p_source = 'weekly' then 'weekly' else 'monthly' end,
      p_at, v_now, v_actor.time_zone
    );
    if p_source = 'admin' and not v_restarts then
      perform from cycle_resets
      where tenant_id = p_tenant and id = p_count_session and reset_at > v_last_entry.counted_at
        and reset_at > v_last_entry.created_at and (reset_at <= p_at or not v_late);
      v_restarts := found;
    end if;
    -- Its number is none that the difference has, as that of an entry that came late.
    v_overtaken := v_restarts;
  end if;
  v_recorded := v_matched or v_tolerated or v_attempt > 1 and not v_restarts;

  if v_discrepancy.id is not null then
    v_was := jsonb_build_object(
      'status', v_discrepancy.status, 'reason', v_discrepancy.reason, 'decided_by', v_discrepancy.decided_by,
      'updated_at', v_discrepancy.updated_at
    );
  end if;
  if v_overtaken then
    -- A second entry that does not match is a count, whichever of the two was scanned first.
    update discrepancies
    set attempts = v_attempt,
      status = case
        when v_disproved then 'dismissed'
        when status = 'attempted' and not v_matched and not v_restarts then 'open'
        else status
      end,
      reason = case when v_disproved then 'Counted since' else reason end,
      decided_by = case when v_disproved then v_newer_by else decided_by end,
      updated_at = case when v_disproved then v_now else updated_at end
    where tenant_id = p_tenant and id = v_discrepancy.id;
  elsif v_discrepancy.id is not null then
    update discrepancies
    set status = case
        when v_matched then 'matched'
        when v_tolerated then 'accepted'
        when v_disproved then 'dismissed'
        else 'open'
      end,
      expected = v_expected, counted = p_quantity, attempts = v_attempt,
      reason = case
        when v_first then 'First count'
        when v_tolerated then 'Within tolerance'
        when v_disproved then 'Counted since'
        else reason
      end,
      decided_by = case
        when v_first then null
        when v_tolerated then 'Count tolerance'
        when v_disproved then v_newer_by
        else decided_by
      end,
      user_id = v_actor.id, user_name = v_actor.name, updated_at = clock_timestamp()
    where tenant_id = p_tenant and id = v_discrepancy.id;
  elsif not v_matched then
    insert into discrepancies (
      tenant_id, component_id, sku, location, count_type, period_start, status, expected, counted, attempts,
      user_id, user_name, reason, decided_by
    )
    values (
      p_tenant, v_component.id, v_component.barcode, p_location, p_source, v_period,
      case
        when v_tolerated then 'accepted'
        when v_disproved then 'dismissed'
        when v_recorded then 'open'
        else 'attempted'
      end,
      v_expected, p_quantity, v_attempt, v_actor.id, v_actor.name,
      case
        when v_first then 'First count'
        when v_tolerated then 'Within tolerance'
        when v_disproved then 'Counted since'
      end,
      case when v_first then null when v_tolerated then 'Count tolerance' when v_disproved then v_newer_by end
    )
    returning * into v_discrepancy;
  end if;
  if v_discrepancy.id is not null then
    insert into count_attempts (
      tenant_id, discrepancy_id, attempt, expected, counted, user_id, user_name, counted_at, overtaken, starts_anew
    )
    values (
      p_tenant, v_discrepancy.id, v_attempt, v_expected, p_quantity, v_actor.id, v_actor.name, p_at, v_overtaken,
      v_restarts
    )
    returning id into v_attempt_id;
  end if;
  if v_recorded and v_attempt > 2 then
    select v_attempt + 1 - max(attempt) into v_told from standing_attempts(p_tenant, v_component.id, p_location)
    where discrepancy_id = v_discrepancy.id and attempt < v_attempt and starts_anew;
  end if;
  if v_disproved and v_was->>'status' in ('open', 'recount') then v_settled := array[v_discrepancy]; end if;
  if (v_matched or v_tolerated) and not v_overtaken and v_was->>'status' in ('open', 'recount') then
    v_closed := array[v_discrepancy];
  end if;
  if v_recounts and v_recorded then
    -- A recount that was asked for is done by any later count of its kind. What was found before stays in its own period.
    select array(
      select difference from discrepancies difference
      where tenant_id = p_tenant and component_id = v_component.id and location = p_location
        and count_type = p_source and status = 'recount' and period_start < v_period
        and (not v_late or updated_at <= p_at)
    ) into v_recounted;
    v_dismissed := dismiss_answered(
      p_tenant, array(select id from unnest(v_recounted)), 'Counted again', v_actor.name
    );
  end if;
  if v_matched and v_waits then
    -- It disproves what was found before it, by whatever count.
    v_settled := array(
      select difference from discrepancies difference
      where tenant_id = p_tenant and component_id = v_component.id and location = p_location and status = 'open'
        and last_scan_of(p_tenant, id) <= p_at
    );
    v_dismissed := coalesce(v_dismissed, '[]') || coalesce(
      dismiss_answered(p_tenant, array(select id from unnest(v_settled)), 'Counted since', v_actor.name), '[]'
    );
  end if;

  if v_recorded then
    insert into count_history (
      tenant_id, component_id, sku, location, quantity, count_type, count_session, source, user_id, user_type,
      user_name, counted_at
    )
    values (
      p_tenant, v_component.id, v_component.barcode, p_location, p_quantity, p_source, p_count_session, p_source,
      v_actor.id, v_actor.role, v_actor.name, p_at
    )
    returning id into v_entry;
    -- A late count from a device that was offline never moves a newer mark back, nor brings back one that was cleared.
    v_marks := true;
    v_weekly_mark := p_source = 'weekly';
    if v_late then
      v_marks := p_at >= coalesce(v_stock.cleared_at, '-infinity')
        and not was_reset(p_tenant, v_component.id, p_location, 'monthly', p_at, v_now, v_actor.time_zone);
      v_weekly_mark := v_weekly_mark and p_at >= coalesce(v_stock.weekly_cleared_at, '-infinity')
        and not was_reset(p_tenant, v_component.id, p_location, 'weekly', p_at, v_now, v_actor.time_zone);
    end if;
    update stock
    set quantity = case when v_tolerated then p_quantity else quantity end,
      counted_source = case
        when v_marks and coalesce(counted_at, '-infinity') <= p_at then p_source else counted_source
      end,
      counted_at = case when v_marks then greatest(counted_at, p_at) else counted_at end,
      weekly_counted_at = case when v_weekly_mark then greatest(weekly_counted_at, p_at) else weekly_counted_at end,
      scans = scans + 1
    where tenant_id = p_tenant and component_id = v_component.id and location = p_location;
  end if;

  if v_tolerated then
    insert into movements (
      tenant_id, component_id, location, delta, quantity_after, cause, note, user_id, user_name, reference
    )
    values (
      p_tenant, v_component.id, p_location, v_difference, p_quantity, 'discrepancy',
      case when v_first then 'First count' else 'Within the count tolerance' end, v_actor.id, v_actor.name,
      case when v_first then v_discrepancy.id end
    );
    v_settled := array(
      select settled from settle_differences(
        p_tenant, v_discrepancy.id, v_component.id, p_location, v_difference,
        case when v_first then 'First count' else 'Count tolerance' end
      ) as settled
    );
  end if;

  insert into audit_entries (
    tenant_id, kind, event, sku, quantity, location, source, user_id, user_type, user_name, metadata
  )
  values (
    p_tenant, 'inventory_scan',
    case p_source when 'admin' then 'admin_view' else p_source || '_count' end
      || case when v_matched or v_tolerated then '_scan' else '_mismatch' end,
    v_component.barcode, p_quantity, p_location, p_source, v_actor.id, v_actor.role, v_actor.name,
    jsonb_strip_nulls(jsonb_build_object(
      'session', p_count_session,
      'counted_at', p_at,
      'attempt', case when v_discrepancy.id is not null then v_attempt end,
      'recorded', case when not v_matched then v_recorded end,
      'accepted_difference', case when v_tolerated then v_difference end,
      'first_count', case when v_first then true end,
      'settled_differences', cardinality(nullif(v_settled, '{}')),
      'counted_since', case
        when v_disproved or v_opens_nothing and coalesce(v_last_scan > p_at, false) then true
      end,
      'recount_since', case when v_opens_nothing and not coalesce(v_last_scan > p_at, false) then true end,
      'sets_mark', case when v_recorded and not v_marks then false end,
      'sets_weekly_mark', case when v_recorded and p_source = 'weekly' and not v_weekly_mark then false end
    ))
  );

  if cardinality(v_settled || v_recounted || v_closed) > 0 then
    foreach v_other in array v_settled || v_recounted || v_closed loop
      insert into audit_entries (
        tenant_id, kind, event, sku, quantity, location, source, user_id, user_type, user_name, metadata
      )
      values (
        p_tenant, 'configuration', 'discrepancy_settled', v_other.sku, v_other.counted, p_location, v_other.count_type,
        v_actor.id, v_actor.role, v_actor.name,
        jsonb_build_object(
          'expected', v_other.expected, 'counted', v_other.counted, 'note', '',
          'reason', case
            when v_other.id = v_discrepancy.id and v_matched then 'Matched'
            when v_other.id = v_discrepancy.id and v_disproved then 'Counted since'
            when v_other.status = 'recount' and v_other.id is distinct from v_discrepancy.id then 'Counted again'
            when v_first then 'First count'
            when v_tolerated then 'Within tolerance'
            else 'Counted since'
          end
        )
      );
    end loop;
  end if;

  if v_actor.last_used_at < v_now - interval '1 minute' then
    update sessions set last_used_at = v_now where tenant_id = p_tenant and id = p_session;
  end if;

  -- Last, because others who count this location wait for these rows until the commit.
  if v_recorded then
    insert into scan_days (tenant_id, location, day, scans)
    values (p_tenant, p_location, (p_at at time zone v_actor.time_zone)::date, 1)
    on conflict (tenant_id, location, day) do update set scans = scan_days.scans + 1;
  end if;
  v_this_month := start_of_month(v_now, v_actor.time_zone);
  v_month := case when p_at >= v_this_month then v_this_month else start_of_month(p_at, v_actor.time_zone) end;
  if v_recorded and v_marks and coalesce(v_stock.counted_at, '-infinity') < v_month then
    insert into count_progress (tenant_id, location, month_start, counted)
    values (p_tenant, p_location, v_month, 1)
    on conflict (tenant_id, location, month_start) do update set counted = count_progress.counted + 1;
  end if;
  if p_source = 'weekly' then
    v_today := start_of_day(v_now, v_actor.time_zone);
    select * into v_progress from add_to_weekly_progress(
      p_tenant, v_component.id, p_location, v_day, v_today,
      v_recorded and v_weekly_mark and p_at >= v_today and coalesce(v_stock.weekly_counted_at, '-infinity') < v_today
    );
    v_counted := v_progress.counted;
    v_total := v_progress.total;
  end if;
  if v_recorded and (v_actor.not_kept_counts ->> p_location)::integer > 0 then
    -- Whoever found it there is right: it is to be counted there from now on.
    if cardinality(keep_at(p_tenant, p_location, array[v_component.id])) > 0 then
      insert into audit_entries (tenant_id, kind, event, sku, location, source, user_id, user_type, user_name, metadata)
      values (
        p_tenant, 'configuration', 'component_kept', v_component.barcode, p_location, p_source, v_actor.id, v_actor.role,
        v_actor.name, '{"old_value": false, "new_value": true}'
      );
    end if;
    select not_kept_counts into v_actor.not_kept_counts from companies where tenant_id = p_tenant;
  end if;
  if p_source <> 'weekly' then
    v_total := v_actor.component_count - coalesce((v_actor.not_kept_counts ->> p_location)::integer, 0);
    select counted into v_counted from count_progress
    where tenant_id = p_tenant and location = p_location and month_start = v_this_month;
  end if;

  v_reply := jsonb_build_object(
    'outcome', 'counted',
    'sets_mark', v_recorded and v_marks and p_at >= v_this_month,
    'sets_weekly_mark', v_recorded and v_weekly_mark and p_at >= start_of_day(v_now, v_actor.time_zone),
    'role', v_actor.role, 'strict', v_actor.strict_blind_counts, 'matched', v_matched,
    'tolerated', v_tolerated, 'recorded', v_recorded, 'attempt', v_attempt, 'expected', v_expected,
    'counted', coalesce(v_counted, 0), 'total', v_total,
    'component', jsonb_build_object(
      'id', v_component.id, 'barcode', v_component.barcode, 'description', v_component.description,
      'counted_at', p_at, 'counted_source', p_source
    ),
    'undo', jsonb_build_object('entry', v_entry, 'attempt', v_attempt_id, 'location', p_location)
  );
  if v_first then v_reply := v_reply || '{"first": true}'; end if;
  if v_told is not null then v_reply := v_reply || jsonb_build_object('told_attempt', v_told); end if;
  if v_discrepancy.id is not null or v_dismissed is not null then
    v_reply := jsonb_set(v_reply, '{undo}', v_reply->'undo' || jsonb_strip_nulls(jsonb_build_object(
      'was', v_was, 'disproved', nullif(v_disproved, false), 'dismissed', v_dismissed
    )));
  end if;
  -- Somebody else's request under this key came in between: all of this is undone, and the next try finds its record.
  insert into operations (tenant_id, user_id, key, request_hash, reply)
  values (p_tenant, v_actor.id, p_key, p_hash, v_reply)
  on conflict (tenant_id, user_id, key) do nothing;
  if not found then raise exception using errcode = 'serialization_failure'; end if;
  return v_reply;
end
$function$
CREATE OR REPLACE FUNCTION public.record_counts(p_counts jsonb, p_billing text)
 RETURNS SETOF jsonb
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
 SET lock_timeout TO '100ms'
AS $function$
declare
  v_billing constant text := set_config('app.billing', p_billing, true);
  v_replies jsonb[];
  v_matches integer := 0;
  v_match record;
  v_count record;
  v_now timestamptz;
begin
  -- In one order, so that two nodes with the same companies come one after the other. The second lock is against
  -- change_time_zone, as in record_count.
  perform pg_advisory_xact_lock(hashtextextended('counts ' || ordered.tenant, 0)),
    pg_advisory_xact_lock_shared(time_zone_lock(ordered.tenant::uuid))
  from (select distinct asked ->> 'tenant' as tenant from jsonb_array_elements(p_counts) as asked order by 1) ordered;
  if jsonb_array_length(p_counts) > 1 then
    for v_match in select place, reply from record_matches(p_counts) loop
      v_replies[v_match.place] := v_match.reply;
      v_matches := v_matches + 1;
    end loop;
  end if;
  if v_matches = jsonb_array_length(p_counts) then
    return query select unnest(v_replies);
    return;
  end if;
  for v_count in
    select * from rows from (
      jsonb_to_recordset(p_counts) as (
        tenant uuid, session uuid, key text, hash text, plans text[], codes text[], quantity integer, location text,
        source text, count_session text, at timestamptz, sent_at timestamptz, day text, recount boolean
      )
    ) with ordinality as asked (
      tenant, session, key, hash, plans, codes, quantity, location, source, count_session, at, sent_at, day, recount,
      place
    )
  loop
    if v_replies[v_count.place] is not null then
      return next v_replies[v_count.place];
      continue;
    end if;
    v_now := clock_timestamp();
    -- By less a clock is right enough: what a request takes on its way looks the same. What was scanned after it was sent was
    -- so before the clock was set back, which says nothing of the scan.
    if abs(extract(epoch from v_now - v_count.sent_at)) > 60 and v_count.at <= v_count.sent_at + interval '1 minute' then
      -- In seconds, because days have 23 and 25 hours, too; at most a year, far older than any count may be.
      v_count.at := v_now - make_interval(
        secs => least(extract(epoch from v_count.sent_at - v_count.at), 31536000)::float8
      );
    end if;
    return next count_or_keep_code(
      v_count.tenant, v_count.session, v_count.key, v_count.hash, v_count.plans, v_count.codes, v_count.quantity,
      v_count.location, v_count.source, v_count.count_session, v_count.at, v_count.day, v_count.recount,
      v_count.sent_at is not null
    );
  end loop;
end
$function$
CREATE OR REPLACE FUNCTION public.record_matches(p_counts jsonb)
 RETURNS TABLE(place bigint, reply jsonb)
 LANGUAGE plpgsql
AS $function$
declare
  v_locked bigint[];
begin
  -- By a statement before, because what is seen of differences must be newer than the lock. Stock that somebody else has
  -- locked is waited for by record_count.
  select array_agg(first.place) into v_locked
  from (
    select min(asked.place) as place
    from (
      select *, set_config('app.tenant_id', asked.tenant::text, true)
      from rows from (
        jsonb_to_recordset(p_counts) as (tenant uuid, codes text[], location text)
      ) with ordinality as asked (tenant, codes, location, place)
      offset 0
    ) asked
    cross join lateral (
      select id from components where tenant_id = asked.tenant and barcode = asked.codes[1] and retired_at is null
      offset 0
    ) component
    cross join lateral (
      select component_id from stock
      where tenant_id = asked.tenant and component_id = component.id and location = asked.location
      for update skip locked
    ) held
    group by asked.tenant, held.component_id, asked.location
  ) first;
  if v_locked is null then return; end if;

  return query
  with matching as materialized (
    select asked.place, asked.tenant, asked.key, asked.hash, asked.quantity, asked.location, asked.source,
      asked.count_session, asked.at, member.id as user_id, member.name as user_name, member.role,
      company.time_zone, company.strict_blind_counts,
      company.component_count - coalesce((company.not_kept_counts ->> asked.location)::integer, 0) as total,
      component.id as component_id, component.barcode, component.description,
      coalesce(held.counted_at, '-infinity') as counted_at, new_id() as entry,
      company.this_month as month, coalesce(progress.counted, 0) as counted
    from (
      select *, clock_timestamp() as now, set_config('app.tenant_id', asked.tenant::text, true)
      from rows from (
        jsonb_to_recordset(p_counts) as (
          tenant uuid, session uuid, key text, hash text, plans text[], codes text[], quantity integer, location text,
          source text, count_session text, at timestamptz, sent_at timestamptz
        )
      ) with ordinality as asked (
        tenant, session, key, hash, plans, codes, quantity, location, source, count_session, at, sent_at, place
      )
      where asked.place = any (v_locked) and asked.source <> 'weekly'
      offset 0
    ) asked
    cross join lateral (
      select user_id from sessions
      where tenant_id = asked.tenant and id = asked.session and ended_at is null and expires_at > asked.now
        -- Once a minute it is noted that a session is used.
        and last_used_at >= asked.now - interval '1 minute'
      offset 0
    ) session
    cross join lateral (
      select id, name, role from users where tenant_id = asked.tenant and id = session.user_id and active and seated
      offset 0
    ) member
    cross join lateral (
      select time_zone, component_count, not_kept_counts, strict_blind_counts,
        start_of_month(asked.now, time_zone) as this_month
      from companies
      where tenant_id = asked.tenant and plan = any (asked.plans)
        and (trial_ends_at > asked.now or current_setting('app.billing', true) <> 'stripe')
      offset 0
    ) company
    cross join lateral (
      select id, barcode, description from components
      where tenant_id = asked.tenant and barcode = asked.codes[1] and retired_at is null
      offset 0
    ) component
    cross join lateral (
      select counted_at from stock
      where tenant_id = asked.tenant and component_id = component.id and location = asked.location
        and quantity = asked.quantity
      offset 0
    ) held
    left join lateral (
      select counted from count_progress
      where tenant_id = asked.tenant and location = asked.location and month_start = company.this_month
      offset 0
    ) progress on true
    where (member.role = 'admin' or asked.source <> 'admin' and not company.strict_blind_counts)
      -- In time by any clock, of this month, and of no day that has not begun.
      and asked.at between asked.now - interval '2 minutes' and asked.now + interval '5 minutes'
      and asked.at >= company.this_month
      and (
        asked.at <= asked.now
        or start_of_day(asked.at, company.time_zone) = start_of_day(asked.now, company.time_zone)
      )
      and (
        asked.sent_at is null
        or asked.sent_at between asked.now - interval '1 minute' and asked.now + interval '1 minute'
      )
      and not exists (
        select from operations
        where tenant_id = asked.tenant and user_id = member.id and key = asked.key
        offset 0
      )
      and not exists (
        select from discrepancies
        where tenant_id = asked.tenant and component_id = component.id and location = asked.location
          and status in ('attempted', 'open', 'recount')
        offset 0
      )
      -- What is not kept there is from now on, by record_count.
      and (
        coalesce((company.not_kept_counts ->> asked.location)::integer, 0) = 0
        or not exists (
          select from not_kept
          where tenant_id = asked.tenant and location = asked.location and component_id = component.id
          offset 0
        )
      )
  ), history as (
    insert into count_history (
      tenant_id, id, component_id, sku, location, quantity, count_type, count_session, source, user_id, user_type,
      user_name, counted_at
    )
    select tenant, entry, component_id, barcode, location, quantity, source, count_session, source, user_id, role,
      user_name, at
    from (select *, set_config('app.tenant_id', tenant::text, true) from matching offset 0) entered
  ), marks as (
    -- The rows are there. An update would have to find them by a join, which might take the companies in another order and leave
    -- marks out without a word; an insert finds its row by the key, and a row of another company is refused.
    insert into stock (tenant_id, component_id, location, counted_source, counted_at)
    select tenant, component_id, location, source, at
    from (select *, set_config('app.tenant_id', tenant::text, true) from matching offset 0) entered
    on conflict (tenant_id, component_id, location) do update
    set counted_source = case
        when coalesce(stock.counted_at, '-infinity') <= excluded.counted_at then excluded.counted_source
        else stock.counted_source
      end,
      counted_at = greatest(stock.counted_at, excluded.counted_at),
      scans = stock.scans + 1
  ), trail as (
    insert into audit_entries (
      tenant_id, kind, event, sku, quantity, location, source, user_id, user_type, user_name, metadata
    )
    select tenant, 'inventory_scan', case source when 'admin' then 'admin_view' else 'monthly_count' end || '_scan',
      barcode, quantity, location, source, user_id, role, user_name,
      jsonb_build_object('session', count_session, 'counted_at', at)
    from (select *, set_config('app.tenant_id', tenant::text, true) from matching offset 0) entered
  ), days as (
    insert into scan_days (tenant_id, location, day, scans)
    select tenant, location, day, scans
    from (
      select *, set_config('app.tenant_id', tenant::text, true)
      from (
        select tenant, location, (at at time zone time_zone)::date as day, count(*) as scans
        from matching
        group by 1, 2, 3
      ) summed
      offset 0
    ) entered
    on conflict (tenant_id, location, day) do update set scans = scan_days.scans + excluded.scans
    returning scans
  ), months as (
    insert into count_progress (tenant_id, location, month_start, counted)
    select tenant, location, month, newly_counted
    from (
      select *, set_config('app.tenant_id', tenant::text, true)
      from (
        select tenant, location, month, count(*) as newly_counted
        from matching
        -- After the days, as whoever takes a count back locks them, too.
        where counted_at < month and (select count(*) from days) > 0
        group by 1, 2, 3
      ) summed
      offset 0
    ) entered
    on conflict (tenant_id, location, month_start) do update set counted = count_progress.counted + excluded.counted
    returning tenant_id, location, month_start, counted
  ), replies as materialized (
    select matching.place, tenant, user_id, key, hash, jsonb_build_object(
      'outcome', 'counted', 'sets_mark', true, 'sets_weekly_mark', false,
      'role', role, 'strict', strict_blind_counts, 'matched', true, 'tolerated', false, 'recorded', true, 'attempt', 1,
      'expected', quantity, 'counted', coalesce(months.counted, matching.counted), 'total', total,
      'component', jsonb_build_object(
        'id', component_id, 'barcode', barcode, 'description', description, 'counted_at', at, 'counted_source', source
      ),
      'undo', jsonb_build_object('entry', entry, 'attempt', null, 'location', matching.location)
    ) as reply
    from matching
    left join months on months.tenant_id = tenant and months.location = matching.location and months.month_start = month
  ), kept as (
    insert into operations (tenant_id, user_id, key, request_hash, reply)
    select tenant, user_id, key, hash, entered.reply
    from (select *, set_config('app.tenant_id', tenant::text, true) from replies offset 0) entered
  )
  select replies.place, replies.reply from replies;
end
$function$
CREATE OR REPLACE FUNCTION public.recount_differences(p_tenant uuid, p_ids uuid[], p_month_start timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  v_item discrepancies;
begin
  for v_item in
    select * from discrepancies where tenant_id = p_tenant and id = any (p_ids) order by location, id
  loop
    perform clear_marks(p_tenant, v_item.component_id, v_item.location, v_item.count_type, p_month_start);
  end loop;
  for v_item in
    select * from discrepancies
    where tenant_id = p_tenant and id = any (p_ids) and count_type = 'admin'
    order by location, id
  loop
    perform count_again_in_cycle(p_tenant, v_item.id);
  end loop;
end
$function$
CREATE OR REPLACE FUNCTION public.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE' and current_setting('app.removing', true) = current_tenant()::text
    and pg_has_role(current_user, (select relowner from pg_class where oid = tg_relid), 'member')
  then
    return null;
  end if;
  raise exception 'Rows of % are never changed or removed.', tg_table_name using errcode = 'insufficient_privilege';
end
$function$
CREATE OR REPLACE FUNCTION public.reinstate_components(p_tenant uuid, p_components uuid[])
 RETURNS uuid[]
 LANGUAGE plpgsql
AS $function$
declare
  v_back uuid[];
begin
  if cardinality(p_components) = 0 then return '{}'; end if;
  with back as (
    update components
    set retired_at = null, retired_by = null, reinstated_at = clock_timestamp()
    where tenant_id = p_tenant and id = any (p_components) and retired_at is not null
    returning id
  )
  select coalesce(array_agg(id), '{}') into v_back from back;
  update companies set component_count = component_count + cardinality(v_back)
  where tenant_id = p_tenant and cardinality(v_back) > 0;
  return v_back;
end
$function$
CREATE OR REPLACE FUNCTION public.release_email(p_email text, p_tenant uuid, p_user uuid)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
BEGIN ATOMIC
 DELETE FROM login_emails login
   WHERE ((login.email = release_email.p_email) AND (login.tenant_id = release_email.p_tenant) AND (login.user_id = release_email.p_user));
END
CREATE OR REPLACE FUNCTION public.reset_monthly_marks(p_tenant uuid, p_location text, p_month_start timestamp with time zone)
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
declare
  v_attempted constant uuid[] := array(
    select component_id from discrepancies
    where tenant_id = p_tenant and location = p_location and count_type in ('monthly', 'admin')
      and period_start = p_month_start and status = 'attempted'
  );
  v_reset integer;
begin
  -- Stock before differences, as counts have it.
  perform 1 from stock
  where tenant_id = p_tenant and location = p_location
    and (counted_at >= p_month_start or component_id = any (v_attempted))
  order by component_id
  for update;

  update stock
  set counted_at = null, counted_source = null, cleared_at = clock_timestamp()
  where tenant_id = p_tenant and location = p_location and counted_at >= p_month_start;
  get diagnostics v_reset = row_count;

  -- By as many as were cleared, not to 0: a count may commit between the two statements.
  update count_progress
  set counted = counted - v_reset
  where tenant_id = p_tenant and location = p_location and month_start = p_month_start and v_reset > 0;
  -- Counting starts again, and so do the entries of each component.
  update discrepancies
  set status = 'dismissed', reason = 'Count reset', updated_at = clock_timestamp()
  where tenant_id = p_tenant and location = p_location and count_type in ('monthly', 'admin')
    and period_start = p_month_start and status = 'attempted';
  insert into count_resets (tenant_id, location, count_type, day, reset_at)
  values (p_tenant, p_location, 'monthly', '', clock_timestamp())
  on conflict (tenant_id, location, count_type, day)
    do update set reset_at = greatest(count_resets.reset_at, excluded.reset_at);
  return v_reset;
end
$function$
CREATE OR REPLACE FUNCTION public.reset_weekly_marks(p_tenant uuid, p_location text, p_day text, p_day_start timestamp with time zone)
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
declare
  v_attempted constant uuid[] := array(
    select component_id from discrepancies
    where tenant_id = p_tenant and location = p_location and count_type = 'weekly' and period_start = p_day_start
      and status = 'attempted'
  );
  v_reset integer;
begin
  perform 1 from stock
  where tenant_id = p_tenant and location = p_location
    and (weekly_counted_at >= p_day_start or component_id = any (v_attempted))
  order by component_id
  for update;

  update stock
  set weekly_counted_at = null, weekly_cleared_at = clock_timestamp()
  where tenant_id = p_tenant and location = p_location and weekly_counted_at >= p_day_start
    and exists (
      select from high_volume_assignments listed
      where listed.tenant_id = p_tenant and listed.component_id = stock.component_id
        and listed.location = p_location and listed.day = p_day
    );
  get diagnostics v_reset = row_count;
  -- As of a month.
  update discrepancies
  set status = 'dismissed', reason = 'Count reset', updated_at = clock_timestamp()
  where tenant_id = p_tenant and location = p_location and count_type = 'weekly' and period_start = p_day_start
    and status = 'attempted'
    and exists (
      select from high_volume_assignments listed
      where listed.tenant_id = p_tenant and listed.component_id = discrepancies.component_id
        and listed.location = p_location and listed.day = p_day
    );
  insert into count_resets (tenant_id, location, count_type, day, reset_at)
  values (p_tenant, p_location, 'weekly', p_day, clock_timestamp())
  on conflict (tenant_id, location, count_type, day)
    do update set reset_at = greatest(count_resets.reset_at, excluded.reset_at);
  perform forget_weekly_progress(p_tenant, array[p_location]);
  return v_reset;
end
$function$
CREATE OR REPLACE FUNCTION public.restore_answered(p_tenant uuid, p_were jsonb)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  v_was record;
begin
  for v_was in
    select * from jsonb_to_recordset(p_were) as was (
      id uuid, status text, reason text, decided_by text, updated_at timestamptz
    )
  loop
    update discrepancies
    set status = v_was.status, reason = v_was.reason, decided_by = v_was.decided_by, updated_at = v_was.updated_at
    where tenant_id = p_tenant and id = v_was.id and status = 'dismissed'
      and reason in ('Counted again', 'Counted since');
  end loop;
end
$function$
CREATE OR REPLACE FUNCTION public.retire_component(p_tenant uuid, p_component uuid, p_user_name text)
 RETURNS text
 LANGUAGE plpgsql
AS $function$
declare
  v_obstacle text;
begin
  -- After imports and corrections under way and after whoever has the stock, and last, for a moment, after counts: one that waits for
  -- this stock meanwhile gives way after a tenth of a second.
  perform pg_advisory_xact_lock(retire_lock(p_tenant));
  perform from stock where tenant_id = p_tenant and component_id = p_component order by location for update;
  perform from components where tenant_id = p_tenant and id = p_component for no key update;
  perform pg_advisory_xact_lock(time_zone_lock(p_tenant));
  -- One statement, so that what a transfer takes from one place and puts to another is seen at one of them.
  select case
    when components.retired_at is not null then 'retired'
    when exists (
      select from stock
      where stock.tenant_id = p_tenant and stock.component_id = p_component and stock.quantity > 0
    ) then 'stock'
    when exists (
      select from transfers
      where transfers.tenant_id = p_tenant and transfers.component_id = p_component and transfers.status = 'in_transit'
    ) then 'on_its_way'
    when exists (
      select from discrepancies
      where discrepancies.tenant_id = p_tenant and discrepancies.component_id = p_component
        and discrepancies.status in ('attempted', 'open', 'recount')
    ) then 'difference'
  end
  into v_obstacle
  from components
  where components.tenant_id = p_tenant and components.id = p_component;
  if v_obstacle is null then perform retire_components(p_tenant, array[p_component], p_user_name); end if;
  return v_obstacle;
end
$function$
CREATE OR REPLACE FUNCTION public.retire_components(p_tenant uuid, p_components uuid[], p_user_name text)
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
declare
  v_zone constant text := (select time_zone from companies where tenant_id = p_tenant);
  v_month constant timestamptz := start_of_month(now(), v_zone);
  v_retired integer;
  v_kept jsonb;
  v_unlisted text[];
begin
  update stock
  set weekly_counted_at = null, weekly_cleared_at = clock_timestamp()
  where tenant_id = p_tenant and component_id = any (p_components) and weekly_counted_at >= start_of_day(now(), v_zone);
  with cleared as (
    update stock
    set counted_at = null, counted_source = null, cleared_at = clock_timestamp()
    where tenant_id = p_tenant and component_id = any (p_components) and counted_at >= v_month
    returning location
  )
  update count_progress
  set counted = counted - gone.marks
  from (select location, count(*)::integer as marks from cleared group by location) as gone
  where tenant_id = p_tenant and month_start = v_month and count_progress.location = gone.location;
  with unlisted as (
    delete from high_volume_assignments
    where tenant_id = p_tenant and component_id = any (p_components)
    returning location
  )
  select array_agg(distinct location) into v_unlisted from unlisted;
  perform forget_weekly_progress(p_tenant, v_unlisted);
  with kept as (
    delete from not_kept
    where tenant_id = p_tenant and component_id in (select unnest(p_components))
    returning location
  )
  select coalesce(jsonb_object_agg(location, fewer), '{}') into v_kept
  from (select location, count(*) as fewer from kept group by location) as of_location;
  update components
  set retired_at = clock_timestamp(), retired_by = p_user_name, older_high_volume = null
  where tenant_id = p_tenant and id = any (p_components) and retired_at is null;
  get diagnostics v_retired = row_count;
  update companies
  set component_count = component_count - v_retired, not_kept_counts = less_not_kept(not_kept_counts, v_kept)
  where tenant_id = p_tenant and v_retired > 0;
  return v_retired;
end
$function$
CREATE OR REPLACE FUNCTION public.retire_lock(p_tenant uuid)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN hashtextextended(('retire '::text || (p_tenant)::text), (0)::bigint)
CREATE OR REPLACE FUNCTION public.seal_entries(p_tenants uuid[], p_limit integer)
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
AS $function$
declare
  -- First the horizon, then the entries: what was running meanwhile is above it, everything else is seen.
  v_horizon constant uuid := audit_horizon();
  v_nothing constant bytea := decode(repeat('00', 32), 'hex');
  v_tenant uuid;
  v_done text;
  v_head record;
  v_newest uuid;
  v_late uuid[];
  v_from uuid;
  v_entry record;
  v_entry_hash bytea;
  v_hash bytea;
  v_ids uuid[];
  v_entry_hashes bytea[];
  v_hashes bytea[];
  v_seq bigint;
begin
  -- In one order, so that two sealers of the same companies come one after the other.
  for v_tenant in select distinct given from unnest(p_tenants) as given order by given loop
    -- Both are assigned, because that costs a tenth of a statement.
    v_done := set_config('app.tenant_id', v_tenant::text, true);
    v_done := pg_advisory_xact_lock(hashtextextended('audit chain ' || v_tenant::text, 0));
    select seq, hash, settled_below into v_head
    from audit_seals where tenant_id = v_tenant order by seq desc limit 1;
    select entry_id into v_newest from audit_seals where tenant_id = v_tenant order by entry_id desc limit 1;
    v_newest := coalesce(v_newest, '00000000-0000-0000-0000-000000000000');

    -- What came late is below the newest: two lists compared, since looking for each seal took up to a fifth of a count.
    v_late := array(
      select id from audit_entries where tenant_id = v_tenant and id >= v_head.settled_below and id < v_newest
      except
      select entry_id from audit_seals
      where tenant_id = v_tenant and entry_id >= v_head.settled_below and entry_id < v_newest
      order by 1
    );
    v_from := coalesce(v_late[1], v_newest);
    v_hash := coalesce(v_head.hash, v_nothing);
    v_ids := '{}';
    v_entry_hashes := '{}';
    v_hashes := '{}';
    for v_entry in
      select entry.id, json_build_array(
        'v1', entry.id, entry.kind, entry.event, entry.sku, entry.quantity, entry.location, entry.source, entry.user_id,
        entry.user_type, entry.user_name, entry.origin, entry.metadata,
        (extract(epoch from entry.created_at) * 1000000)::bigint
      )::text as text
      from audit_entries entry
      where entry.tenant_id = v_tenant and entry.id >= v_from and (entry.id > v_newest or entry.id = any (v_late))
      order by entry.id
      limit p_limit
    loop
      v_entry_hash := sha256(convert_to(v_entry.text, 'UTF8'));
      v_hash := sha256(v_hash || v_entry_hash);
      v_ids := v_ids || v_entry.id;
      v_entry_hashes := v_entry_hashes || v_entry_hash;
      v_hashes := v_hashes || v_hash;
    end loop;
    continue when v_ids = '{}';

    -- Read, because a cluster copies rows that nobody reads, and policies refuse that.
    for v_seq in
      insert into audit_seals (tenant_id, seq, entry_id, entry_hash, hash, settled_below)
      select v_tenant, coalesce(v_head.seq, 0) + place, entry_id, entry_hash, hash,
        greatest(least(v_horizon, v_ids[cardinality(v_ids)]), v_head.settled_below)
      from unnest(v_ids, v_entry_hashes, v_hashes) with ordinality as seal (entry_id, entry_hash, hash, place)
      returning seq
    loop
    end loop;
    if cardinality(v_ids) = p_limit then return next v_tenant; end if;
  end loop;
end
$function$
CREATE OR REPLACE FUNCTION public.seat_users(p_tenant uuid, p_places integer)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  update users set seated = ranked.seated
  from (
    select id,
      row_number() over (order by role = 'admin' desc, created_at, id) <= coalesce(p_places, 2147483647) as seated
    from users
    where tenant_id = p_tenant and active and role <> 'api_key'
  ) as ranked
  where users.tenant_id = p_tenant and users.id = ranked.id and users.seated <> ranked.seated;
end
$function$
CREATE OR REPLACE FUNCTION public.send_transfer(p_tenant uuid, p_component uuid, p_from text, p_to text, p_quantity integer, p_arrives boolean, p_note text, p_user uuid, p_user_name text)
 RETURNS uuid
 LANGUAGE plpgsql
AS $function$
declare
  v_id uuid := new_id();
begin
  perform 1 from stock
  where tenant_id = p_tenant and component_id = p_component and location in (p_from, p_to)
  order by location
  for update;
  if not post_transfer(
    p_tenant, v_id, p_component, p_from, -p_quantity, 'transfer', p_note, p_user, p_user_name
  ) then
    return null;
  end if;
  if p_arrives then
    perform post_transfer(
      p_tenant, v_id, p_component, p_to, p_quantity, 'transfer', p_note, p_user, p_user_name
    );
  end if;
  insert into transfers (
    tenant_id, id, component_id, from_location, to_location, quantity, status, note, user_id, user_name, closed_by,
    closed_at
  )
  values (
    p_tenant, v_id, p_component, p_from, p_to, p_quantity, case when p_arrives then 'received' else 'in_transit' end,
    p_note, p_user, p_user_name, case when p_arrives then p_user_name end,
    case when p_arrives then clock_timestamp() end
  );
  return v_id;
end
$function$
CREATE OR REPLACE FUNCTION public.set_first_stock(p_tenant uuid, p_components uuid[], p_locations text[], p_quantities integer[], p_cause text, p_user uuid, p_user_name text, p_reference uuid)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  v_ids constant uuid[] := new_ids(cardinality(p_components));
begin
  insert into stock (tenant_id, component_id, location, quantity)
  select p_tenant, given.component_id, given.location, given.quantity
  from unnest(p_components, p_locations, p_quantities) as given (component_id, location, quantity);
  insert into movements (
    tenant_id, id, component_id, location, delta, quantity_after, cause, user_id, user_name, reference
  )
  select p_tenant, given.id, given.component_id, given.location, given.quantity, given.quantity, p_cause, p_user,
    p_user_name, p_reference
  from unnest(v_ids, p_components, p_locations, p_quantities) as given (id, component_id, location, quantity);
end
$function$
CREATE OR REPLACE FUNCTION public.set_stock(p_tenant uuid, p_components uuid[], p_locations text[], p_quantities integer[], p_cause text, p_user uuid, p_user_name text, p_reference uuid)
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
declare
  v_components uuid[];
  v_locations text[];
  v_quantities integer[];
begin
  with made as (
    insert into stock as fresh (tenant_id, component_id, location, quantity)
    select p_tenant, given.component_id, given.location, given.quantity
    from unnest(p_components, p_locations, p_quantities) as given (component_id, location, quantity)
    where given.quantity > 0
    order by given.component_id, given.location
    on conflict (tenant_id, component_id, location) do nothing
    returning fresh.component_id, fresh.location, fresh.quantity
  ),
  posted as (
    insert into movements (
      tenant_id, component_id, location, delta, quantity_after, cause, user_id, user_name, reference
    )
    select p_tenant, made.component_id, made.location, made.quantity, made.quantity, p_cause, p_user, p_user_name,
      p_reference
    from made
  )
  select coalesce(array_agg(component_id), '{}'), coalesce(array_agg(location), '{}'), coalesce(array_agg(quantity), '{}')
  into v_components, v_locations, v_quantities
  from made;
  perform keep_with_stock(p_tenant, v_components, v_locations);
  return query select unnest(v_components);
  if cardinality(v_components) = cardinality(p_components) then return; end if;

  return query
  with changed as materialized (
    select given.component_id, given.location, given.quantity, given.quantity - present.quantity as delta
    from (
      select * from unnest(p_components, p_locations, p_quantities) as given (component_id, location, quantity)
      except
      select * from unnest(v_components, v_locations, v_quantities)
      order by component_id, location
    ) as given
    cross join lateral (
      select stock.quantity from stock
      where stock.tenant_id = p_tenant and stock.component_id = given.component_id and stock.location = given.location
      for update
    ) as present
    where present.quantity <> given.quantity
  ),
  posted as (
    insert into movements (
      tenant_id, component_id, location, delta, quantity_after, cause, user_id, user_name, reference
    )
    select p_tenant, changed.component_id, changed.location, changed.delta, changed.quantity, p_cause, p_user,
      p_user_name, p_reference
    from changed
  )
  insert into stock as present (tenant_id, component_id, location, quantity)
  select p_tenant, changed.component_id, changed.location, changed.quantity
  from changed
  on conflict (tenant_id, component_id, location) do update set quantity = excluded.quantity
  returning present.component_id;
  perform keep_with_stock(p_tenant, p_components, p_locations);
end
$function$
CREATE OR REPLACE FUNCTION public.settle_differences(p_tenant uuid, p_accepted uuid, p_component uuid, p_location text, p_difference integer, p_user_name text)
 RETURNS SETOF discrepancies
 LANGUAGE plpgsql
AS $function$
declare
  v_at constant timestamptz := last_scan_of(p_tenant, p_accepted);
begin
  return query
  update discrepancies other
  set status = 'dismissed', reason = 'Settled by another count', decided_by = p_user_name, updated_at = clock_timestamp()
  where other.tenant_id = p_tenant and other.component_id = p_component and other.location = p_location
    and other.status in ('attempted', 'open') and other.id <> p_accepted
    and (
      other.counted = greatest(other.expected::bigint + p_difference, 0)
      or other.status = 'open' and last_scan_of(p_tenant, other.id) <= v_at
    )
  returning other.*;

  update discrepancies
  set expected = least(greatest(expected::bigint + p_difference, 0), 2147483647), updated_at = clock_timestamp()
  where tenant_id = p_tenant and component_id = p_component and location = p_location
    and status in ('attempted', 'open') and id <> p_accepted;
end
$function$
CREATE OR REPLACE FUNCTION public.standing_attempts(p_tenant uuid, p_component uuid, p_location text)
 RETURNS SETOF count_attempts
 LANGUAGE sql
 STABLE
AS $function$
  select attempt.*
  from discrepancies difference
  join count_attempts attempt on attempt.tenant_id = difference.tenant_id and attempt.discrepancy_id = difference.id
  where difference.tenant_id = p_tenant and difference.component_id = p_component and difference.location = p_location
    and attempt.attempt <= difference.attempts
    and not exists (
      select from count_attempts later
      where later.tenant_id = p_tenant and later.discrepancy_id = attempt.discrepancy_id
        and later.attempt = attempt.attempt and later.id > attempt.id
    )
$function$
CREATE OR REPLACE FUNCTION public.standing_counts(p_tenant uuid, p_sku text, p_location text, p_cleared_at timestamp with time zone)
 RETURNS SETOF count_history
 LANGUAGE sql
 STABLE
AS $function$
  select entry.*
  from count_history entry
  where entry.tenant_id = p_tenant and entry.sku = p_sku and entry.location = p_location
    and entry.sets_mark and entry.created_at > coalesce(p_cleared_at, '-infinity')
    and (entry.counted_at >= coalesce(p_cleared_at, '-infinity') or entry.counted_at >= entry.created_at - interval '5 minutes')
    and not exists (
      select from count_history back
      where back.tenant_id = p_tenant and back.sku = p_sku and back.location = p_location and back.undoes = entry.id
    )
$function$
CREATE OR REPLACE FUNCTION public.start_of_day(p_at timestamp with time zone, p_zone text)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN (date_trunc('day'::text, (p_at AT TIME ZONE p_zone)) AT TIME ZONE p_zone)
CREATE OR REPLACE FUNCTION public.start_of_month(p_at timestamp with time zone, p_zone text)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN (date_trunc('month'::text, (p_at AT TIME ZONE p_zone)) AT TIME ZONE p_zone)
CREATE OR REPLACE FUNCTION public.take_api_call(p_tenant uuid, p_key uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
declare
  v_now constant timestamptz := clock_timestamp();
  v_window constant timestamptz := date_trunc('minute', v_now);
  v_taken integer;
begin
  perform set_config('app.tenant_id', p_tenant::text, true);
  insert into api_key_calls (tenant_id, key_id, window_start, taken) values (p_tenant, p_key, v_window, 1)
  on conflict (tenant_id, key_id) do update set
    taken = case when api_key_calls.window_start = excluded.window_start then api_key_calls.taken + 1 else 1 end,
    window_start = excluded.window_start
  returning taken into v_taken;
  if v_taken = 1 then
    update api_keys set last_used_at = v_now where tenant_id = p_tenant and id = p_key;
  end if;
  return jsonb_build_object(
    'taken', v_taken, 'waitSeconds', ceil(60 - extract(epoch from v_now - v_window))::integer
  );
end
$function$
CREATE OR REPLACE FUNCTION public.take_import(p_tenant uuid, p_import uuid, p_user uuid, p_user_name text, p_leave_out boolean)
 RETURNS TABLE(created integer, updated integer, unchanged integer, bad integer)
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
declare
  v_keep constant boolean := (select keep_existing from imports where tenant_id = p_tenant and id = p_import);
  v_leave_out_retired constant boolean := (
    select leave_out_retired from imports where tenant_id = p_tenant and id = p_import
  );
  v_places constant boolean := (
    select exists (select from unnest(fields) as given (field) where given.field ~ '_(bin|minimum)$')
    from imports where tenant_id = p_tenant and id = p_import
  );
  v_costs constant boolean := (
    select 'unit_cost' = any (fields) from imports where tenant_id = p_tenant and id = p_import
  );
  v_others constant boolean := (
    select 'other_barcodes' = any (fields) from imports where tenant_id = p_tenant and id = p_import
  );
  v_created integer;
  v_updated integer := 0;
  v_good integer;
  v_bad integer;
  v_back uuid[] := '{}';
  v_components uuid[];
  v_locations text[];
  v_quantities integer[];
  v_ids uuid[];
  v_lines integer[];
  v_placed jsonb[];
  v_costed numeric[];
begin
  perform pg_advisory_xact_lock_shared(retire_lock(p_tenant));
  -- What the rows would do, judged once. Gone with the transaction.
  create temporary table judged_rows (
    line integer, barcode text, description text, component_id uuid, old_description text, kind text, retired boolean,
    primary_quantity integer, secondary_quantity integer, fulfillment_quantity integer, distribution_quantity integer,
    quarantine_quantity integer
  ) on commit drop;
  insert into judged_rows
  select judged.line, judged.barcode, judged.description, judged.component_id, judged.old_description, judged.kind,
    judged.retired,
    judged.primary_quantity, judged.secondary_quantity, judged.fulfillment_quantity, judged.distribution_quantity,
    judged.quarantine_quantity
  from judge_import(p_tenant, p_import) as judged
  where judged.kind <> 'bad';
  get diagnostics v_good = row_count;
  v_bad := (select staged_rows from imports where tenant_id = p_tenant and id = p_import) - v_good;
  if v_good = 0 or v_bad > 0 and not p_leave_out then return query select 0, 0, 0, v_bad; return; end if;
  analyze judged_rows;

  -- What is new has no stock: only what there is of it is set.
  v_ids := new_ids((select count(*)::integer from judged_rows where judged_rows.kind = 'new'));
  with inserted as (
    insert into components (tenant_id, id, barcode, description)
    select p_tenant, v_ids[row_number() over (order by judged.barcode)], judged.barcode, judged.description
    from judged_rows judged
    where judged.kind = 'new'
    order by judged.barcode
    on conflict (tenant_id, barcode) do nothing
    returning components.id, components.barcode, components.description
  ),
  noted as (
    insert into import_changes (
      tenant_id, import_id, component_id, barcode, created, old_description, new_description
    )
    select p_tenant, p_import, inserted.id, inserted.barcode, true, '', inserted.description from inserted
  )
  select (select count(*) from inserted), coalesce(array_agg(inserted.id), '{}'),
    coalesce(array_agg(given.location), '{}'), coalesce(array_agg(given.quantity), '{}')
  into v_created, v_components, v_locations, v_quantities
  from inserted
  join judged_rows judged on judged.barcode = inserted.barcode
  cross join lateral (values
    ('PRIMARY', judged.primary_quantity), ('SECONDARY', judged.secondary_quantity),
    ('FULFILLMENT', judged.fulfillment_quantity), ('DISTRIBUTION', judged.distribution_quantity),
    ('QUARANTINE', judged.quarantine_quantity)
  ) as given (location, quantity)
  where given.quantity > 0;
  perform set_first_stock(
    p_tenant, v_components, v_locations, v_quantities, 'import', p_user, p_user_name, p_import
  );

  if v_places or v_costs then
    v_ids := array(select judged.component_id from judged_rows judged where judged.kind = 'changed');
    -- Who places the same components, or sets what they cost, waits, so that what an undo puts back is what there was.
    perform 1 from components where tenant_id = p_tenant and id = any (v_ids) order by id for no key update;
  end if;

  if v_places then
    insert into import_placements (
      tenant_id, import_id, component_id, location, old_bin, new_bin, old_minimum, new_minimum
    )
    select p_tenant, p_import, own.id, given.location, coalesce(present.bin, ''), coalesce(given.bin, present.bin, ''),
      present.minimum, coalesce(given.minimum, present.minimum)
    from judged_rows judged
    cross join lateral (
      select import_rows.placements from import_rows
      where import_rows.tenant_id = p_tenant and import_rows.import_id = p_import and import_rows.line = judged.line
      offset 0
    ) as rows
    cross join lateral (
      select components.id from components
      where components.tenant_id = p_tenant and components.barcode = judged.barcode
      offset 0
    ) as own
    cross join lateral jsonb_to_recordset(rows.placements) as given (location text, bin text, minimum integer)
    left join lateral (
      select placements.bin, placements.minimum from placements
      where placements.tenant_id = p_tenant and placements.component_id = own.id and placements.location = given.location
      offset 0
    ) as present on true
    where judged.kind in ('new', 'changed')
      and (given.bin <> coalesce(present.bin, '') or given.minimum <> coalesce(present.minimum, -1))
    on conflict do nothing;
    insert into placements (tenant_id, component_id, location, bin, minimum)
    select p_tenant, made.component_id, made.location, made.new_bin, made.new_minimum
    from import_placements made
    where made.tenant_id = p_tenant and made.import_id = p_import
    order by made.component_id, made.location
    on conflict (tenant_id, component_id, location) do update set bin = excluded.bin, minimum = excluded.minimum;
  end if;

  if v_costs then
    insert into import_costs (tenant_id, import_id, component_id, old_cost, new_cost, since)
    select p_tenant, p_import, own.id, present.unit_cost, rows.unit_cost,
      -- After what was said last also where the clock was put back since.
      greatest(statement_timestamp(), present.since + interval '1 microsecond')
    from judged_rows judged
    cross join lateral (
      select import_rows.unit_cost from import_rows
      where import_rows.tenant_id = p_tenant and import_rows.import_id = p_import and import_rows.line = judged.line
      offset 0
    ) as rows
    cross join lateral (
      select components.id from components
      where components.tenant_id = p_tenant and components.barcode = judged.barcode
      offset 0
    ) as own
    left join lateral (
      select costs.unit_cost, costs.since from component_costs costs
      where costs.tenant_id = p_tenant and costs.component_id = own.id
      order by costs.since desc
      limit 1
    ) as present on true
    where judged.kind in ('new', 'changed') and rows.unit_cost is not null
      and rows.unit_cost is distinct from present.unit_cost
    on conflict do nothing;
    insert into component_costs (tenant_id, component_id, since, unit_cost)
    select p_tenant, made.component_id, made.since, made.new_cost
    from import_costs made
    where made.tenant_id = p_tenant and made.import_id = p_import
    on conflict do nothing;
  end if;

  if v_created < v_good then
    v_back := reinstate_components(p_tenant, array(
      select judged.component_id from judged_rows judged where judged.retired and not v_leave_out_retired
    ));

    with described as (
      insert into components as present (tenant_id, barcode, description)
      select p_tenant, judged.barcode, judged.description
      from judged_rows judged
      where judged.kind = 'changed' and judged.description <> ''
      order by judged.barcode
      on conflict (tenant_id, barcode) do update set description = excluded.description, updated_at = now()
      where present.description <> excluded.description
      returning present.id, present.barcode, present.description
    )
    insert into import_changes (
      tenant_id, import_id, component_id, barcode, created, old_description, new_description, reinstated
    )
    select p_tenant, p_import, described.id, described.barcode, false, judged.old_description, described.description,
      described.id = any (v_back)
    from judged_rows judged
    join described on described.barcode = judged.barcode;
    insert into import_changes (
      tenant_id, import_id, component_id, barcode, created, old_description, new_description, reinstated
    )
    select p_tenant, p_import, id, barcode, false, description, description, true
    from components
    where tenant_id = p_tenant and id = any (v_back)
    on conflict (tenant_id, import_id, component_id) do nothing;

    select coalesce(array_agg(components.id), '{}'), coalesce(array_agg(given.location), '{}'),
      coalesce(array_agg(given.quantity), '{}')
    into v_components, v_locations, v_quantities
    from judged_rows judged
    join components on components.tenant_id = p_tenant and components.barcode = judged.barcode
    cross join lateral (values
      ('PRIMARY', judged.primary_quantity), ('SECONDARY', judged.secondary_quantity),
      ('FULFILLMENT', judged.fulfillment_quantity), ('DISTRIBUTION', judged.distribution_quantity),
      ('QUARANTINE', judged.quarantine_quantity)
    ) as given (location, quantity)
    where given.quantity is not null and components.retired_at is null
      and not exists (
        select from import_changes made
        where made.tenant_id = p_tenant and made.import_id = p_import and made.created
          and made.component_id = components.id
      )
      and (not v_keep or components.id in (select unnest(v_back)));
    perform set_stock(
      p_tenant, v_components, v_locations, v_quantities, 'import', p_user, p_user_name, p_import
    );
  end if;

  update companies set component_count = component_count + v_created
  where tenant_id = p_tenant and v_created > 0;
  update imports set reinstated = cardinality(v_back)
  where tenant_id = p_tenant and id = p_import and cardinality(v_back) > 0;

  if v_others then
    -- As whoever gives barcodes (lockAliases in stock/alias-queries.ts), and as late as can be: they wait from here on.
    perform pg_advisory_xact_lock(hashtextextended('other barcodes ' || p_tenant::text, 0));
    insert into import_aliases (tenant_id, import_id, component_id, barcode, pieces, added)
    select p_tenant, p_import, own.id, coalesce(known.barcode, given.barcode), coalesce(known.pieces, given.pieces, 1),
      known.barcode is null
    from judged_rows judged
    cross join lateral (
      select import_rows.others from import_rows
      where import_rows.tenant_id = p_tenant and import_rows.import_id = p_import and import_rows.line = judged.line
      offset 0
    ) as rows
    cross join lateral (
      select components.id from components
      where components.tenant_id = p_tenant and components.barcode = judged.barcode
      offset 0
    ) as own
    cross join lateral jsonb_to_recordset(rows.others) as given (barcode text, pieces integer)
    left join lateral (
      select alias_barcodes.barcode, alias_barcodes.pieces from alias_barcodes
      where alias_barcodes.tenant_id = p_tenant and alias_barcodes.barcode = any (upc_writings(given.barcode))
        and alias_barcodes.component_id = own.id
      order by alias_barcodes.barcode = given.barcode desc
      limit 1
    ) as known on true
    where not (judged.retired and v_leave_out_retired)
    on conflict do nothing;
    insert into alias_barcodes (tenant_id, barcode, component_id, pieces, user_name)
    select p_tenant, made.barcode, made.component_id, made.pieces, p_user_name
    from import_aliases made
    where made.tenant_id = p_tenant and made.import_id = p_import and made.added
    order by made.barcode
    on conflict do nothing;
  end if;

  if v_created < v_good then
    select count(distinct changed.component_id) - v_created into v_updated
    from (
      select import_changes.component_id from import_changes
      where import_changes.tenant_id = p_tenant and import_changes.import_id = p_import
      union all
      select movements.component_id from movements
      where movements.tenant_id = p_tenant and movements.reference = p_import
      union all
      select import_placements.component_id from import_placements
      where import_placements.tenant_id = p_tenant and import_placements.import_id = p_import
      union all
      select import_costs.component_id from import_costs
      where v_costs and import_costs.tenant_id = p_tenant and import_costs.import_id = p_import
      union all
      select import_aliases.component_id from import_aliases
      where v_others and import_aliases.tenant_id = p_tenant and import_aliases.import_id = p_import and import_aliases.added
    ) as changed;
  end if;

  -- Read apart, because a cluster cannot plan them beside the rows that were judged.
  select array_agg(import_rows.line), array_agg(import_rows.placements), array_agg(import_rows.unit_cost)
  into v_lines, v_placed, v_costed
  from import_rows
  where import_rows.tenant_id = p_tenant and import_rows.import_id = p_import
    and (import_rows.placements is not null or import_rows.unit_cost is not null);
  insert into import_confirmed (tenant_id, import_id, part, components, fields)
  select p_tenant, p_import, row_number() over (), array_agg(named.component_id), named.fields
  from (
    select judged.component_id, said.fields, row_number() over (partition by said.fields) as place
    from judged_rows judged
    left join unnest(v_lines, v_placed, v_costed) as rows (line, placements, unit_cost) on rows.line = judged.line
    cross join lateral (
      select case when judged.retired and v_leave_out_retired then '{}' else array_remove(
        array[
          case when judged.description <> '' then 'description' end,
          case when judged.primary_quantity is not null then 'primary_quantity' end,
          case when judged.secondary_quantity is not null then 'secondary_quantity' end,
          case when judged.fulfillment_quantity is not null then 'fulfillment_quantity' end,
          case when judged.distribution_quantity is not null then 'distribution_quantity' end,
          case when judged.quarantine_quantity is not null then 'quarantine_quantity' end,
          case when rows.unit_cost is not null then 'unit_cost' end
        ] || array(
          select lower(placed.location) || part.field
          from jsonb_to_recordset(rows.placements) as placed (location text, bin text, minimum integer)
          cross join lateral (
            values (case when placed.bin is not null then '_bin' end),
              (case when placed.minimum is not null then '_minimum' end)
          ) as part (field)
        ),
        null
      ) end as fields
    ) as said
    where judged.component_id is not null
  ) as named
  group by named.fields, named.place / 1000
  on conflict do nothing;
  delete from import_rows where tenant_id = p_tenant and import_id = p_import;
  return query select v_created, v_updated, v_good - v_created - v_updated, v_bad;
end
$function$
CREATE OR REPLACE FUNCTION public.time_zone_lock(p_tenant uuid)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN hashtextextended(('time zone '::text || (p_tenant)::text), (0)::bigint)
CREATE OR REPLACE FUNCTION public.trail_length(p_tenant uuid)
 RETURNS bigint
 LANGUAGE plpgsql
 STABLE
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
AS $function$
declare
  v_seq bigint;
  v_from uuid;
  v_sealed_at timestamptz;
  v_detached constant bigint := coalesce((
    select sum(entries) from detached_history where tenant_id = p_tenant and history = 'audit_entries'
  ), 0);
begin
  select seq, settled_below, sealed_at into v_seq, v_from, v_sealed_at
  from audit_seals where tenant_id = p_tenant order by seq desc limit 1;
  if v_sealed_at < clock_timestamp() - interval '1 minute' then
    select entry_id into v_from from audit_seals where tenant_id = p_tenant order by entry_id desc limit 1;
    return v_seq - v_detached + (select count(*) from audit_entries where tenant_id = p_tenant and id > v_from);
  end if;
  v_from := coalesce(v_from, '00000000-0000-0000-0000-000000000000');
  return coalesce(v_seq, 0) - v_detached
    + (select count(*) from audit_entries where tenant_id = p_tenant and id >= v_from)
    - (select count(*) from audit_seals where tenant_id = p_tenant and entry_id >= v_from);
end
$function$
CREATE OR REPLACE FUNCTION public.trail_state(p_tenant uuid, p_from uuid)
 RETURNS text
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  v_length constant bigint := trail_length(p_tenant);
  v_newest uuid;
begin
  select id into v_newest from audit_entries where tenant_id = p_tenant and id >= p_from order by id desc limit 1;
  return concat(v_length, ' ', v_newest);
end
$function$
CREATE OR REPLACE FUNCTION public.undo_count(p_tenant uuid, p_user uuid, p_key text)
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
declare
  v_now constant timestamptz := clock_timestamp();
  v_actor record;
  v_count jsonb;
  v_kept jsonb;
  v_was jsonb;
  v_component uuid;
  v_sku text;
  v_source text;
  v_at timestamptz;
  v_recorded boolean;
  v_number integer;
  v_entry count_history;
  v_attempt count_attempts;
  v_before count_attempts;
  v_status text;
  v_discrepancy discrepancies;
  v_stock stock;
  v_location text;
  v_quantity integer;
  v_newest uuid;
  v_until uuid;
  v_first movements;
  v_moved bigint;
  v_back uuid[];
  v_again uuid[];
  v_mark record;
  v_weekly_mark timestamptz;
  v_month timestamptz;
  v_in_cycle jsonb;
begin
  -- As a count does.
  perform pg_advisory_xact_lock_shared(time_zone_lock(p_tenant));
  select users.name, users.role, companies.time_zone, companies.strict_blind_counts
  into v_actor
  from users join companies on companies.tenant_id = users.tenant_id
  where users.tenant_id = p_tenant and users.id = p_user;

  select reply into v_count from operations where tenant_id = p_tenant and user_id = p_user and key = p_key;
  if v_count->>'outcome' is distinct from 'counted' then return jsonb_build_object('outcome', 'not_found'); end if;
  v_component := v_count->'component'->>'id';
  v_sku := v_count->'component'->>'barcode';
  v_source := v_count->'component'->>'counted_source';
  v_at := v_count->'component'->>'counted_at';
  v_recorded := v_count->'recorded';
  v_number := v_count->'attempt';

  v_kept := v_count->'undo';
  v_was := v_kept->'was';
  if v_kept is not null then
    select * into v_attempt from count_attempts where tenant_id = p_tenant and id = (v_kept->>'attempt')::uuid;
    select * into v_entry from count_history where tenant_id = p_tenant and id = (v_kept->>'entry')::uuid;
    v_location := v_kept->>'location';
  else
    -- A count that the version before recorded.
    select attempt.* into v_attempt
    from discrepancies difference
    join count_attempts attempt on attempt.tenant_id = difference.tenant_id and attempt.discrepancy_id = difference.id
    where difference.tenant_id = p_tenant and difference.component_id = v_component
      and difference.count_type = v_source and attempt.user_id = p_user and attempt.counted_at = v_at
      and attempt.attempt = v_number
    order by attempt.id desc
    limit 1;
    select * into v_entry from count_history
    where tenant_id = p_tenant and sku = v_sku and user_id = p_user and count_type = v_source and counted_at = v_at
      and sets_mark and v_recorded
    order by id desc
    limit 1;
    v_location := coalesce(
      v_entry.location,
      (select location from discrepancies where tenant_id = p_tenant and id = v_attempt.discrepancy_id)
    );
  end if;

  -- As a count does, the stock row first: what is decided from here on stays so.
  select * into v_stock from stock
  where tenant_id = p_tenant and component_id = v_component and location = v_location
  for update;
  if not found then return jsonb_build_object('outcome', 'not_found'); end if;
  select reply into v_count from operations where tenant_id = p_tenant and user_id = p_user and key = p_key;
  if v_count ? 'undone' or exists (
    select from count_history back
    where back.tenant_id = p_tenant and back.sku = v_sku and back.location = v_location and back.undoes = v_entry.id
  )
  then
    return jsonb_build_object('outcome', 'already_undone');
  end if;

  v_month := start_of_month(v_at, v_actor.time_zone);
  if v_source = 'weekly' and start_of_day(v_at, v_actor.time_zone) <> start_of_day(v_now, v_actor.time_zone)
    or v_source <> 'weekly' and v_month <> start_of_month(v_now, v_actor.time_zone)
  then
    return jsonb_build_object('outcome', 'other_period');
  end if;
  -- Of an entry without a verdict not even this tells whether it was right.
  if v_actor.strict_blind_counts and v_actor.role <> 'admin' and v_number > 2 then
    return jsonb_build_object('outcome', 'strict');
  end if;

  v_newest := coalesce(v_entry.id, v_attempt.id);
  if exists (select from standing_counts(p_tenant, v_sku, v_location, null) as later where later.id > v_newest)
    or exists (
      select from standing_attempts(p_tenant, v_component, v_location) as later where later.id > v_newest
    )
  then
    return jsonb_build_object('outcome', 'counted_since');
  end if;

  if v_attempt.id is not null then
    select * into v_discrepancy from discrepancies
    where tenant_id = p_tenant and id = v_attempt.discrepancy_id
    for update;
    if v_discrepancy.status = 'accepted' and v_discrepancy.attempts = v_number then
      -- What a first count has set, while nothing has moved there since.
      select * into v_first from movements
      where tenant_id = p_tenant and component_id = v_component and location = v_location
      order by id desc
      limit 1;
      if v_first.reference is distinct from v_discrepancy.id then v_first := null; end if;
    end if;
    if v_first.id is null and v_discrepancy.status in ('recount', 'accepted', 'dismissed')
      and not (v_discrepancy.status = 'dismissed' and coalesce(v_kept ? 'disproved', false))
    then
      return jsonb_build_object('outcome', 'decided');
    end if;
    -- Where nobody is told a verdict twice, nobody is told one again by taking the entry back.
    if v_actor.strict_blind_counts and v_actor.role <> 'admin' and v_discrepancy.status <> 'matched'
      and v_first.id is null
    then
      return jsonb_build_object('outcome', 'strict');
    end if;
    if v_was is null then
      v_was := jsonb_build_object(
        'reason', v_discrepancy.reason, 'decided_by', v_discrepancy.decided_by, 'updated_at', v_discrepancy.updated_at
      );
    end if;
    -- A first entry is no count, nor is one beside which only a match came late.
    select case when count(*) < 2 then 'attempted' else 'open' end into v_status
    from standing_attempts(p_tenant, v_component, v_location) as wrong
    where wrong.discrepancy_id = v_discrepancy.id and wrong.attempt < v_number and wrong.counted <> wrong.expected;
    select * into v_before from standing_attempts(p_tenant, v_component, v_location)
    where discrepancy_id = v_discrepancy.id and attempt < v_number and not overtaken
    order by attempt desc
    limit 1;
    -- What had ended, or was to be counted again, has kept since then what was decided about.
    v_until := case
      when v_was->>'status' in ('recount', 'dismissed') then id_at((v_was->>'updated_at')::timestamptz)
      else v_newest
    end;
    if v_attempt.overtaken then
      update discrepancies
      set attempts = v_number - 1, reason = v_was->>'reason', decided_by = v_was->>'decided_by',
        updated_at = (v_was->>'updated_at')::timestamptz,
        status = coalesce(v_was->>'status', case when status = 'open' then v_status else status end)
      where tenant_id = p_tenant and id = v_discrepancy.id;
    elsif v_before.id is null then
      update discrepancies
      set status = 'dismissed', attempts = 0, reason = 'Taken back', decided_by = v_actor.name,
        updated_at = clock_timestamp()
      where tenant_id = p_tenant and id = v_discrepancy.id;
    else
      update discrepancies
      set attempts = v_number - 1, counted = v_before.counted,
        -- With what other differences have moved that were accepted until then.
        expected = least(greatest(v_before.expected + (
          select coalesce(sum(delta), 0) from movements
          where tenant_id = p_tenant and component_id = v_component and id >= id_at(v_before.created_at) and id < v_until
            and location = v_location and cause = 'discrepancy'
        ), 0), 2147483647),
        user_id = v_before.user_id, user_name = v_before.user_name, reason = v_was->>'reason',
        decided_by = v_was->>'decided_by',
        updated_at = case
          when v_was->>'status' in ('recount', 'dismissed') then (v_was->>'updated_at')::timestamptz else v_now
        end,
        status = case
          when v_was ? 'status' then v_was->>'status'
          when v_discrepancy.decided_by is not null and v_before.created_at < case v_source
            when 'weekly' then v_stock.weekly_cleared_at else v_stock.cleared_at
          end then 'recount'
          else v_status
        end
      where tenant_id = p_tenant and id = v_discrepancy.id;
    end if;
  end if;
  if v_first.id is not null then
    update stock set quantity = quantity - v_first.delta
    where tenant_id = p_tenant and component_id = v_component and location = v_location;
    insert into movements (
      tenant_id, component_id, location, delta, quantity_after, cause, note, user_id, user_name, reference
    )
    values (
      p_tenant, v_component, v_location, -v_first.delta, v_stock.quantity - v_first.delta, 'discrepancy',
      'First count taken back', p_user, v_actor.name, v_discrepancy.id
    );
    -- What waits beside it is expected as before; what was settled with it stays so.
    update discrepancies
    set expected = greatest(expected - v_first.delta, 0), updated_at = clock_timestamp()
    where tenant_id = p_tenant and component_id = v_component and location = v_location
      and status in ('attempted', 'open') and id <> v_discrepancy.id;
  end if;
  perform restore_answered(p_tenant, v_kept->'dismissed') where v_kept ? 'dismissed';
  -- What was accepted since has settled them, as it would have had they waited then.
  v_back := v_attempt.discrepancy_id || array(
    select (was->>'id')::uuid from jsonb_array_elements(v_kept->'dismissed') as was
  );
  -- But for one that has waited beside this entry, they have not been told yet what was accepted since.
  v_again := case
    when v_attempt.overtaken and v_discrepancy.status in ('attempted', 'open') then v_back[2:] else v_back
  end;
  select coalesce(sum(delta), 0) into v_moved from movements
  where tenant_id = p_tenant and component_id = v_component and id >= v_newest and location = v_location
    and cause = 'discrepancy';
  with settled as (
    update discrepancies waiting
    set status = 'dismissed', reason = 'Settled by another count', decided_by = v_actor.name, updated_at = clock_timestamp()
    where waiting.tenant_id = p_tenant and waiting.id = any (v_back) and waiting.status in ('attempted', 'open') and exists (
      select from discrepancies accepted
      where accepted.tenant_id = p_tenant and accepted.component_id = v_component and accepted.location = v_location
        and accepted.status = 'accepted' and accepted.updated_at > instant_of(v_newest)
        and (
          waiting.counted = greatest(
            waiting.expected + case when waiting.id = any (v_again) then v_moved else 0 end, 0
          )
          or waiting.status = 'open' and last_scan_of(p_tenant, waiting.id) <= last_scan_of(p_tenant, accepted.id)
        )
    )
    returning waiting.*
  )
  insert into audit_entries (
    tenant_id, kind, event, sku, quantity, location, source, user_id, user_type, user_name, metadata
  )
  select p_tenant, 'configuration', 'discrepancy_settled', sku, counted, location, count_type, p_user, v_actor.role,
    v_actor.name,
    jsonb_build_object('expected', expected, 'counted', counted, 'note', '', 'reason', 'Settled by another count')
  from settled;
  update discrepancies
  set expected = least(greatest(expected + v_moved, 0), 2147483647)
  where tenant_id = p_tenant and id = any (v_again) and status in ('attempted', 'open') and v_moved <> 0;
  -- What the count had opened waits for no decision any more; whether it was settled by another one is said above.
  with closed as (
    select * from discrepancies again
    where again.tenant_id = p_tenant and again.id = v_discrepancy.id and v_discrepancy.status = 'open'
      and (again.status in ('attempted', 'recount') or again.status = 'dismissed' and again.reason = 'Taken back')
  )
  insert into audit_entries (
    tenant_id, kind, event, sku, quantity, location, source, user_id, user_type, user_name, metadata
  )
  select p_tenant, 'configuration', 'discrepancy_settled', sku, v_discrepancy.counted, location, count_type, p_user,
    v_actor.role, v_actor.name,
    jsonb_build_object(
      'expected', v_discrepancy.expected, 'counted', v_discrepancy.counted, 'note', '', 'reason', 'Taken back'
    )
  from closed;
  -- What the count had ended waits again: its own difference, and what it answered or disproved.
  v_back := case when v_discrepancy.status in ('matched', 'dismissed') then v_back else v_back[2:] end;
  with restored as (
    select * from discrepancies again
    where again.tenant_id = p_tenant and again.id = any (v_back) and again.status in ('open', 'recount')
  )
  insert into audit_entries (
    tenant_id, kind, event, sku, quantity, location, source, user_id, user_type, user_name, metadata
  )
  select p_tenant, 'configuration', 'discrepancy_reopened', sku, counted, location, count_type, p_user, v_actor.role,
    v_actor.name,
    jsonb_build_object('expected', expected, 'counted', counted, 'note', '', 'reason', 'Count taken back')
  from restored;
  v_quantity := coalesce(v_entry.quantity, v_attempt.counted);

  if v_recorded then
    insert into count_history (
      tenant_id, component_id, sku, location, quantity, count_type, count_session, source, user_id, user_type,
      user_name, counted_at, undoes, sets_mark
    )
    values (
      p_tenant, v_component, v_sku, v_location, v_quantity, v_source, v_entry.count_session, 'undo', p_user,
      v_actor.role, v_actor.name, v_now, v_entry.id, false
    );

    select counted_at, count_type into v_mark
    from standing_counts(p_tenant, v_sku, v_location, v_stock.cleared_at)
    where not was_reset(p_tenant, v_component, v_location, 'monthly', counted_at, created_at, v_actor.time_zone)
    order by counted_at desc, id desc
    limit 1;
    select max(counted_at) into v_weekly_mark
    from standing_counts(p_tenant, v_sku, v_location, v_stock.weekly_cleared_at)
    where count_type = 'weekly'
      and not was_reset(p_tenant, v_component, v_location, 'weekly', counted_at, created_at, v_actor.time_zone);
    update stock
    set counted_at = v_mark.counted_at, counted_source = v_mark.count_type, weekly_counted_at = v_weekly_mark,
      scans = scans - 1
    where tenant_id = p_tenant and component_id = v_component and location = v_location;

    update scan_days set scans = scans - 1
    where tenant_id = p_tenant and location = v_location and day = (v_at at time zone v_actor.time_zone)::date;
    update count_progress set counted = counted - 1
    where tenant_id = p_tenant and location = v_location and month_start = v_month
      and v_stock.counted_at >= v_month and coalesce(v_mark.counted_at, '-infinity') < v_month;
    if v_source = 'weekly' then perform forget_weekly_progress(p_tenant, array[v_location]); end if;
  end if;

  if v_recorded and v_source = 'admin' then
    perform from cycle_counts
    where tenant_id = p_tenant and user_type = 'admin' and id = v_entry.count_session
    for update;
    v_in_cycle := counted_in_cycle(p_tenant, v_entry.count_session, v_sku, v_location);
    update cycle_counts
    set completed = completed and v_in_cycle is not null, last_updated = clock_timestamp(),
      progress = coalesce(progress || v_in_cycle, progress - v_sku)
    where tenant_id = p_tenant and user_type = 'admin' and id = v_entry.count_session and progress ? v_sku;
  end if;

  insert into audit_entries (
    tenant_id, kind, event, sku, quantity, location, source, user_id, user_type, user_name, metadata
  )
  values (
    p_tenant, 'inventory_scan', case v_source when 'admin' then 'admin_view' else v_source || '_count' end || '_undone',
    v_sku, v_quantity, v_location, v_source, p_user, v_actor.role, v_actor.name,
    jsonb_strip_nulls(jsonb_build_object(
      'session', v_entry.count_session, 'counted_at', v_at, 'undoes', v_entry.id,
      'attempt', case when v_attempt.id is not null then v_number end, 'moved_back', -v_first.delta
    ))
  );
  update operations set reply = reply || '{"undone": true}'
  where tenant_id = p_tenant and user_id = p_user and key = p_key;
  return jsonb_build_object(
    'outcome', 'undone', 'sku', v_sku, 'quantity', v_quantity, 'location', v_location, 'source', v_source
  );
end
$function$
CREATE OR REPLACE FUNCTION public.undo_count_in_use(p_tenant uuid, p_user uuid, p_key text)
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
declare
  v_count jsonb;
begin
  -- Nobody retires one until the end of the transaction.
  perform pg_advisory_xact_lock_shared(time_zone_lock(p_tenant));
  select reply into v_count from operations where tenant_id = p_tenant and user_id = p_user and key = p_key;
  if v_count->>'outcome' = 'counted' then
    perform from components
    where tenant_id = p_tenant and id = (v_count->'component'->>'id')::uuid and retired_at is not null;
    if found then return jsonb_build_object('outcome', 'retired'); end if;
  end if;
  return undo_count(p_tenant, p_user, p_key);
end
$function$
CREATE OR REPLACE FUNCTION public.undo_import(p_tenant uuid, p_import uuid, p_user uuid, p_user_name text)
 RETURNS TABLE(obstacle text, reason text)
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
declare
  v_finished constant timestamptz := (select finished_at from imports where tenant_id = p_tenant and id = p_import);
  v_costs constant boolean := (
    select 'unit_cost' = any (fields) from imports where tenant_id = p_tenant and id = p_import
  );
  -- What this file may say but for stock, which goes back by the ledger.
  v_own constant text[] := array(
    select given.field from imports cross join unnest(imports.fields) as given (field)
    where imports.tenant_id = p_tenant and imports.id = p_import and given.field <> 'barcode'
      and given.field !~ '_quantity$'
  );
  v_others constant boolean := (
    select 'other_barcodes' = any (fields) from imports where tenant_id = p_tenant and id = p_import
  );
  v_said uuid[];
  v_fields text[];
  v_by uuid[];
  v_brought uuid[];
  v_components uuid[];
  v_locations text[];
  v_bins text[];
  v_minimums integer[];
  v_sinces timestamptz[];
  v_codes text[];
begin
  perform pg_advisory_xact_lock(retire_lock(p_tenant));
  perform 1
  from stock
  where tenant_id = p_tenant and (
    component_id in (
      select component_id from import_changes where tenant_id = p_tenant and import_id = p_import and created
    )
    or (component_id, location) in (
      select moved.component_id, moved.location from movements moved
      where moved.tenant_id = p_tenant and moved.reference = p_import
    )
  )
  order by component_id, location
  for update;

  return query
  select components.barcode, 'moved'
  from movements posted
  cross join lateral (
    select components.barcode from components
    where components.tenant_id = p_tenant and components.id = posted.component_id
    offset 0
  ) as components
  where posted.tenant_id = p_tenant and posted.reference = p_import and exists (
    select from movements later
    where later.tenant_id = p_tenant and later.component_id = posted.component_id
      and later.location = posted.location and later.id > posted.id
      and later.reference is distinct from p_import
      and not exists (
        select from imports undone
        where undone.tenant_id = p_tenant and undone.id = later.reference and undone.status = 'undone'
      )
  )
  order by components.barcode
  limit 1;
  if found then return; end if;

  return query
  select made.barcode, 'moved'
  from import_changes made
  where made.tenant_id = p_tenant and made.import_id = p_import and made.created and exists (
    select from movements
    where movements.tenant_id = p_tenant and movements.component_id = made.component_id
      and movements.reference is distinct from p_import
      and not exists (
        select from imports undone
        where undone.tenant_id = p_tenant and undone.id = movements.reference and undone.status = 'undone'
      )
  )
  order by made.barcode
  limit 1;
  if found then return; end if;

  return query
  select made.barcode, 'counted'
  from import_changes made
  where made.tenant_id = p_tenant and made.import_id = p_import and made.created and (
    exists (
      select from stock
      where stock.tenant_id = p_tenant and stock.component_id = made.component_id
        and (stock.scans > 0 or stock.counted_at is not null or stock.weekly_counted_at is not null)
    )
    or exists (
      select from discrepancies
      where discrepancies.tenant_id = p_tenant and discrepancies.component_id = made.component_id
        and discrepancies.status in ('attempted', 'open', 'recount')
    )
  )
  order by made.barcode
  limit 1;
  if found then return; end if;

  return query
  select components.barcode, 'counted_stock'
  from movements posted
  cross join lateral (
    select components.barcode from components
    where components.tenant_id = p_tenant and components.id = posted.component_id
    offset 0
  ) as components
  where posted.tenant_id = p_tenant and posted.reference = p_import and (
    -- By what came after it: clocks of devices may be off, and marks may have been cleared.
    exists (
      select from standing_counts(p_tenant, components.barcode, posted.location, null) as later where later.id > posted.id
    )
    or exists (
      select from standing_attempts(p_tenant, posted.component_id, posted.location) as later
      join discrepancies difference on difference.tenant_id = p_tenant and difference.id = later.discrepancy_id
      where difference.status = 'open' and later.id > posted.id
    )
    -- Where counts have been put aside since, their marks still say it.
    or exists (
      select from detached_history aside
      where aside.tenant_id = p_tenant and aside.history = 'count_history' and aside.next_id > posted.id
    ) and exists (
      select from stock
      where stock.tenant_id = p_tenant and stock.component_id = posted.component_id and stock.location = posted.location
        and greatest(stock.counted_at, stock.weekly_counted_at) > instant_of(posted.id)
    )
  )
  order by components.barcode
  limit 1;
  if found then return; end if;

  -- What a newer file gave as well moved nothing; where it says what another one set, it is its stock by now.
  return query
  select components.barcode, 'confirmed'
  from imports newer
  join import_confirmed confirmed on confirmed.tenant_id = p_tenant and confirmed.import_id = newer.id
  cross join unnest(confirmed.components) as named (component_id)
  cross join lateral (
    select components.barcode from components
    where components.tenant_id = p_tenant and components.id = named.component_id
    offset 0
  ) as components
  where newer.tenant_id = p_tenant and newer.status = 'done' and newer.finished_at > v_finished and not newer.keep_existing
    and exists (
      select from movements posted
      where posted.tenant_id = p_tenant and posted.component_id = named.component_id
        -- So that they are found by their component, not all of an import's for each.
        and posted.reference is not distinct from p_import
        and lower(posted.location) || '_quantity' = any (coalesce(confirmed.fields, newer.fields))
    )
  order by components.barcode
  limit 1;
  if found then return; end if;

  with taken as materialized (
    select posted.component_id, posted.location, -posted.delta as delta, present.quantity - posted.delta as quantity
    from movements posted
    cross join lateral (
      select stock.quantity from stock
      where stock.tenant_id = p_tenant and stock.component_id = posted.component_id
        and stock.location = posted.location
      offset 0
    ) as present
    where posted.tenant_id = p_tenant and posted.reference = p_import and posted.cause = 'import'
  ),
  returned as (
    insert into movements (
      tenant_id, component_id, location, delta, quantity_after, cause, user_id, user_name, reference
    )
    select p_tenant, taken.component_id, taken.location, taken.delta, taken.quantity, 'import_undone', p_user,
      p_user_name, p_import
    from taken
  )
  insert into stock (tenant_id, component_id, location, quantity)
  select p_tenant, taken.component_id, taken.location, taken.quantity from taken
  on conflict (tenant_id, component_id, location) do update set quantity = excluded.quantity;
  -- Noted before, because a cluster calls no function that writes from a statement that reads.
  select coalesce(array_agg(component_id), '{}'), coalesce(array_agg(location), '{}')
  into v_components, v_locations
  from movements
  where tenant_id = p_tenant and reference = p_import and cause = 'import_undone' and delta > 0;
  perform keep_with_stock(p_tenant, v_components, v_locations);

  -- Who describes or places the same components, or sets what they cost, waits; by id, as all do who lock several.
  perform 1
  from components
  where tenant_id = p_tenant and id in (
    select component_id from import_changes where tenant_id = p_tenant and import_id = p_import and not created
    union all
    select component_id from import_costs where tenant_id = p_tenant and import_id = p_import
    union all
    select component_id from import_placements where tenant_id = p_tenant and import_id = p_import
  )
  order by id
  for no key update;

  -- By component and field of this file, which newer one that stands says it next: the value is that one's by now.
  select coalesce(array_agg(next.component_id), '{}'), coalesce(array_agg(next.field), '{}'),
    coalesce(array_agg(next.import_id), '{}')
  into v_said, v_fields, v_by
  from (
    select distinct on (named.component_id, given.field) named.component_id, given.field, newer.id as import_id
    from imports newer
    join import_confirmed confirmed on confirmed.tenant_id = p_tenant and confirmed.import_id = newer.id
    cross join unnest(coalesce(confirmed.fields, newer.fields)) as given (field)
    cross join unnest(confirmed.components) as named (component_id)
    where newer.tenant_id = p_tenant and newer.status = 'done' and newer.finished_at > v_finished
      and given.field = any (v_own)
    order by named.component_id, given.field, newer.finished_at
  ) as next;

  -- Its undo gives back what there was before this one, unless somebody has said it between.
  insert into import_changes as theirs (
    tenant_id, import_id, component_id, barcode, created, old_description, new_description
  )
  select p_tenant, next.import_id, changed.component_id, changed.barcode, false, changed.old_description,
    changed.new_description
  from unnest(v_said, v_fields, v_by) as next (component_id, field, import_id)
  cross join lateral (
    select mine.* from import_changes mine
    where mine.tenant_id = p_tenant and mine.import_id = p_import and mine.component_id = next.component_id
    offset 0
  ) as changed
  cross join lateral (
    select components.described_at from components
    where components.tenant_id = p_tenant and components.id = changed.component_id
    offset 0
  ) as now
  where next.field = 'description' and not changed.created and changed.new_description <> changed.old_description
    and (now.described_at > v_finished) is not true
  on conflict (tenant_id, import_id, component_id) do update set old_description = excluded.old_description
  where theirs.old_description = excluded.new_description;
  v_components := array(
    select changed.component_id
    from import_changes changed
    cross join lateral (
      select components.description, components.described_at from components
      where components.tenant_id = p_tenant and components.id = changed.component_id
      offset 0
    ) as now
    where changed.tenant_id = p_tenant and changed.import_id = p_import and not changed.created
      and now.description = changed.new_description and (now.described_at > v_finished) is not true
    except
    select next.component_id from unnest(v_said, v_fields) as next (component_id, field)
    where next.field = 'description'
  );
  insert into components as present (tenant_id, barcode, description)
  select p_tenant, changed.barcode, changed.old_description
  from unnest(v_components) as back (component_id)
  cross join lateral (
    select mine.barcode, mine.old_description from import_changes mine
    where mine.tenant_id = p_tenant and mine.import_id = p_import and mine.component_id = back.component_id
    offset 0
  ) as changed
  order by changed.barcode
  on conflict (tenant_id, barcode) do update set description = excluded.description, updated_at = now();

  if v_costs then
    insert into import_costs as theirs (tenant_id, import_id, component_id, old_cost, new_cost, since)
    select p_tenant, next.import_id, made.component_id, made.old_cost, made.new_cost, made.since
    from unnest(v_said, v_fields, v_by) as next (component_id, field, import_id)
    cross join lateral (
      select mine.* from import_costs mine
      where mine.tenant_id = p_tenant and mine.import_id = p_import and mine.component_id = next.component_id
      offset 0
    ) as made
    where next.field = 'unit_cost' and not exists (
      -- What is of no file, and no undo has put back, somebody has said.
      select from component_costs costs
      where costs.tenant_id = p_tenant and costs.component_id = made.component_id and costs.since > made.since
        and not exists (
          select from import_costs other
          where other.tenant_id = p_tenant and other.component_id = made.component_id
            and costs.since in (other.since, other.put_back)
          offset 0
        )
      offset 0
    )
    on conflict (tenant_id, import_id, component_id) do update set old_cost = excluded.old_cost
    where theirs.old_cost = excluded.new_cost;
    v_components := array(
      select made.component_id
      from import_costs made
      where made.tenant_id = p_tenant and made.import_id = p_import and not exists (
        select from component_costs costs
        where costs.tenant_id = p_tenant and costs.component_id = made.component_id and costs.since > made.since
          and not exists (
            select from import_costs other
            where other.tenant_id = p_tenant and other.component_id = made.component_id
              and costs.since in (other.since, other.put_back)
            offset 0
          )
        offset 0
      )
      except
      select next.component_id from unnest(v_said, v_fields) as next (component_id, field)
      where next.field = 'unit_cost'
    );
    select coalesce(array_agg(made.component_id), '{}'),
      coalesce(array_agg(greatest(statement_timestamp(), last.since + interval '1 microsecond')), '{}')
    into v_components, v_sinces
    from unnest(v_components) as back (component_id)
    cross join lateral (
      select mine.component_id, mine.new_cost from import_costs mine
      where mine.tenant_id = p_tenant and mine.import_id = p_import and mine.component_id = back.component_id
      offset 0
    ) as made
    cross join lateral (
      select costs.since, costs.unit_cost from component_costs costs
      where costs.tenant_id = p_tenant and costs.component_id = made.component_id
      order by costs.since desc
      limit 1
    ) as last
    where made.new_cost = last.unit_cost;
    update import_costs
    set put_back = given.since
    from unnest(v_components, v_sinces) as given (component_id, since)
    where import_costs.tenant_id = p_tenant and import_costs.import_id = p_import
      and import_costs.component_id = given.component_id;
    insert into component_costs (tenant_id, component_id, since, unit_cost)
    select p_tenant, made.component_id, made.put_back, made.old_cost
    from import_costs made
    where made.tenant_id = p_tenant and made.import_id = p_import and made.put_back is not null
    on conflict do nothing;
  end if;

  if exists (select from import_placements where tenant_id = p_tenant and import_id = p_import) then
    insert into import_placements as theirs (
      tenant_id, import_id, component_id, location, old_bin, new_bin, old_minimum, new_minimum
    )
    select p_tenant, next.import_id, made.component_id, made.location, made.old_bin, made.new_bin, made.new_minimum,
      made.new_minimum
    from unnest(v_said, v_fields, v_by) as next (component_id, field, import_id)
    cross join lateral (
      select mine.* from import_placements mine
      where mine.tenant_id = p_tenant and mine.import_id = p_import and mine.component_id = next.component_id
        and lower(mine.location) || '_bin' = next.field
      offset 0
    ) as made
    cross join lateral (
      select placements.bin_at from placements
      where placements.tenant_id = p_tenant and placements.component_id = made.component_id
        and placements.location = made.location
      offset 0
    ) as present
    where made.new_bin <> made.old_bin and (present.bin_at > v_finished) is not true
    on conflict (tenant_id, import_id, component_id, location) do update set old_bin = excluded.old_bin
    where theirs.old_bin = excluded.new_bin;
    insert into import_placements as theirs (
      tenant_id, import_id, component_id, location, old_bin, new_bin, old_minimum, new_minimum
    )
    select p_tenant, next.import_id, made.component_id, made.location, made.new_bin, made.new_bin, made.old_minimum,
      made.new_minimum
    from unnest(v_said, v_fields, v_by) as next (component_id, field, import_id)
    cross join lateral (
      select mine.* from import_placements mine
      where mine.tenant_id = p_tenant and mine.import_id = p_import and mine.component_id = next.component_id
        and lower(mine.location) || '_minimum' = next.field
      offset 0
    ) as made
    cross join lateral (
      select placements.minimum_at from placements
      where placements.tenant_id = p_tenant and placements.component_id = made.component_id
        and placements.location = made.location
      offset 0
    ) as present
    where made.new_minimum is distinct from made.old_minimum and (present.minimum_at > v_finished) is not true
    on conflict (tenant_id, import_id, component_id, location) do update set old_minimum = excluded.old_minimum
    where theirs.old_minimum = excluded.new_minimum;
    select coalesce(array_agg(made.component_id), '{}'), coalesce(array_agg(made.location), '{}'),
      coalesce(array_agg(case when back.has_bin then made.old_bin else present.bin end), '{}'),
      coalesce(array_agg(case when back.has_minimum then made.old_minimum else present.minimum end), '{}')
    into v_components, v_locations, v_bins, v_minimums
    from (
      select given.component_id, upper(split_part(given.field, '_', 1)) as location,
        bool_or(given.field like '%bin') as has_bin, bool_or(given.field like '%minimum') as has_minimum
      from (
        select made.component_id, lower(made.location) || part.field as field
        from import_placements made
        cross join lateral (
          select placements.bin, placements.minimum, placements.bin_at, placements.minimum_at from placements
          where placements.tenant_id = p_tenant and placements.component_id = made.component_id
            and placements.location = made.location
          offset 0
        ) as present
        cross join lateral (
          values ('_bin', present.bin = made.new_bin and (present.bin_at > v_finished) is not true),
            ('_minimum', present.minimum = made.new_minimum and (present.minimum_at > v_finished) is not true)
        ) as part (field, is_still)
        where made.tenant_id = p_tenant and made.import_id = p_import and part.is_still
        except
        select next.component_id, next.field from unnest(v_said, v_fields) as next (component_id, field)
      ) as given (component_id, field)
      group by 1, 2
    ) as back
    cross join lateral (
      select mine.* from import_placements mine
      where mine.tenant_id = p_tenant and mine.import_id = p_import and mine.component_id = back.component_id
        and mine.location = back.location
      offset 0
    ) as made
    cross join lateral (
      select placements.bin, placements.minimum from placements
      where placements.tenant_id = p_tenant and placements.component_id = made.component_id
        and placements.location = made.location
      offset 0
    ) as present;
    delete from placements
    where tenant_id = p_tenant and (component_id, location) in (
      select given.component_id, given.location
      from unnest(v_components, v_locations, v_bins, v_minimums) as given (component_id, location, bin, minimum)
      where given.bin = '' and given.minimum is null
    );
    insert into placements (tenant_id, component_id, location, bin, minimum)
    select p_tenant, given.component_id, given.location, given.bin, given.minimum
    from unnest(v_components, v_locations, v_bins, v_minimums) as given (component_id, location, bin, minimum)
    where given.bin <> '' or given.minimum is not null
    order by given.component_id, given.location
    on conflict (tenant_id, component_id, location) do update set bin = excluded.bin, minimum = excluded.minimum;
  end if;

  if v_others then
    -- Still as this file gave them; where a newer one that stands names them as well, its undo takes them away.
    select coalesce(array_agg(still.barcode), '{}'), coalesce(array_agg(still.next), '{}')
    into v_codes, v_by
    from (
      select mine.barcode, later.import_id as next
      from import_aliases mine
      cross join lateral (
        select alias_barcodes.component_id, alias_barcodes.created_at from alias_barcodes
        where alias_barcodes.tenant_id = p_tenant and alias_barcodes.barcode = mine.barcode
        offset 0
      ) as present
      left join lateral (
        select named.import_id
        from import_aliases named
        join imports newer on newer.tenant_id = p_tenant and newer.id = named.import_id
        where named.tenant_id = p_tenant and named.barcode = mine.barcode and named.component_id = mine.component_id
          and newer.status = 'done' and newer.finished_at > v_finished
        order by newer.finished_at
        limit 1
      ) as later on true
      where mine.tenant_id = p_tenant and mine.import_id = p_import and mine.added
        and present.component_id = mine.component_id and present.created_at <= v_finished
    ) as still;
    update import_aliases
    set added = true
    from unnest(v_codes, v_by) as given (barcode, import_id)
    where import_aliases.tenant_id = p_tenant and import_aliases.import_id = given.import_id
      and import_aliases.barcode = given.barcode;
    delete from alias_barcodes
    where tenant_id = p_tenant and barcode in (
      select given.barcode from unnest(v_codes, v_by) as given (barcode, import_id) where given.import_id is null
    );
  end if;

  perform reinstate_components(p_tenant, array(
    select components.id
    from components
    join stock on stock.tenant_id = p_tenant and stock.component_id = components.id and stock.quantity > 0
    where components.tenant_id = p_tenant and components.retired_at is not null
  ));
  v_brought := array(
    select component_id from import_changes
    where tenant_id = p_tenant and import_id = p_import and (created or reinstated)
    except
    select unnest(confirmed.components)
    from imports newer
    join import_confirmed confirmed on confirmed.tenant_id = p_tenant and confirmed.import_id = newer.id
    where newer.tenant_id = p_tenant and newer.status = 'done' and newer.finished_at > v_finished
  );
  if cardinality(v_brought) = 0 then return; end if;
  -- Last, because counts wait for it. What has something that keeps it from being retired stays, and what came into use since.
  perform pg_advisory_xact_lock(time_zone_lock(p_tenant));
  perform retire_components(p_tenant, array(
    select brought.id
    from unnest(v_brought) as brought (id)
    where not exists (
        select from stock
        where stock.tenant_id = p_tenant and stock.component_id = brought.id
          and (stock.quantity > 0 or greatest(stock.counted_at, stock.weekly_counted_at) > instant_of(p_import))
      )
      and not exists (
        select from transfers
        where transfers.tenant_id = p_tenant and transfers.component_id = brought.id and transfers.status = 'in_transit'
      )
      and not exists (
        select from discrepancies
        where discrepancies.tenant_id = p_tenant and discrepancies.component_id = brought.id
          and discrepancies.status in ('attempted', 'open', 'recount')
      )
      -- Retiring takes the weekly plan away: one that is there was made since.
      and not exists (
        select from high_volume_assignments planned
        where planned.tenant_id = p_tenant and planned.component_id = brought.id
      )
      and not exists (
        select from alias_barcodes aliased
        where aliased.tenant_id = p_tenant and aliased.component_id = brought.id and aliased.created_at > v_finished
      )
      and not exists (
        select from labelled_components labelled
        where labelled.tenant_id = p_tenant and labelled.component_id = brought.id and labelled.labelled_at > v_finished
      )
      and not exists (
        select from components
        where components.tenant_id = p_tenant and components.id = brought.id and components.reinstated_at > v_finished
      )
  ), p_user_name);
end
$function$
CREATE OR REPLACE FUNCTION public.unsealed_entries(p_tenant uuid, p_limit integer)
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 STABLE
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
AS $function$
declare
  v_from uuid;
  v_last uuid;
  v_late uuid[];
begin
  select settled_below into v_from from audit_seals where tenant_id = p_tenant order by seq desc limit 1;
  select entry_id into v_last from audit_seals where tenant_id = p_tenant order by entry_id desc limit 1;
  v_from := coalesce(v_from, '00000000-0000-0000-0000-000000000000');
  v_last := coalesce(v_last, '00000000-0000-0000-0000-000000000000');
  v_late := array(select late from late_entries(p_tenant, v_from, v_last) as late order by late limit p_limit);
  return query
    select waiting.id
    from (
      select unnest(v_late) as id
      union all
      (select entry.id from audit_entries entry where entry.tenant_id = p_tenant and entry.id > v_last order by entry.id limit p_limit)
    ) as waiting
    order by waiting.id
    limit p_limit;
end
$function$
CREATE OR REPLACE FUNCTION public.upc_of(p_code text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (p_code ~ '^0[0-9]{12}$'::text) THEN substr(p_code, 2) ELSE p_code END
CREATE OR REPLACE FUNCTION public.upc_writings(p_code text)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (p_code ~ '^0[0-9]{12}$'::text) THEN ARRAY[p_code, substr(p_code, 2)] WHEN (p_code ~ '^[0-9]{12}$'::text) THEN ARRAY[p_code, ('0'::text || p_code)] ELSE ARRAY[p_code] END
CREATE OR REPLACE FUNCTION public.was_reset(p_tenant uuid, p_component uuid, p_location text, p_count_type text, p_at timestamp with time zone, p_arrived timestamp with time zone, p_time_zone text)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select exists (
    select from count_resets reset
    where reset.tenant_id = p_tenant and reset.location = p_location and reset.count_type = p_count_type
      and p_at < reset.reset_at and (p_arrived <= reset.reset_at or p_at < p_arrived - interval '5 minutes')
      and p_at >= case p_count_type
        when 'weekly' then start_of_day(reset.reset_at, p_time_zone)
        else start_of_month(reset.reset_at, p_time_zone)
      end
      and (
        reset.count_type = 'monthly' or exists (
          select from high_volume_assignments listed
          where listed.tenant_id = p_tenant and listed.component_id = p_component and listed.location = p_location
            and listed.day = reset.day
        )
      )
  )
$function$
