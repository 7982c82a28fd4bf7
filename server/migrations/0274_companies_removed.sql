-- Entries of the audit trail stay, whoever asks. Only a whole company may go, and only as the tables' owner removes it: the program
-- itself has no such right.
create or replace function refuse_change() returns trigger
language plpgsql
as $$
begin
  if tg_op = 'DELETE' and current_setting('app.removing', true) = current_tenant()::text
    and pg_has_role(current_user, (select relowner from pg_class where oid = tg_relid), 'member')
  then
    return null;
  end if;
  raise exception 'Rows of % are never changed or removed.', tg_table_name using errcode = 'insufficient_privilege';
end
$$
