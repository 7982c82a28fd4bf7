-- When a webhook failed last: failing begins anew after a day in which nothing was tried, however a delivery before it ended.

alter table webhooks add column failed_at timestamptz
