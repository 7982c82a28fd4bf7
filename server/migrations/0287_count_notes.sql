-- What whoever counts says of a count, for administrators who decide about the difference.

-- A row: what was said of a count. `count_id`: of its row in the history, and of a first entry that did not match, which has none
-- there, of its attempt. `attempt_id`: of its attempt, where it is one at a difference.
create table count_notes (
  tenant_id uuid not null references companies,
  count_id uuid not null,
  attempt_id uuid,
  note text not null check (char_length(note) between 1 and 500),
  user_id uuid not null,
  created_at timestamptz not null default statement_timestamp(),
  updated_at timestamptz not null default statement_timestamp(),
  primary key (tenant_id, count_id)
)
-- ;;
-- What was said of the attempts at a difference.
create index count_notes_of_attempts on count_notes (tenant_id, attempt_id) where attempt_id is not null
-- ;;
-- More than one of its indexes begin with the company (0211).
alter table count_notes alter column tenant_id set (n_distinct = -0.001)
-- ;;
alter table count_notes enable row level security
-- ;;
alter table count_notes force row level security
-- ;;
create policy own_company on count_notes
  using (tenant_id = current_tenant()) with check (tenant_id = current_tenant())
-- ;;
grant select, insert, update, delete on count_notes to inventory_manager_app
