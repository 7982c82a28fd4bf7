import {
  decideDiscrepancies,
  listDiscrepancies as listEndpoint,
  reopenDiscrepancy,
} from '@inventory-manager/contract/discrepancies/endpoints'
import { listRecounts as listRecountsEndpoint } from '@inventory-manager/contract/discrepancies/recount-endpoints'
import { recountForOthersMinutes } from '@inventory-manager/contract/discrepancies/rules'
import type { Binder } from '../platform/http/binder-types.ts'
import { requireLocation } from '../platform/http/identity.ts'
import { pageOf } from '../platform/http/page.ts'
import { mapNotesOfAttempts } from '../stock/count-notes.ts'
import { getCosting } from '../stock/difference-costs.ts'
import { listCauses, mapPacks } from './cause-queries.ts'
import { presentDiscrepancy, presentRecount } from './presenter.ts'
import { cursorAfter } from './order.ts'
import { countDiscrepancies, listDiscrepancies, listRecounts } from './queries.ts'
import { reopen } from './reopen-service.ts'
import { decideAll } from './service.ts'

export function discrepancyRoutes(bind: Binder): void {
  bind.reader(listEndpoint, async ({ tx, query }) => {
    const { currency, hasCosts } = await getCosting(tx)
    // Where nothing costs anything, what differs by most pieces differs by most.
    const sort = query.sort === 'value' && !hasCosts ? 'largest' : query.sort
    const filter = { ...query, sort, hasCosts }
    const { page, next } = pageOf(await listDiscrepancies(tx, filter), query.limit, 'id')
    const last = next === null ? undefined : page.at(-1)
    const causes = await listCauses(
      tx,
      page.map(({ id }) => id),
    )
    const packs = await mapPacks(
      tx,
      page.map((row) => row.component_id),
    )
    const notes = await mapNotesOfAttempts(
      tx,
      page.flatMap(({ made }) => made),
    )
    return {
      discrepancies: page.map((row) => presentDiscrepancy(row, { causes, packs, notes })),
      next_cursor: last === undefined ? null : cursorAfter(last, sort),
      total: await countDiscrepancies(tx, filter),
      currency,
      has_costs: hasCosts,
    }
  })

  bind.member(decideDiscrepancies, async ({ tx, actor, body }) => ({
    success: true,
    decided: await decideAll(tx, actor, body),
  }))

  bind.member(reopenDiscrepancy, async ({ tx, actor, body }) => ({
    success: true,
    status: await reopen(tx, actor, body.id),
  }))

  bind.reader(listRecountsEndpoint, async ({ tx, asking, query }) => {
    const actor = await asking
    if (query.location !== undefined) requireLocation(actor, query.location)
    const rows = await listRecounts(tx, actor, {
      location: query.location,
      othersMinutes: recountForOthersMinutes,
    })
    return {
      recounts: rows.map(presentRecount),
      total: rows[0]?.total ?? 0,
    }
  })
}
