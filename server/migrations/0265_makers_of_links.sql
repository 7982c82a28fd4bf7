-- An invitation, or a link for a new password, that an administrator made still led in after they were none any more.

-- Who made it; null for one that was made by its own mail, by the command line, or before this.
alter table one_time_links add column created_by_id uuid
-- ;;
-- By itself and with a name, as Citus takes it of a table that is distributed already.
alter table one_time_links add constraint one_time_links_created_by_id_fkey
  foreign key (tenant_id, created_by_id) references users (tenant_id, id)
