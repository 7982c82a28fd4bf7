-- The deliveries of a webhook that were given up are listed by themselves, among many that arrived.

create index webhook_deliveries_given_up on webhook_deliveries (tenant_id, webhook_id, id) where status = 'failed'
