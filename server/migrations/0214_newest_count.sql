-- Where everything has been counted, as in any warehouse after a month, half of the time of a list went into the text of each
-- stock row's count, of which the greatest was kept. The newest is found by a number now, and only that one is written.

-- What a company holds of each component: at PRIMARY, SECONDARY, FULFILLMENT, DISTRIBUTION, QUARANTINE and in all, and of
-- its newest count the instant, location and source. Asked for some components, it looks only at theirs.
create or replace view stock_held with (security_invoker = true) as
select tenant_id, component_id, quantities,
  case when newest is not null then array[
    to_char(to_timestamp(newest / 32 / 1000000.0) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    (array['PRIMARY', 'SECONDARY', 'FULFILLMENT', 'DISTRIBUTION', 'QUARANTINE'])[newest / 4 % 8 + 1],
    (array['monthly', 'weekly', 'admin'])[newest % 4 + 1]
  ] end as counted
from (
  select tenant_id, component_id,
    array[
      coalesce(sum(quantity) filter (where location = 'PRIMARY'), 0),
      coalesce(sum(quantity) filter (where location = 'SECONDARY'), 0),
      coalesce(sum(quantity) filter (where location = 'FULFILLMENT'), 0),
      coalesce(sum(quantity) filter (where location = 'DISTRIBUTION'), 0),
      coalesce(sum(quantity) filter (where location = 'QUARANTINE'), 0),
      sum(quantity)
    ] as quantities,
    -- Microseconds, then five bits for location and source.
    max(
      (date_part('epoch', counted_at) * 1000000)::bigint * 32
      + case location
        when 'PRIMARY' then 0 when 'SECONDARY' then 4 when 'FULFILLMENT' then 8 when 'DISTRIBUTION' then 12 else 16
      end
      + case counted_source when 'monthly' then 0 when 'weekly' then 1 when 'admin' then 2 else 3 end
    ) as newest
  from stock
  group by tenant_id, component_id
) as summed
