import type { DiscrepancyOrder } from '@inventory-manager/contract/discrepancies/endpoints'
import type { DiscrepancyStatus } from '@inventory-manager/contract/discrepancies/rules'
import type { LocationCode } from '@inventory-manager/contract/locations'
import { planLocationCodes } from '@inventory-manager/contract/plans'
import type { CountType } from '@inventory-manager/contract/values'
import { soughtWords } from '@inventory-manager/contract/stock/sought-words'
import { sql } from 'kysely'
import { containing, holds } from '../platform/db/containing.ts'
import { joinAsUsual, joinWhole, type Tx } from '../platform/db/database.ts'
import type { Actor } from '../platform/http/identity.ts'
import { unitCostAt } from '../stock/cost-queries.ts'
import { joinCosts, pricedAt } from '../stock/difference-costs.ts'
import { lastScanOf, stands } from '../stock/standing-attempts.ts'
import { isAfter, orders, value, worth } from './order.ts'

type AttemptRow = {
  id: string
  attempt: number
  expected: number
  counted: number
  userName: string
  at: string
  takenBack: boolean
}

export type DiscrepancyFilter = {
  status?: DiscrepancyStatus | undefined
  location?: LocationCode | undefined
  count_type?: CountType | undefined
  search?: string | undefined
  sort: DiscrepancyOrder
  limit: number
  cursor?: string | undefined
  /** Whether the company has said what anything costs. */
  hasCosts: boolean
}

function filtered(tx: Tx, filter: DiscrepancyFilter) {
  let query = tx.db.selectFrom('discrepancies').where('discrepancies.tenant_id', '=', tx.tenantId)
  if (filter.status !== undefined) query = query.where('discrepancies.status', '=', filter.status)
  if (filter.location !== undefined) query = query.where('discrepancies.location', '=', filter.location)
  if (filter.count_type !== undefined) query = query.where('discrepancies.count_type', '=', filter.count_type)
  return soughtWords(filter.search ?? '')
    .map(containing)
    .reduce(
      (found, pattern) =>
        found.where((eb) =>
          eb.or([
            holds('discrepancies.sku', pattern),
            holds('discrepancies.user_name', pattern),
            eb.exists(
              eb
                .selectFrom('components')
                .select('components.id')
                .where('components.tenant_id', '=', tx.tenantId)
                .whereRef('components.id', '=', 'discrepancies.component_id')
                .where(holds('components.description', pattern)),
            ),
          ]),
        ),
      query,
    )
}

/** The ids of one page in the chosen order, one more than the limit where there are more. */
function idsOfPage(tx: Tx, filter: DiscrepancyFilter) {
  const { sort, cursor, limit } = filter
  const { by, way } = orders[sort]
  const all = filtered(tx, filter).select('discrepancies.id')
  const rest = cursor === undefined ? all : all.where(isAfter(tx, { sort, cursor }))
  const sorted = by.reduce((query, key) => query.orderBy(key, way), rest)
  return sorted.orderBy('discrepancies.id', way).limit(limit + 1)
}

/** The same by value. What all that pass the filters are worth is found by joining them with the costs as wholes. */
async function idsByValue(tx: Tx, filter: DiscrepancyFilter): Promise<string[]> {
  const { cursor, limit } = filter
  const rest = cursor === undefined ? sql`true` : isAfter(tx, { sort: 'value', cursor })
  await joinWhole(tx)
  const { rows } = await sql<{ id: string }>`
    select discrepancies.id
    from (${filtered(tx, filter).selectAll('discrepancies')}) as discrepancies ${joinCosts(tx, 'discrepancies')}
    where ${rest}
    order by ${sql.join(orders.value.by.map((key) => sql`${key} desc`))}, discrepancies.id desc
    limit ${limit + 1}
  `.execute(tx.db)
  await joinAsUsual(tx)
  return rows.map(({ id }) => id)
}

/** Every attempt at a difference. */
function attempts(tx: Tx) {
  return sql<{ list: AttemptRow[] }>`(
    select
      coalesce(jsonb_agg(jsonb_build_object(
        'id', id, 'attempt', attempt, 'expected', expected, 'counted', counted, 'userName', user_name, 'at', counted_at,
        'takenBack', not ${stands(tx, { attempt: 'made', difference: 'discrepancies' })}
      ) order by id), '[]') as list
    from count_attempts made
    where tenant_id = ${tx.tenantId}::uuid and discrepancy_id = discrepancies.id
  )`
}

/** The row with what one piece costs, of the moment that a difference counts at. */
function costs(tx: Tx, hasCosts: boolean) {
  const unitCost = hasCosts
    ? unitCostAt(tx, { component: 'discrepancies.component_id', at: pricedAt('discrepancies') })
    : sql`null::numeric`
  return sql<{ unit_cost: number | null }>`(select ${unitCost} as unit_cost offset 0)`
}

/** Differences in the chosen order, each with its attempts and its value; one more than the limit where there are more. */
export async function listDiscrepancies(tx: Tx, filter: DiscrepancyFilter) {
  const { by, way } = orders[filter.sort]
  const page =
    filter.sort === 'value'
      ? sql`(select unnest(${await idsByValue(tx, filter)}::uuid[]) as id)`
      : idsOfPage(tx, filter)
  const query = tx.db
    .selectFrom(sql<{ id: string }>`${page}`.as('page'))
    .innerJoin('discrepancies', (join) =>
      join.onRef('discrepancies.id', '=', 'page.id').on('discrepancies.tenant_id', '=', tx.tenantId),
    )
    .innerJoin('components', (join) =>
      join
        .onRef('components.tenant_id', '=', 'discrepancies.tenant_id')
        .onRef('components.id', '=', 'discrepancies.component_id'),
    )
    .leftJoin('stock', (join) =>
      join
        .onRef('stock.tenant_id', '=', 'discrepancies.tenant_id')
        .onRef('stock.component_id', '=', 'discrepancies.component_id')
        .onRef('stock.location', '=', 'discrepancies.location'),
    )
    .innerJoinLateral(attempts(tx).as('made'), (join) => join.onTrue())
    .innerJoinLateral(costs(tx, filter.hasCosts).as('costs'), (join) => join.onTrue())
    .selectAll('discrepancies')
    .select(['components.description', 'made.list as made', 'stock.quantity as stock_now'])
    .select(lastScanOf(tx, 'discrepancies').as('scanned_at'))
    .select([
      sql<number | null>`costs.unit_cost::float8`.as('unit_cost'),
      sql<number | null>`${value}::float8`.as('value'),
      worth.as('worth'),
    ])
  const sorted = by.reduce((rows, key) => rows.orderBy(key, way), query)
  return await sorted.orderBy('discrepancies.id', way).execute()
}

export async function countDiscrepancies(tx: Tx, filter: DiscrepancyFilter): Promise<number> {
  const { total } = await filtered(tx, filter)
    .select((eb) => eb.cast<number>(eb.fn.countAll(), 'integer').as('total'))
    .executeTakeFirstOrThrow()
  return total
}

/** Whether somebody of a role counts in that way: the admin view is the administrators', who count in no monthly one beside it. */
const countsSo = sql<boolean>`case discrepancies.count_type
  when 'admin' then users.role = 'admin'
  when 'monthly' then users.role <> 'admin'
  else true
end`

/**
 * Recounts asked for that somebody may take, at one location where it is given, oldest first: at first only those that somebody else
 * counted last. The first 200, with the total of all in each.
 */
export async function listRecounts(
  tx: Tx,
  actor: Actor,
  { location, othersMinutes }: { location: LocationCode | undefined; othersMinutes: number },
) {
  const query = tx.db
    .selectFrom('discrepancies')
    .innerJoin('components', (join) =>
      join
        .onRef('components.tenant_id', '=', 'discrepancies.tenant_id')
        .onRef('components.id', '=', 'discrepancies.component_id'),
    )
    .select([
      'discrepancies.id',
      'discrepancies.sku',
      'components.description',
      'discrepancies.location',
      'discrepancies.count_type',
      'discrepancies.decided_by',
      'discrepancies.updated_at',
      sql<number>`(count(*) over ())::integer`.as('total'),
    ])
    .where('discrepancies.tenant_id', '=', tx.tenantId)
    .where('discrepancies.status', '=', 'recount')
    .where((eb) =>
      eb.or([
        eb('discrepancies.user_id', '<>', actor.userId),
        eb(
          'discrepancies.updated_at',
          '<',
          sql<Date>`now() - make_interval(mins => ${othersMinutes}::integer)`,
        ),
        // Nobody else is there to take it.
        eb.not(
          eb.exists(
            eb
              .selectFrom('users')
              .select('users.id')
              .where('users.tenant_id', '=', tx.tenantId)
              .where('users.active', '=', true)
              .where('users.role', '<>', 'api_key')
              .where('users.id', '<>', actor.userId)
              .where(countsSo),
          ),
        ),
      ]),
    )
    .orderBy('discrepancies.updated_at')
    .orderBy('discrepancies.id')
    .limit(200)
  const open = location === undefined ? planLocationCodes(actor.plan) : [location]
  const here = query.where('discrepancies.location', 'in', open)
  const own = actor.role === 'admin' ? here : here.where('discrepancies.count_type', '<>', 'admin')
  return await own.execute()
}
