-- Lists of differences by state, and what may explain one: the same component elsewhere, its neighbours in number.
create index discrepancies_by_status on discrepancies (tenant_id, status, id)
-- ;;
create index discrepancies_of_component on discrepancies (tenant_id, component_id, id)
-- ;;
create index discrepancies_of_sku on discrepancies (tenant_id, location, sku, id)
-- ;;
-- The codes that differ from a code in one digit, or in two neighbouring characters that are swapped.
create function codes_one_slip_away(p_code text) returns text[]
language sql immutable parallel safe
return (
  select coalesce(array_agg(slip), '{}')
  from (
    select overlay(p_code placing digit::text from place for 1) as slip
    from generate_series(1, char_length(p_code)) as place, generate_series(0, 9) as digit
    where substr(p_code, place, 1) between '0' and '9'
    union
    select overlay(p_code placing reverse(substr(p_code, place, 2)) from place for 2)
    from generate_series(1, char_length(p_code) - 1) as place
  ) as slips
  where slip <> p_code
)
