import { lookupCodes } from '@inventory-manager/contract/stock/rules'
import { recordAudit } from '../audit/queries.ts'
import type { Database } from '../platform/db/database.ts'
import type { Claims, Identity } from '../platform/http/identity.ts'
import { findComponent } from '../stock/component-queries.ts'
import type { CountOutcome, CountRequest } from './queries.ts'

/** Scans that were judged and not taken; a code that nobody knows leaves a trace of its own. */
const refusals = ['too_old', 'too_early', 'not_in_list', 'already_counted'] as const

type Refusal = (typeof refusals)[number]

/** Why a scan was not taken; null where it was, or where nobody judged it. */
export function findRefusal({ outcome }: CountOutcome): Refusal | null {
  return refusals.find((refusal) => refusal === outcome) ?? null
}

type RefusedScan = Pick<CountRequest, 'quantity' | 'location' | 'source' | 'session' | 'at' | 'day'> & {
  barcode: string
  reason: Refusal
}

export type RecordRefused = (claims: Claims, scan: RefusedScan) => Promise<void>

/** Records scans that were not taken (specification 7, 'Failed scans are also logged'). */
export function createRefusedScans(database: Database, identity: Pick<Identity, 'actorOf'>): RecordRefused {
  return async (claims, { barcode, reason, quantity, location, source, session, at, day }) => {
    await database.inTenant(claims.tenantId, async (tx) => {
      const sku = (await findComponent(tx, lookupCodes(barcode)))?.barcode ?? barcode
      await recordAudit(tx, await identity.actorOf(tx, claims), {
        kind: 'inventory_scan',
        event: source === 'admin' ? 'admin_view_error' : `${source}_count_error`,
        sku,
        quantity,
        location,
        source,
        metadata: {
          session,
          counted_at: at,
          reason,
          ...(sku === barcode ? {} : { barcode }),
          ...(day === null ? {} : { day }),
        },
      })
    })
  }
}
