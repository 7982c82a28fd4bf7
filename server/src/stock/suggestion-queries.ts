import type { LocationCode } from '@inventory-manager/contract/locations'
import {
  daysSuggested,
  type HighVolumeSuggestion,
} from '@inventory-manager/contract/stock/suggestion-endpoints'
import { sql } from 'kysely'
import { findByWholeKeys, type Tx } from '../platform/db/database.ts'
import { newestCost } from './cost-queries.ts'
import { isRecorded } from './recorded-differences.ts'

/**
 * Components in use that are on no weekly list of a location: first those of which most has left it lately by value, then by pieces, then
 * those that differed most often. What neither left nor differed is none.
 */
export async function listSuggestions(
  tx: Tx,
  { location, limit }: { location: LocationCode; limit: number },
): Promise<HighVolumeSuggestion[]> {
  await findByWholeKeys(tx)
  const lately = sql`tenant_id = ${tx.tenantId}::uuid and location = ${location}
    and id >= id_at(now() - make_interval(days => ${daysSuggested}::integer))`
  const { rows } = await sql<HighVolumeSuggestion>`
    with moved as (
      select component_id, -sum(delta) as pieces from movements
      where ${lately} and cause <> 'discrepancy'
        -- What came back since its import or transfer was taken back had not gone.
        and (delta < 0) = (cause not in ('import_undone', 'transfer_cancelled'))
      group by component_id
      having sum(delta) < 0
    ),
    differed as (
      select component_id, count(*) as differences from discrepancies
      where ${lately} and status <> 'matched' and ${isRecorded(tx)}
      group by component_id
    ),
    -- Made at once, so that what is looked up for each is looked up by its key.
    lively as materialized (
      select component_id, coalesce(pieces, 0) as pieces, coalesce(differences, 0) as differences
      from moved full join differed using (component_id)
    )
    select own.barcode, own.description, lively.pieces::float8 as pieces, lively.differences::integer as differences,
      round(lively.pieces * costs.unit_cost, 4)::float8 as value
    from lively
    cross join lateral (
      select barcode, description from components
      where tenant_id = ${tx.tenantId}::uuid and id = lively.component_id and retired_at is null
      offset 0
    ) as own
    left join lateral ${newestCost(tx, 'lively.component_id')} as costs on true
    where not exists (
      select from high_volume_assignments
      where tenant_id = ${tx.tenantId}::uuid and component_id = lively.component_id and location = ${location}
      offset 0
    )
    order by nullif(round(lively.pieces * costs.unit_cost, 4), 0) desc nulls last, lively.pieces desc, lively.differences desc, own.barcode
    limit ${limit}
  `.execute(tx.db)
  return rows
}
