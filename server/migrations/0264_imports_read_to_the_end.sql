-- Nothing told an import whose file was read to the end from one where the reading broke off, and half a file could be taken for it.

-- Whether rows of the file are still to come, of imports whose last ones are said to be the last.
alter table imports add column awaits_end boolean not null default false
