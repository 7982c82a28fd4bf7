import type { addHistory } from '@inventory-manager/contract/counting/history-endpoints'
import type { EndpointInput } from '@inventory-manager/contract/endpoint'
import { recordAudit } from '../audit/queries.ts'
import { lockTimeZone } from '../platform/db/calendar.ts'
import type { Tx } from '../platform/db/database.ts'
import { AppError } from '../platform/http/app-error.ts'
import { requireLocation, type Actor } from '../platform/http/identity.ts'
import { getActiveComponent } from '../stock/component-queries.ts'
import { recordReport } from './queries.ts'

type Body = EndpointInput<typeof addHistory>['body']

/** Records a count that was made elsewhere and returns its entry's id. Marks and stock stay as they are. */
export async function recordReportedCount(tx: Tx, actor: Actor, body: Body): Promise<string> {
  // As a count is recorded: an administrator's own is no program's.
  if (body.count_type === 'admin' && actor.userType !== 'admin') throw new AppError('forbidden')
  requireLocation(actor, body.location)
  const component = await getActiveComponent(tx, body.sku)
  // A day is one of the zone as it is now, which the one in `actor` may be older than.
  const reporter = { ...actor, timeZone: await lockTimeZone(tx) }
  const { id } = await recordReport(tx, reporter, {
    componentId: component.id,
    sku: component.barcode,
    location: body.location,
    quantity: body.quantity,
    countType: body.count_type,
    session: body.count_session,
    source: body.source ?? body.count_type,
  })
  await recordAudit(tx, actor, {
    kind: 'inventory_scan',
    event: 'count_history_added',
    sku: component.barcode,
    quantity: body.quantity,
    location: body.location,
    source: body.count_type,
  })
  return id
}
