import {
  addHistory,
  componentHistory,
  listHistory as listHistoryEndpoint,
  listToCount,
  listWithCountStatus,
  recordCount,
  resetCounts,
  type HistoryEntry,
} from '@inventory-manager/contract/counting/endpoints'
import { lookupCodes } from '@inventory-manager/contract/stock/rules'
import type { Binder } from '../platform/http/binder.ts'
import { betweenLines, listText } from '../platform/http/list-text.ts'
import { pageOf } from '../platform/http/page.ts'
import { findComponent, getScanned } from '../stock/component-queries.ts'
import { countEntryOf } from '../stock/count-entry.ts'
import { requireLocation } from '../stock/service.ts'
import { listToCountAsJson } from './list-query.ts'
import { listHistory } from './queries.ts'
import { recordRoutes } from './record-routes.ts'
import { reportCount } from './report-service.ts'
import { reset } from './reset-service.ts'
import { roomRoutes } from './room-routes.ts'
import { count, type CountParts } from './service.ts'
import { undoRoutes } from './undo-routes.ts'
import { listOfDay } from './weekly-list.ts'
import { weeklyRoutes } from './weekly-routes.ts'

type HistoryRow = Awaited<ReturnType<typeof listHistory>>[number]

function presentHistory(row: HistoryRow): HistoryEntry {
  const countedAt = row.counted_at.toISOString()
  return {
    id: row.id,
    timestamp: countedAt,
    sku: row.sku,
    location: row.location,
    quantity: row.quantity,
    count_type: row.count_type,
    count_session: row.count_session,
    entry: countEntryOf(row),
    source: row.source,
    user_type: row.user_type,
    user_name: row.user_name,
    last_counted_date: countedAt,
    last_counted_location: row.location,
    last_counted_source: row.source,
  }
}

function presentHistoryPage(rows: HistoryRow[], limit: number) {
  const { page, next } = pageOf(rows, limit, 'id')
  return { history: page.map(presentHistory), next_cursor: next }
}

const modalLimit = 100

export function countingRoutes(bind: Binder, parts: CountParts): void {
  bind.oneWritingStatement(recordCount, ({ claims, body, key, sentAt }) =>
    count(parts, claims, { body, key, sentAt }),
  )

  undoRoutes(bind)
  weeklyRoutes(bind)
  recordRoutes(bind)
  roomRoutes(bind)

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
    reset: await reset(tx, actor, { location, type }),
  }))

  bind.member(addHistory, async ({ tx, actor, body }) => ({
    success: true,
    id: await reportCount(tx, actor, body),
  }))

  bind.reader(componentHistory, async ({ tx, asking, body }) => {
    requireLocation(await asking, body.location)
    const component = await getScanned(tx, body.barcode)
    const { location, cursor } = body
    const filter = { sku: component.barcode, location, cursor, limit: modalLimit }
    return presentHistoryPage(await listHistory(tx, filter), modalLimit)
  })

  bind.reader(listHistoryEndpoint, async ({ tx, query }) => {
    const component = query.sku === undefined ? null : await findComponent(tx, lookupCodes(query.sku))
    const sku = component?.barcode ?? query.sku
    return presentHistoryPage(await listHistory(tx, { ...query, sku }), query.limit)
  })
}
