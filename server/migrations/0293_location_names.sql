-- What a company calls its locations itself, by their codes; those without a name here have their standard one.

alter table companies add column location_names jsonb not null default '{}'
  constraint companies_location_names_check check (jsonb_typeof(location_names) = 'object')
