import { Readable } from 'node:stream'
import {
  exportAudit,
  exportComponents,
  exportCounts,
  exportDiscrepancies,
  exportMovements,
  exportStockAt,
  type ExportFormat,
} from '@inventory-manager/contract/exports/endpoints'
import type { EndpointInput } from '@inventory-manager/contract/endpoint'
import { planLocationCodes } from '@inventory-manager/contract/plans'
import type { FastifyReply } from 'fastify'
import { dayIn } from '../accounts/time-zones.ts'
import { recordAudit } from '../audit/queries.ts'
import type { Tx } from '../platform/db/database.ts'
import { AppError } from '../platform/http/app-error.ts'
import { attachment } from '../platform/http/attachment.ts'
import { onlyCheck } from '../platform/http/entrance.ts'
import type { Binder, ReadOn } from '../platform/http/binder-types.ts'
import { cutWhenUntaken } from '../platform/http/cut-when-untaken.ts'
import { createFileTurns, type FileTurns } from '../platform/http/file-turns.ts'
import { requireAdmin, type Actor } from '../platform/http/identity.ts'
import { closeSignalOf, whenClosed } from '../platform/http/when-closed.ts'
import { getCurrency } from '../stock/cost-queries.ts'
import { componentList } from './component-list.ts'
import { writeCsv } from './csv.ts'
import { auditList, countList, discrepancyList, movementList, type List, type Page } from './lists.ts'
import { placeNameOf } from './place-name.ts'
import type { Cursor } from './queries.ts'
import { stockAtList } from './stock-at-list.ts'
import type { Cell } from './table.ts'
import { writeXlsx } from './xlsx.ts'

type Query = { format: ExportFormat; names?: 'codes' | undefined }

type Call = {
  actor: Actor
  enter: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
  readOn: ReadOn
  query: Query
  reply: FastifyReply
}

/** Reads a list page by page until it ends, nobody wants it any more, or who asked may not have it any more. */
async function* pagesOf(
  list: List,
  { actor, readOn, signal }: Pick<Call, 'actor' | 'readOn'> & { signal: AbortSignal },
): AsyncGenerator<Cell[][], void, undefined> {
  let cursor: Cursor | null = null
  do {
    signal.throwIfAborted()
    const from: Cursor | null = cursor
    const { rows, next }: Page = await readOn(async (tx, asking) => {
      const read = await list.read(tx, from)
      // What was begun for an administrator tells what others are not told.
      if (actor.role === 'admin') requireAdmin(await asking)
      return read
    })
    if (rows.length > 0) yield rows
    cursor = next
  } while (cursor !== null)
}

/** What a list is asked for, without how it is written. */
function filterOf<Q extends Query>(query: Q) {
  const { format: _, names: __, ...filter } = query
  return filter
}

const nameIn = ({ query, actor }: Pick<Call, 'query' | 'actor'>) =>
  placeNameOf(query.names, actor.locationNames)

const mediaTypes: Record<ExportFormat, string> = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}

/** Records that somebody takes a list, and streams it as a file; a client that goes away, or takes nothing, stops it. */
async function send(turns: FileTurns, { actor, enter, readOn, query, reply }: Call, list: List) {
  const { tenantId, today } = actor
  const { format, ...filter } = query
  const { name, day, heads } = list
  const place = turns.enter(tenantId)
  if (place === null) throw new AppError('too_many_exports')
  whenClosed(reply.raw, place.leave)
  const signal = closeSignalOf(reply.raw)
  await enter((tx) =>
    recordAudit(tx, actor, {
      kind: 'configuration',
      event: 'list_exported',
      source: 'export',
      // The list has one name in the trail, of whatever day it is.
      metadata: { type: 'export', list: name, ...(day === undefined ? {} : { day }), format, filter },
    }),
  )
  cutWhenUntaken(reply.raw)
  const pages = pagesOf(list, { actor, readOn, signal })
  const file = day === undefined ? name : `${name}-${day}`
  const table = { name: file, heads, pieces: place.inTurn(pages) }
  return await reply
    .type(mediaTypes[format])
    .header('content-disposition', attachment(`${file}_${today}.${format}`))
    .send(format === 'csv' ? Readable.from(writeCsv(table)) : writeXlsx(table))
}

const readCurrency = ({ tx }: { tx: Tx }) => getCurrency(tx)

type Begun = { tx: Tx; actor: Actor; query: EndpointInput<typeof exportComponents>['query'] }

/** The currency in which somebody is told what stock is worth; null for staff, who are not. Throws 'forbidden' where they ask for it. */
async function beginComponents({ tx, actor, query }: Begun): Promise<string | null> {
  if (query.state === 'uncosted') requireAdmin(actor)
  return actor.role === 'admin' ? await getCurrency(tx) : null
}

export function exportRoutes(bind: Binder): void {
  const turns = createFileTurns()

  bind.ownTransaction(exportComponents, beginComponents, (call) => {
    const { location, ...query } = call.query
    const nameOf = nameIn(call)
    const { plan } = call.actor
    const at = location === undefined ? planLocationCodes(plan) : [location]
    return send(turns, call, componentList({ ...query, at }, { currency: call.begun, nameOf }))
  })
  bind.ownTransaction(exportStockAt, readCurrency, (call) => {
    const { query, actor, begun: currency } = call
    const { timeZone } = actor
    const now = new Date()
    const { at = now } = query
    if (dayIn(timeZone, at).today > actor.today) {
      throw new AppError('invalid_request', { sentence: 'That day has not come yet.' })
    }
    // Of a day that is not over it is known how it stands, and not how it will end.
    const moment = { at: at > now ? now : at, timeZone }
    return send(turns, call, stockAtList({ ...moment, currency, nameOf: nameIn(call) }))
  })
  bind.ownTransaction(exportCounts, onlyCheck, (call) =>
    send(turns, call, countList(filterOf(call.query), nameIn(call))),
  )
  bind.ownTransaction(exportMovements, readCurrency, (call) => {
    const { query, begun: currency } = call
    return send(turns, call, movementList(filterOf(query), { currency, nameOf: nameIn(call) }))
  })
  bind.ownTransaction(exportDiscrepancies, readCurrency, (call) => {
    const { query, begun: currency } = call
    return send(turns, call, discrepancyList(filterOf(query), { currency, nameOf: nameIn(call) }))
  })
  bind.ownTransaction(exportAudit, onlyCheck, (call) =>
    send(turns, call, auditList(filterOf(call.query), nameIn(call))),
  )
}
