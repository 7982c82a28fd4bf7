import { Readable } from 'node:stream'
import type { Endpoint } from '@inventory-manager/contract/endpoint'
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
import type { Database } from '../platform/db/database.ts'
import { AppError } from '../platform/http/app-error.ts'
import { attachment } from '../platform/http/attachment.ts'
import type { Binder } from '../platform/http/binder.ts'
import type { Claims, Identity } from '../platform/http/identity.ts'
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

type Parts = { database: Database; identity: Identity }

type Call = {
  claims: Claims
  reply: FastifyReply
  query: { format: ExportFormat }
}

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

/** Checks who asks, records it, and streams the list as a file; a client that goes away stops it. */
async function send({ database, identity }: Parts, { access }: Endpoint, call: Call & { list: List }) {
  const { claims, reply, list, query } = call
  const { format, ...filter } = query
  const today = await database.inTenant(claims.tenantId, async (tx) => {
    const actor = await identity.actorOf(tx, claims)
    if (access === 'admin' && actor.role !== 'admin') throw new AppError('forbidden')
    await recordAudit(tx, actor, {
      kind: 'configuration',
      event: 'list_exported',
      source: 'export',
      metadata: { type: 'export', list: list.name, format, filter },
    })
    return actor.today
  })
  const stopped = new AbortController()
  reply.raw.on('close', () => stopped.abort())
  const pieces = pagesOf({ database, tenantId: claims.tenantId, signal: stopped.signal }, list)
  const table = { name: list.name, heads: list.heads, pieces }
  return await reply
    .type(mediaTypes[format])
    .header('content-disposition', attachment(`${list.name}_${today}.${format}`))
    .send(format === 'csv' ? Readable.from(writeCsv(table)) : writeXlsx(table))
}

export function exportRoutes(bind: Binder, parts: Parts): void {
  bind.ownTransaction(exportComponents, (call) =>
    send(parts, exportComponents, { ...call, list: componentList(call.query) }),
  )
  bind.ownTransaction(exportCounts, (call) =>
    send(parts, exportCounts, { ...call, list: countList(call.query) }),
  )
  bind.ownTransaction(exportMovements, (call) =>
    send(parts, exportMovements, { ...call, list: movementList(call.query) }),
  )
  bind.ownTransaction(exportDiscrepancies, (call) =>
    send(parts, exportDiscrepancies, { ...call, list: discrepancyList(call.query) }),
  )
  bind.ownTransaction(exportAudit, (call) =>
    send(parts, exportAudit, { ...call, list: auditList(call.query) }),
  )
}
