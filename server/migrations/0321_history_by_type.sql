-- Weekly counts and those of the admin view are few among monthly ones, which these leave alone.
create index count_history_weekly on count_history (tenant_id, counted_at, id) where count_type = 'weekly'
-- ;;
create index count_history_admin on count_history (tenant_id, counted_at, id) where count_type = 'admin'
