import { Readable } from 'node:stream'
import {
  exportAudit,
  exportComponents,
  exportCounts,
  exportDiscrepancies,
  exportMovements,
  type ExportFormat,
} from '@inventory-manager/contract/exports/endpoints'
import type { FastifyReply } from 'fastify'
import { recordAudit } from '../audit/queries.ts'
import type { Database, Tx } from '../platform/db/database.ts'
import { attachment } from '../platform/http/attachment.ts'
import type { Binder } from '../platform/http/binder.ts'
import type { Actor } from '../platform/http/identity.ts'
import { whenClosed } from '../platform/http/when-closed.ts'
import { writeCsv } from './csv.ts'
import {
  auditList,
  componentList,
  countList,
  discrepancyList,
  movementList,
  type List,
  type Page,
} from './lists.ts'
import { pageRows } from './queries.ts'
import type { Cell } from './table.ts'
import { writeXlsx } from './xlsx.ts'

type Query = { format: ExportFormat }
type Beginning = { tx: Tx; actor: Actor; query: Query }
type Finishing = { actor: Actor; begun: List; query: Query; reply: FastifyReply }

/** Who asks was looked up before the first page. */
const allowed = () => Promise.resolve(null)

/** Reads a list page by page until it ends or nobody wants it any more. */
async function* pagesOf(
  { database, tenantId, signal }: { database: Database; tenantId: string; signal: AbortSignal },
  list: List,
): AsyncGenerator<Cell[][], void, undefined> {
  let cursor: string | null = null
  for (;;) {
    signal.throwIfAborted()
    const from: string | null = cursor
    const { rows, last }: Page = await database.reading(tenantId, allowed, (tx) => list.read(tx, from))
    yield rows
    if (rows.length < pageRows) return
    cursor = last
  }
}

const mediaTypes: Record<ExportFormat, string> = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}

/** Records that somebody takes a list. */
async function begin({ tx, actor, query }: Beginning, list: List): Promise<List> {
  const { format, ...filter } = query
  await recordAudit(tx, actor, {
    kind: 'configuration',
    event: 'list_exported',
    source: 'export',
    metadata: { type: 'export', list: list.name, format, filter },
  })
  return list
}

/** Streams the list as a file; a client that goes away stops it. */
async function send(database: Database, { actor, begun: list, query: { format }, reply }: Finishing) {
  const stopped = new AbortController()
  whenClosed(reply.raw, () => stopped.abort())
  const pieces = pagesOf({ database, tenantId: actor.tenantId, signal: stopped.signal }, list)
  const table = { name: list.name, heads: list.heads, pieces }
  return await reply
    .type(mediaTypes[format])
    .header('content-disposition', attachment(`${list.name}_${actor.today}.${format}`))
    .send(format === 'csv' ? Readable.from(writeCsv(table)) : writeXlsx(table))
}

export function exportRoutes(bind: Binder, database: Database): void {
  bind.ownTransaction(
    exportComponents,
    (call) => begin(call, componentList(call.query)),
    (call) => send(database, call),
  )
  bind.ownTransaction(
    exportCounts,
    (call) => begin(call, countList(call.query)),
    (call) => send(database, call),
  )
  bind.ownTransaction(
    exportMovements,
    (call) => begin(call, movementList(call.query)),
    (call) => send(database, call),
  )
  bind.ownTransaction(
    exportDiscrepancies,
    (call) => begin(call, discrepancyList(call.query)),
    (call) => send(database, call),
  )
  bind.ownTransaction(
    exportAudit,
    (call) => begin(call, auditList(call.query)),
    (call) => send(database, call),
  )
}
