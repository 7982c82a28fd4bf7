-- Accuracy reads the differences of a span of months; everything else it needs is in the roll-up `scan_days`.
create index discrepancies_by_period on discrepancies (tenant_id, period_start, location)
-- ;;
-- Entries that clients reported without a count of the stock: few, and no lines of accuracy.
create index count_history_reported on count_history (tenant_id, id) where not sets_mark and undoes is null
