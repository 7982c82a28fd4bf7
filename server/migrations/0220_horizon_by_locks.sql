-- An entry of the trail is settled when no running transaction can still add one below it. Whoever is connected in another role
-- hides when its transaction began, and was taken to have begun ten minutes ago; so one administrator's idle session, or a
-- monitor's, made every look at a trail compare the entries of ten minutes: 14 ms for a page where 130 counts a second were made,
-- where it takes 1. Only who holds the trail for writing can add to it, and locks are nobody's secret.

-- The first id that a transaction running now, or beginning later, can still give an entry. One of a role whose start is hidden
-- from this one is taken to have begun ten minutes ago, if it has begun to write entries; ten seconds are kept for a clock that
-- was set back.
create or replace function audit_horizon() returns uuid
language sql volatile
begin atomic
  select id_at(least(
    clock_timestamp(),
    (select min(xact_start) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()),
    (select clock_timestamp() - interval '10 minutes'
     from pg_stat_activity other
     join pg_locks held on held.pid = other.pid
     where other.datname = current_database() and other.usesysid is not null and other.backend_type is null
       and held.relation = 'audit_entries'::regclass and held.mode <> 'AccessShareLock'
     limit 1)
  ) - interval '10 seconds');
end
