-- The lists of count records gave the newest 500 whole, whatever they weighed: staff who stored large ones could take all of the
-- program's memory by asking for them.

-- The newest records of weekly counts, until they weigh p_bytes together as text; where p_location or p_day is given, of those.
create function newest_weekly_counts(p_tenant uuid, p_location text, p_day text, p_limit integer, p_bytes integer)
returns setof weekly_counts
language plpgsql stable
as $$
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
$$
-- ;;
-- The same of cycles, of the given roles.
create function newest_cycle_counts(
  p_tenant uuid, p_location text, p_user_types text[], p_limit integer, p_bytes integer
)
returns setof cycle_counts
language plpgsql stable
as $$
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
$$
