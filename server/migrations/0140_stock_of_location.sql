-- Whether a location was ever used is asked at each overview; without this, all stock of the company is read for it.
create index stock_of_location on stock (tenant_id, location);
