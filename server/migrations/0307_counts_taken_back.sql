-- A count in the history is told with when it was taken back: of a page of counts, the few entries that undo one are looked up.

create index count_history_undoing on count_history (tenant_id, undoes) where undoes is not null
