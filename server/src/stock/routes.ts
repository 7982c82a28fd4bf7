import {
  bulkHighVolume,
  configureHighVolume,
  findByBarcode,
  listComponents as listEndpoint,
  migrateHighVolume,
  updateQuantity,
} from '@inventory-manager/contract/stock/endpoints'
import { suggestHighVolume } from '@inventory-manager/contract/stock/suggestion-endpoints'
import { lookupCodes, weekDays } from '@inventory-manager/contract/stock/rules'
import type { Binder } from '../platform/http/binder-types.ts'
import { listText, replaceLines } from '../platform/http/list-text.ts'
import { adjustRoutes } from './adjust-routes.ts'
import { correct } from './adjust-service.ts'
import { aliasRoutes } from './alias-routes.ts'
import { componentRoutes } from './component-routes.ts'
import { movementRoutes } from './movement-routes.ts'
import { costRoutes } from './cost-routes.ts'
import { changeDay, configureDays, migrateOlderForms } from './high-volume-service.ts'
import { keptRoutes } from './kept-routes.ts'
import { placementRoutes } from './placement-routes.ts'
import { presentComponent } from './presenter.ts'
import { listComponentLines, listSomeComponentLines } from './list-queries.ts'
import type { Lookup } from './lookup.ts'
import { getCurrency } from './cost-queries.ts'
import { countComponents, getComponentWithStock } from './queries.ts'
import { retireRoutes } from './retire-routes.ts'
import { importEndpoint } from './import-rows.ts'
import { importComponents } from './service.ts'
import { listSuggestions } from './suggestion-queries.ts'
import { transferRoutes } from './transfer-routes.ts'

/** What is counted each week, and on which days. */
function highVolumeRoutes(bind: Binder): void {
  bind.member(configureHighVolume, async ({ tx, actor, body }) => {
    const assignments = weekDays.flatMap((day) =>
      (body.assignments[day] ?? []).map((location) => ({ day, location })),
    )
    const barcode = await configureDays(tx, actor, { code: body.barcode, assignments })
    return {
      success: true,
      component: presentComponent(await getComponentWithStock(tx, barcode), actor.weekday),
    }
  })

  bind.reader(suggestHighVolume, async ({ tx, query }) => {
    const [currency, suggestions] = await Promise.all([getCurrency(tx), listSuggestions(tx, query)])
    return { suggestions, currency }
  })

  bind.member(bulkHighVolume, async ({ tx, actor, body }) => {
    const { changed, notFound } = await changeDay(tx, actor, body)
    return { success: true, changed, not_found: notFound }
  })

  bind.member(migrateHighVolume, async ({ tx, actor }) => ({
    success: true,
    ...(await migrateOlderForms(tx, actor)),
  }))
}

export function stockRoutes(bind: Binder, lookUp: Lookup): void {
  bind.list(listEndpoint, async ({ tx, reader, kept, query }) => {
    const today = reader.weekday
    if (kept !== null) {
      const replaced = replaceLines(
        kept.list,
        await listSomeComponentLines(tx, { barcodes: kept.changed, today }),
      )
      if (replaced !== null) return replaced
    }
    const [{ lines, next }, total] = await Promise.all([
      listComponentLines(tx, { ...query, today }),
      countComponents(tx),
    ])
    return listText(lines, `"total":${total},"next_cursor":${JSON.stringify(next)}}`)
  })

  bind.member(importEndpoint, async ({ tx, actor, query, body }) => {
    const counts = await importComponents(tx, actor, { rows: body, keepExisting: query.existing === 'keep' })
    return { success: true, ...counts, total: body.length }
  })

  bind.oneStatement(findByBarcode, async ({ claims, body }) => {
    return `{"component":${await lookUp(claims, lookupCodes(body.barcode))}}`
  })

  bind.member(updateQuantity, async ({ tx, actor, body }) => ({
    success: true,
    component: presentComponent(await correct(tx, actor, body), actor.weekday),
  }))

  highVolumeRoutes(bind)
  componentRoutes(bind)
  movementRoutes(bind)
  costRoutes(bind)
  adjustRoutes(bind)
  retireRoutes(bind)
  aliasRoutes(bind)
  placementRoutes(bind)
  keptRoutes(bind)
  transferRoutes(bind)
}
