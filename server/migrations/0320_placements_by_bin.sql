-- How far a person's bins are is read from what lies in them, not from all of the location: in small letters, as people name them.
create index placements_by_bin on placements (tenant_id, location, lower(bin collate "C"), component_id) where bin <> ''
