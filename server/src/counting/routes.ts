import {
  listToCount,
  listWithCountStatus,
  recordCount,
  resetCounts,
} from '@inventory-manager/contract/counting/endpoints'
import {
  addHistory,
  componentHistory,
  listHistory as listHistoryEndpoint,
} from '@inventory-manager/contract/counting/history-endpoints'
import { lookupCodes } from '@inventory-manager/contract/stock/rules'
import type { Binder } from '../platform/http/binder-types.ts'
import { requireLocation } from '../platform/http/identity.ts'
import { betweenLines, listText } from '../platform/http/list-text.ts'
import { pageOf } from '../platform/http/page.ts'
import { besideCounts } from '../stock/beside-counts.ts'
import { findComponent, getScanned } from '../stock/component-queries.ts'
import { listHistory } from '../stock/newest-counts.ts'
import { assignmentRoutes } from './assignments/assignment-routes.ts'
import { listToCountAsJson } from './list-queries.ts'
import { presentHistoryPage } from './presenter.ts'
import { noteRoutes } from './note-routes.ts'
import { recordRoutes } from './record-routes.ts'
import { recordReportedCount } from './report-service.ts'
import { resetMarks } from './reset-service.ts'
import { roomRoutes } from './room-routes.ts'
import { count, type CountParts } from './service.ts'
import { spotCountRoutes } from './spot/spot-count-routes.ts'
import { spotScheduleRoutes } from './spot/spot-schedule-routes.ts'
import { undoRoutes } from './undo-routes.ts'
import { listOfDay } from './weekly-list.ts'
import { weeklyRoutes } from './weekly-routes.ts'

const componentHistoryLimit = 100

export function countingRoutes(bind: Binder, parts: CountParts): void {
  bind.oneWritingStatement(recordCount, ({ claims, body, key, sentAt }) =>
    count(parts, claims, { body, key, sentAt }),
  )

  undoRoutes(bind)
  noteRoutes(bind)
  weeklyRoutes(bind)
  recordRoutes(bind)
  roomRoutes(bind)
  assignmentRoutes(bind)
  spotCountRoutes(bind)
  spotScheduleRoutes(bind)

  bind.list(listToCount, async ({ tx, reader, kept, query: { location } }) => {
    requireLocation(reader, location)
    return await listToCountAsJson(tx, reader, { location, text: 'short', kept })
  })

  bind.list(listWithCountStatus, async ({ tx, reader, kept, body: { location, count_type: type, day } }) => {
    requireLocation(reader, location)
    if (type === 'monthly') return await listToCountAsJson(tx, reader, { location, text: 'whole', kept })
    const listed = await listOfDay(tx, reader, { location, day: day ?? reader.weekday })
    const components = listed.map(({ countable }) => countable)
    const counted = components.filter((component) => component.counted).length
    const lines = components.map((component) => JSON.stringify(component)).join(betweenLines)
    return listText(lines, `"counted":${counted},"total":${components.length}}`)
  })

  bind.member(resetCounts, async ({ tx, actor, body: { location, count_type: type } }) => ({
    success: true,
    reset: await resetMarks(tx, actor, { location, type }),
  }))

  bind.member(addHistory, async ({ tx, actor, body }) => ({
    success: true,
    id: await recordReportedCount(tx, actor, body),
  }))

  bind.reader(componentHistory, async ({ tx, asking, body }) => {
    const actor = await asking
    requireLocation(actor, body.location)
    const component = await getScanned(tx, body.barcode)
    const { location, cursor } = body
    const filter = { sku: component.barcode, location, cursor, limit: componentHistoryLimit }
    const found = pageOf(await listHistory(tx, filter), componentHistoryLimit, 'id')
    return presentHistoryPage(found, await besideCounts(tx, actor, found.page))
  })

  bind.reader(listHistoryEndpoint, async ({ tx, asking, query }) => {
    const component = query.sku === undefined ? null : await findComponent(tx, lookupCodes(query.sku))
    const sku = component?.barcode ?? query.sku
    const found = pageOf(await listHistory(tx, { ...query, sku }), query.limit, 'id')
    return presentHistoryPage(found, await besideCounts(tx, await asking, found.page))
  })
}
