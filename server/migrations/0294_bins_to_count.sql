-- Of what somebody is asked to count at a location, the bins, each with all that begin with it; '' is what has none. Empty is all.

alter table count_assignments add column bins text[] not null default '{}'
-- ;;
alter table count_assignments add constraint count_assignments_bins_check
  check (cardinality(bins) <= 50 and array_position(bins, null) is null)
