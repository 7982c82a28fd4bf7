-- The neighbours of a code are few and made quickly: they are looked up, instead of comparing the code with all others.
drop index discrepancies_by_difference
-- ;;
drop function is_one_slip_away(text, text)
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
