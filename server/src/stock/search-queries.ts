import type { LocationCode } from '@inventory-manager/contract/locations'
import type { ComponentState } from '@inventory-manager/contract/stock/component-endpoints'
import { sql } from 'kysely'
import { findByKeys, joinWhole, type Tx } from '../platform/db/database.ts'
import { aliasesOfEach, holding } from './alias-queries.ts'
import { isUncostedEach } from './cost-queries.ts'
import { isNotKept } from './kept-queries.ts'
import { isLowAt, placementsOfEach } from './placement-queries.ts'
import { isAfter, sortedBy, withValues, type Order } from './search-order.ts'

type Search = {
  text?: string | undefined
  state: ComponentState
  /** Where what is low or not kept is looked for. */
  at: readonly LocationCode[]
  order: Order
  limit: number
  cursor?: string | undefined
}

/** Components of a state that hold a text in what they are found by. */
function found(tx: Tx, { text = '', state, at }: Search) {
  let query = tx.db
    .selectFrom('components')
    .select(['id', 'barcode', 'description'])
    .where('tenant_id', '=', tx.tenantId)
    .where('retired_at', state === 'retired' ? 'is not' : 'is', null)
  if (state === 'low') query = query.where(isLowAt(tx, at))
  if (state === 'not_kept') query = query.where(isNotKept(tx, at))
  if (state === 'uncosted') query = query.where(isUncostedEach(tx))
  if (text !== '') query = query.where(holding(tx, text))
  return query
}

/** Those of one page, one more than the limit where there are more. */
function page(tx: Tx, search: Search) {
  const { order, cursor, limit } = search
  return sql<{ id: string; barcode: string; description: string; value: string | null }>`(
    select * from (${withValues(tx, order, found(tx, search))}) as components
    where ${cursor === undefined ? sql`true` : isAfter(cursor, order)}
    order by ${sortedBy(order)}
    limit ${limit + 1}
  )`
}

/**
 * Components of a state that hold a text in what they are found by, in an order, one more than the limit where there are more.
 * `value`: by what they are sorted, but for the barcode. Throws 'invalid_request' for a cursor that is none.
 */
export async function searchComponents(tx: Tx, search: Search) {
  const query = tx.db
    .selectFrom(page(tx, search).as('components'))
    .select(['components.id', 'components.barcode', 'components.description', 'components.value'])
    .select([aliasesOfEach(tx).as('aliases'), placementsOfEach(tx).as('placements')])
    .select((eb) =>
      eb
        .selectFrom('stock')
        .where('stock.tenant_id', '=', tx.tenantId)
        .whereRef('stock.component_id', '=', 'components.id')
        .select(sql<Record<string, number>>`coalesce(jsonb_object_agg(location, quantity), '{}')`.as('held'))
        .$asScalar()
        .$notNull()
        .as('stock'),
    )
    .orderBy(sortedBy(search.order))
  // By barcode the index has them in their order. Another order, and what is low, look at all of them.
  if (search.order.sort !== 'barcode' || search.state === 'low')
    await Promise.all([findByKeys(tx), joinWhole(tx)])
  return await query.execute()
}
