-- An entry of the trail, or a movement, is settled when no running transaction can still add one below it. Whoever reads an archive has
-- one open until they have taken it, for hours if they are slow: so long no company's movements were given to those who read on, and
-- each sealing compared all entries written since.

-- As before, without what says that it only reads. Only the program says so, of transactions that it has begun read only; what has
-- written is waited for whatever it says.
create or replace function audit_horizon() returns uuid
language sql volatile
begin atomic
  select id_at(least(
    clock_timestamp(),
    (select min(xact_start) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()
       and (application_name is distinct from 'inventory-manager only reading' or backend_xid is not null)),
    (select clock_timestamp() - interval '10 minutes'
     from pg_stat_activity other
     join pg_locks held on held.pid = other.pid
     where other.datname = current_database() and other.usesysid is not null and other.backend_type is null
       and held.relation = 'audit_entries'::regclass and held.mode <> 'AccessShareLock'
     limit 1)
  ) - interval '10 seconds');
end
