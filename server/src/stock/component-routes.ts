import {
  componentCounts,
  componentDetail,
  componentLabels,
  componentLedger,
  componentMovements,
  describeComponent,
  searchComponents as searchEndpoint,
  type ComponentCount,
  type ComponentState,
  type ListedComponent,
  type StockLine,
} from '@inventory-manager/contract/stock/component-endpoints'
import type { LocationCode } from '@inventory-manager/contract/locations'
import { planLocationCodes } from '@inventory-manager/contract/plans'
import type { Placement } from '@inventory-manager/contract/stock/placement-endpoints'
import { places } from '@inventory-manager/contract/stock/places'
import { sightOf } from '../audit/sight.ts'
import type { Tx } from '../platform/db/database.ts'
import type { Binder } from '../platform/http/binder-types.ts'
import { requireAdmin, type Actor } from '../platform/http/identity.ts'
import { pageOf } from '../platform/http/page.ts'
import { listAliases, presentAliases } from './alias-queries.ts'
import { besideCounts, type BesideCounts } from './beside-counts.ts'
import {
  findLabel,
  getComponent,
  listCounts,
  listLabelPrints,
  listLedgerSteps,
  listStock,
} from './component-queries.ts'
import { findUnitCost, getCurrency } from './cost-queries.ts'
import { noteOf } from './count-notes.ts'
import { describe } from './describe-service.ts'
import { listNotKeptAt } from './kept-queries.ts'
import { presentMovement } from './movement-presenter.ts'
import { listMovements } from './movement-queries.ts'
import { listPlacements } from './placement-queries.ts'
import { cursorAfter, orderOf, type Order } from './search-order.ts'
import { searchComponents } from './search-queries.ts'
import { listTransfers, sumArriving } from './transfer-queries.ts'
import { presentTransfer } from './transfer-service.ts'

/** A component has few transfers under way; more than these are not shown on its page. */
const shownTransfers = 200

type StockRow = Awaited<ReturnType<typeof listStock>>[number]

function presentMarks(row: StockRow | undefined) {
  return {
    counted_at: row?.counted_at?.toISOString() ?? null,
    counted_source: row?.counted_source ?? null,
    weekly_counted_at: row?.weekly_counted_at?.toISOString() ?? null,
  }
}

/** Every place, also those that never held any. */
function presentStock(
  rows: StockRow[],
  {
    arriving,
    placements,
    notKept,
  }: { arriving: Map<string, number> | undefined; placements: Placement[]; notKept: string[] },
): StockLine[] {
  return places.map((place) => {
    const row = rows.find(({ location }) => location === place)
    return {
      ...(placements.find(({ location }) => location === place) ?? { bin: '', minimum: null }),
      location: place,
      quantity: row?.quantity ?? 0,
      arriving: arriving?.get(place) ?? 0,
      ...presentMarks(row),
      kept: !notKept.includes(place),
    }
  })
}

function presentRetired({ retired_at: at, retired_by: by }: Awaited<ReturnType<typeof getComponent>>) {
  return at === null || by === null ? null : { at: at.toISOString(), by }
}

/** Everything the page of a component begins with. */
async function readDetail(tx: Tx, barcode: string) {
  const component = await getComponent(tx, barcode)
  const [transfers, arriving, label, stock, aliases, placements, notKept] = await Promise.all([
    listTransfers(tx, { state: 'under_way', componentId: component.id, limit: shownTransfers }),
    sumArriving(tx, [component.id]),
    findLabel(tx, component.id),
    listStock(tx, component.id),
    listAliases(tx, component.id),
    listPlacements(tx, component.id),
    listNotKeptAt(tx, component.id),
  ])
  return {
    ...component,
    ...presentAliases(aliases),
    label:
      label === null
        ? null
        : {
            printed_at: label.labelled_at.toISOString(),
            current: label.description === component.description,
          },
    created_at: component.created_at.toISOString(),
    updated_at: component.updated_at.toISOString(),
    retired: presentRetired(component),
    stock: presentStock(stock, { arriving: arriving.get(component.id), placements, notKept }),
    transfers: transfers.slice(0, shownTransfers).map(presentTransfer),
  }
}

/** Where what is low or not kept is looked for: at the location that is named, or at all of the plan. */
async function lookedAt(named: LocationCode | undefined, asking: Promise<Actor>): Promise<LocationCode[]> {
  return named === undefined ? planLocationCodes((await asking).plan) : [named]
}

type ListedRow = Awaited<ReturnType<typeof searchComponents>>[number]

/** How much of the components of a page is on its way, by their ids, where what is low is listed: some of it is ordered already. */
async function arrivingOf(tx: Tx, state: ComponentState, page: readonly ListedRow[]) {
  if (state !== 'low') return null
  const ids = page.map(({ id }) => id)
  return await sumArriving(tx, ids)
}

type Arriving = Awaited<ReturnType<typeof arrivingOf>>

function presentListed(
  { id, value, ...row }: ListedRow,
  { order: { sort }, arriving }: { order: Order; arriving: Arriving },
): ListedComponent {
  const listed = {
    ...row,
    ...(arriving === null ? {} : { arriving: Object.fromEntries(arriving.get(id) ?? []) }),
    total_quantity: Object.values(row.stock).reduce((sum, quantity) => sum + quantity, 0),
  }
  if (sort !== 'counted') return listed
  return { ...listed, counted_at: value === null ? null : new Date(Number(value) / 1000).toISOString() }
}

type CountRow = Awaited<ReturnType<typeof listCounts>>[number]

function presentCount(
  { counted_at: at, ...row }: CountRow,
  { notes, takenBack }: BesideCounts,
): ComponentCount {
  const back = takenBack.get(row.id)?.toISOString() ?? null
  return { ...row, taken_back: back, ...noteOf(row, notes), timestamp: at.toISOString() }
}

export function componentRoutes(bind: Binder): void {
  bind.reader(searchEndpoint, async ({ tx, asking, query }) => {
    if (query.state === 'uncosted') requireAdmin(await asking)
    const at =
      query.state === 'low' || query.state === 'not_kept' ? await lookedAt(query.location, asking) : []
    const order = orderOf(query.sort, query.sort_location)
    const { page, next } = pageOf(await searchComponents(tx, { ...query, at, order }), query.limit, 'barcode')
    const last = next === null ? undefined : page.at(-1)
    const arriving = await arrivingOf(tx, query.state, page)
    return {
      components: page.map((row) => presentListed(row, { order, arriving })),
      next_cursor: last === undefined ? null : cursorAfter(last, order),
    }
  })

  bind.member(componentDetail, async ({ tx, actor, query }) => {
    const detail = await readDetail(tx, query.barcode)
    if (actor.role !== 'admin') return detail
    const [unitCost, currency] = await Promise.all([findUnitCost(tx, detail.id), getCurrency(tx)])
    return { ...detail, administration: { unit_cost: unitCost, currency } }
  })

  bind.reader(componentMovements, async ({ tx, asking, query }) => {
    const { id } = await getComponent(tx, query.barcode)
    const sight = sightOf(await asking)
    const rows = await listMovements(tx, { ...query, componentId: id })
    const { page, next } = pageOf(rows, query.limit, 'id')
    return {
      movements: page.map((row) => presentMovement(row, sight)),
      next_cursor: next,
    }
  })

  bind.reader(componentCounts, async ({ tx, asking, query }) => {
    const { barcode } = await getComponent(tx, query.barcode)
    const rows = await listCounts(tx, { ...query, sku: barcode })
    const { page, next } = pageOf(rows, query.limit, 'id')
    const beside = await besideCounts(tx, await asking, page)
    return {
      counts: page.map((row) => presentCount(row, beside)),
      next_cursor: next,
    }
  })

  bind.reader(componentLabels, async ({ tx, query }) => {
    const { id } = await getComponent(tx, query.barcode)
    const rows = await listLabelPrints(tx, { ...query, componentId: id })
    const { page, next } = pageOf(rows, query.limit, 'id')
    return {
      labels: page.map(({ printed_at: at, ...row }) => ({ ...row, timestamp: at.toISOString() })),
      next_cursor: next,
    }
  })

  bind.reader(componentLedger, async ({ tx, query }) => {
    const { id } = await getComponent(tx, query.barcode)
    const steps = await listLedgerSteps(tx, id)
    return { steps: steps.map(({ at, ...step }) => ({ ...step, timestamp: at.toISOString() })) }
  })

  bind.member(describeComponent, async ({ tx, actor, body }) => {
    await describe(tx, actor, body)
    return { success: true, description: body.description }
  })
}
