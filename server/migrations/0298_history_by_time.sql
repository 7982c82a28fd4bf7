-- The history is read in the order of when counts were made, which late ones come into behind their ids.
create index count_history_by_time on count_history (tenant_id, counted_at, id)
