-- Which transaction wrote an entry: with it a reader tells exactly what was committed since it last looked, however
-- long the writer took. Entries written before this column are older than any reader's last look.
alter table audit_entries add column transaction_id xid8 not null default '0'
-- ;;
alter table audit_entries alter column transaction_id set default pg_current_xact_id()
-- ;;
create index audit_entries_by_transaction on audit_entries (tenant_id, transaction_id)
