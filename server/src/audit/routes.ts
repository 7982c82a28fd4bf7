import {
  listAuditTrail,
  verifyAuditTrail,
  type AuditEntry,
} from '@inventory-manager/contract/audit/endpoints'
import { logAudit, reportsPerMinute } from '@inventory-manager/contract/audit/report-endpoints'
import {
  auditKinds,
  kindOfPrefix,
  kindsMatching,
  skuReports,
  type AuditKind,
} from '@inventory-manager/contract/audit/rules'
import type { EndpointInput } from '@inventory-manager/contract/endpoint'
import type { Database, Tx } from '../platform/db/database.ts'
import { readObject } from '../platform/db/json-object.ts'
import { AppError } from '../platform/http/app-error.ts'
import { millisecondOf } from '../platform/db/time-ids.ts'
import { onlyCheck } from '../platform/http/entrance.ts'
import type { Binder } from '../platform/http/binder-types.ts'
import type { Actor } from '../platform/http/identity.ts'
import { pageOf } from '../platform/http/page.ts'
import { verifyTrail, type KnownPlace, type Verification } from './chain.ts'
import { recordConfigurationChange } from './configuration.ts'
import { countReports, isSku, listTrail, recordAudit } from './queries.ts'
import { seenEvent, seenFacts, seesAccounts, sightOf, unseenEvents, type Sight } from './sight.ts'

type Row = Awaited<ReturnType<typeof listTrail>>['rows'][number]

function presentEntry(row: Row, sight: Sight): AuditEntry {
  const facts = readObject(row.metadata)
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
    user_id: row.user_id,
    user_account: seesAccounts(sight) ? row.user_account : null,
    origin: row.origin,
    metadata: { ...seenFacts({ event: row.event, facts }, sight), event_type: seenEvent(row.event, sight) },
  }
}

const eventName = /^[a-z][a-z0-9_]{0,99}$/

type Report = EndpointInput<typeof logAudit>['body']

/** A real SKU may begin as a kind does: what is told of it stays an inventory scan. */
async function reportedKind(tx: Tx, { sku, metadata }: Report): Promise<AuditKind> {
  const kind = kindOfPrefix(sku)
  if (kind === 'inventory_scan' || skuReports.some((event) => event === metadata?.['event_type'])) {
    return 'inventory_scan'
  }
  return (await isSku(tx, sku)) ? 'inventory_scan' : kind
}

/** What a device says has happened: behind the prefix of a kind, or beside a SKU. */
function reportedEvent(kind: AuditKind, { sku, metadata }: Report): string {
  if (kind !== 'inventory_scan') return sku.slice(auditKinds[kind].prefix.length).toLowerCase()
  const named = metadata?.['event_type']
  return typeof named === 'string' && eventName.test(named) ? named : 'reported'
}

/** Checks a company's trail, against a seal that was kept or none; whoever asks the same while a check runs gets its result. */
function createVerifier(database: Database) {
  const running = new Map<string, Promise<Verification>>()
  return (tenantId: string, known: KnownPlace | null): Promise<Verification> => {
    const key = known === null ? tenantId : `${tenantId}:${known.seq}:${known.hash}`
    const begun = running.get(key)
    if (begun !== undefined) return begun
    const check = verifyTrail(database, tenantId, known).finally(() => running.delete(key))
    running.set(key, check)
    return check
  }
}

function keptSeal(body: EndpointInput<typeof verifyAuditTrail>['body']): KnownPlace | null {
  const { seq, hash } = body ?? {}
  return seq === undefined || hash === undefined ? null : { seq, hash }
}

function verifyRoute(bind: Binder, database: Database): void {
  const verify = createVerifier(database)
  bind.ownTransaction(verifyAuditTrail, onlyCheck, async ({ actor, body, enter }) => {
    const known = keptSeal(body)
    const { checked, detached, head, fault } = await verify(actor.tenantId, known)
    await enter((tx, self) =>
      recordConfigurationChange(tx, self, {
        event: 'audit_trail_verified',
        source: 'audit',
        checked,
        ...(known === null ? {} : { compared_with_seal: known.seq }),
        ...(detached === 0 ? {} : { detached }),
        fault,
      }),
    )
    return { intact: fault === null, checked, detached, head, fault }
  })
}

type Asked = Omit<EndpointInput<typeof listAuditTrail>['query'], 'action'> & {
  kinds: AuditKind[] | undefined
}

/** What of the trail passes the filters, as somebody sees it. */
async function look(
  { tx, asking }: { tx: Tx; asking: Promise<Actor> },
  { limit, cursor, user, ...narrowed }: Asked,
) {
  const list = (sight: Sight) => {
    const by = user === undefined ? undefined : { part: user, ofAccount: seesAccounts(sight) }
    const filter = { ...narrowed, user: by, unseen: unseenEvents(sight) }
    return listTrail(tx, filter, { limit, cursor })
  }
  // Nearly everybody sees every event: their page is asked for before it is known who asks, unless that says what is looked through.
  const [actor, whole] = await Promise.all([asking, user === undefined ? list('all') : null])
  const sight = sightOf(actor)
  const isWhole = whole !== null && unseenEvents(sight).length === 0
  return { sight, found: isWhole ? whole : await list(sight) }
}

export function auditRoutes(bind: Binder, database: Database): void {
  verifyRoute(bind, database)

  bind.member(logAudit, async ({ tx, actor, body }) => {
    if ((await countReports(tx, actor, reportsPerMinute)) === reportsPerMinute) {
      throw new AppError('too_many_requests', { retryAfterSeconds: 60 })
    }
    const kind = await reportedKind(tx, body)
    const { id } = await recordAudit(tx, actor, {
      kind,
      event: reportedEvent(kind, body),
      sku: body.sku,
      quantity: body.quantity ?? null,
      location: body.location ?? null,
      source: body.source ?? 'screen',
      origin: 'client',
      metadata: body.metadata ?? {},
    })
    return { success: true, id }
  })

  bind.reader(listAuditTrail, async ({ tx, asking, query }) => {
    const { action, ...asked } = query
    const kinds = action === undefined ? undefined : kindsMatching(action)
    if (kinds?.length === 0) return { entries: [], total: 0, next_cursor: null, looked_back_to: null }
    const { sight, found } = await look({ tx, asking }, { ...asked, kinds })
    const { rows, total, lookedDownTo = null } = found
    const { page, next } = pageOf(rows, query.limit, 'id')
    return {
      entries: page.map((row) => presentEntry(row, sight)),
      total,
      next_cursor: next ?? lookedDownTo,
      looked_back_to: lookedDownTo && new Date(millisecondOf(lookedDownTo)).toISOString(),
    }
  })
}
