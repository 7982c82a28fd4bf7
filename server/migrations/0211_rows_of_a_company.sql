-- Two indexes of one table that begin with the company look alike to a planner that has seen companies with two rows each: it
-- looked components up by their company alone, through all that the same import had just made, and 10,000 of them took more
-- than the 30 seconds that a statement has. Whatever it has seen, a company has a thousand rows in such a table now, or as
-- many as the largest.
do $$
declare
  v_table regclass;
begin
  for v_table in
    select pg_class.oid::regclass from pg_class
    join pg_attribute on attrelid = pg_class.oid and attname = 'tenant_id'
    where relnamespace = 'public'::regnamespace and relkind = 'r' and not relispartition and (
      select count(*) from pg_index where indrelid = pg_class.oid and indkey[0] = attnum
    ) > 1
  loop
    execute format('alter table %s alter column tenant_id set (n_distinct = -0.001)', v_table);
    execute format('analyze %s', v_table);
  end loop;
end
$$
