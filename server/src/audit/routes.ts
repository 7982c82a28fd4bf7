import { listAuditTrail, logAudit, type AuditEntry } from '@inventory-manager/contract/audit/endpoints'
import {
  auditKindNames,
  auditKinds,
  kindOfPrefix,
  type AuditKind,
} from '@inventory-manager/contract/audit/rules'
import type { Binder } from '../platform/http/binder.ts'
import { countTrail, listTrail, recordAudit } from './queries.ts'

/** The kinds whose label holds the action filter's text, as on the screen (specification 5). */
function kindsMatching(action: string): AuditKind[] {
  return auditKindNames.filter((kind) => auditKinds[kind].label.toLowerCase().includes(action.toLowerCase()))
}

function presentMetadata(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}

type Row = Awaited<ReturnType<typeof listTrail>>[number]

function presentEntry(row: Row): AuditEntry {
  return {
    id: row.id,
    kind: row.kind,
    sku: row.sku,
    quantity: row.quantity,
    location: row.location,
    source: row.source,
    timestamp: row.created_at.toISOString(),
    user_type: row.user_type,
    user_name: row.user_name,
    origin: row.origin,
    metadata: { ...presentMetadata(row.metadata), event_type: row.event },
  }
}

export function auditRoutes(bind: Binder): void {
  bind.member(logAudit, async ({ tx, actor, body }) => {
    const kind = kindOfPrefix(body.sku)
    const { id } = await recordAudit(tx, actor, {
      kind,
      event: body.sku.slice(auditKinds[kind].prefix.length).toLowerCase(),
      sku: body.sku,
      quantity: body.quantity ?? null,
      location: body.location ?? null,
      source: body.source ?? 'screen',
      origin: 'client',
      metadata: body.metadata ?? {},
    })
    return { success: true, id }
  })

  bind.member(listAuditTrail, async ({ tx, query }) => {
    const kinds = query.action === undefined ? undefined : kindsMatching(query.action)
    if (kinds?.length === 0) return { entries: [], total: 0, next_cursor: null }
    const filter = { ...query, kinds }
    const rows = await listTrail(tx, filter)
    const page = rows.slice(0, query.limit)
    return {
      entries: page.map(presentEntry),
      total: await countTrail(tx, filter),
      next_cursor: rows.length > query.limit ? (page.at(-1)?.id ?? null) : null,
    }
  })
}
