import { lookupCodes } from '@inventory-manager/contract/stock/rules'
import { recordAudit } from '../audit/queries.ts'
import type { Database, Tx } from '../platform/db/database.ts'
import { once } from '../platform/http/idempotency.ts'
import type { Actor, Claims, Identity } from '../platform/http/identity.ts'
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

/** Records a scan under the key it was sent with. */
export type RecordRefused = (claims: Claims, key: string, scan: RefusedScan) => Promise<void>

async function record(tx: Tx, actor: Actor, scan: RefusedScan): Promise<null> {
  const { barcode, reason, quantity, location, source, session, at, day } = scan
  const sku = (await findComponent(tx, lookupCodes(barcode)))?.barcode ?? barcode
  await recordAudit(tx, actor, {
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
  return null
}

/** Records scans that were not taken, each once however often it is sent again. */
export function createRefusedScans(database: Database, identity: Pick<Identity, 'actorOf'>): RecordRefused {
  return async (claims, key, scan) => {
    await database.inTenant(claims.tenantId, async (tx) => {
      const actor = await identity.actorOf(tx, claims)
      // A space keeps it apart from the keys that clients give: the same scan may be taken when it comes again.
      const operation = { key: `refused ${scan.reason} ${key}`, hash: scan.reason }
      await once({ tx, actor }, operation, () => record(tx, actor, scan))
    })
  }
}
