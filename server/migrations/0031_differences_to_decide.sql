-- Lists of differences by state, and what may explain one: the same component elsewhere, its neighbours in number.
create index discrepancies_by_status on discrepancies (tenant_id, status, id)
-- ;;
create index discrepancies_of_component on discrepancies (tenant_id, component_id, id)
-- ;;
create index discrepancies_by_difference on discrepancies (tenant_id, location, ((counted - expected)), id)
-- ;;
-- Whether two codes of the same length differ in exactly one place, or in two neighbouring ones that are swapped.
create function is_one_slip_away(p_code text, p_other text) returns boolean
language sql immutable parallel safe
return char_length(p_code) = char_length(p_other) and (
  select count(*) = 1
    or count(*) = 2 and max(place) - min(place) = 1
      and string_agg(own, '' order by place) = string_agg(other, '' order by place desc)
  from (
    select place, substr(p_code, place, 1) as own, substr(p_other, place, 1) as other
    from generate_series(1, char_length(p_code)) as place
  ) as places
  where own <> other
)
