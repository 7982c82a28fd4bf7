-- A difference that somebody dismissed by mistake can be reopened.

-- How it stood before a person dismissed it; null where nobody did, where it was reopened since, and where a node of the
-- version before dismissed it.
alter table discrepancies add column before_dismissal jsonb
