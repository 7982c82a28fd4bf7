import type { EndpointInput } from '@inventory-manager/contract/endpoint'
import { getLocation, type QuantityField } from '@inventory-manager/contract/locations'
import { lookupCodes } from '@inventory-manager/contract/stock/rules'
import type {
  createFromUnknownCode,
  decideUnknownCodes,
  UnknownCodeStatus,
} from '@inventory-manager/contract/unknown-codes/endpoints'
import type { AuditEvent } from '../audit/events.ts'
import { recordAudit, recordAudits, type NewAuditEntry } from '../audit/queries.ts'
import type { Tx } from '../platform/db/database.ts'
import { AppError } from '../platform/http/app-error.ts'
import { requireLocation, type Actor } from '../platform/http/identity.ts'
import { findComponent } from '../stock/component-queries.ts'
import { settleKnownCodes } from '../stock/known-codes.ts'
import { bringBack } from '../stock/retire-service.ts'
import { importComponents } from '../stock/service.ts'
import { lockUnknownCodes, setStatus } from './queries.ts'

type Decision = EndpointInput<typeof decideUnknownCodes>['body']
type NewComponent = EndpointInput<typeof createFromUnknownCode>['body']

type Outcome = { from: UnknownCodeStatus; to: UnknownCodeStatus; tooLate: string }

const outcomes = {
  ignore: { from: 'open', to: 'ignored', tooLate: 'already decided' },
  reopen: { from: 'ignored', to: 'open', tooLate: 'no longer ignored' },
} as const satisfies Record<Decision['decision'], Outcome>

type Decided = { code: string; location: string }

const entryOf = ({ code, location }: Decided, event: AuditEvent): NewAuditEntry => ({
  kind: 'configuration',
  event,
  sku: code,
  location,
  source: 'unknown_codes',
})

/** Says of how many codes that were named it is too late, since somebody was faster. */
function decidedMeanwhile({
  late,
  named,
  tooLate,
}: {
  late: number
  named: number
  tooLate: string
}): AppError {
  const which = named === 1 ? 'This code is' : `Of these codes, ${late} ${late === 1 ? 'is' : 'are'}`
  return new AppError('not_found', { sentence: `${which} ${tooLate}. The list shows how it is.` })
}

/** Ignores codes or puts them back: all that are named, or none. */
export async function decideCodes(tx: Tx, actor: Actor, { ids, decision }: Decision): Promise<number> {
  const { from, to, tooLate } = outcomes[decision]
  const named = [...new Set(ids)]
  const codes = await lockUnknownCodes(tx, named)
  if (codes.length < named.length) throw new AppError('not_found')
  const late = codes.filter(({ status }) => status !== from).length
  if (late > 0) throw decidedMeanwhile({ late, named: named.length, tooLate })
  await setStatus(tx, actor, { ids: named, status: to })
  const event = to === 'ignored' ? 'unknown_code_ignored' : 'unknown_code_reopened'
  const entries = codes.map((code) => entryOf(code, event))
  await recordAudits(tx, actor, entries)
  return codes.length
}

type FirstStock = NewComponent['stock']

function quantitiesOf(stock: FirstStock): Partial<Record<QuantityField, number>> {
  return Object.fromEntries(
    stock.map(({ location, quantity }) => [getLocation(location).quantityField, quantity]),
  )
}

const isAny = (stock: FirstStock) => stock.some(({ quantity }) => quantity > 0)

/**
 * Makes a code a component, with the stock that is given. One that finds a component meanwhile, by any barcode of it and in either
 * writing of a UPC, makes none; where that is retired, it comes back as it was.
 */
export async function createComponent(
  tx: Tx,
  actor: Actor,
  { id, description, stock }: NewComponent,
): Promise<{ barcode: string; created: boolean; reinstated: boolean; stocked: boolean }> {
  for (const { location } of stock) requireLocation(actor, location)
  const [found] = await lockUnknownCodes(tx, [id])
  if (found === undefined) throw new AppError('not_found')
  if (found.status === 'component') {
    throw decidedMeanwhile({ late: 1, named: 1, tooLate: outcomes.ignore.tooLate })
  }
  await setStatus(tx, actor, { ids: [id], status: 'component' })
  const known = await findComponent(tx, lookupCodes(found.code))
  const barcode = known?.barcode ?? found.code
  const isRetired = known !== null && known.retired_at !== null
  if (isRetired) await bringBack(tx, actor, barcode)
  if (known === null) {
    const row = { barcode, description, ...quantitiesOf(stock) }
    await importComponents(tx, actor, { rows: [row], keepExisting: true })
  } else await settleKnownCodes(tx, actor)
  await recordAudit(tx, actor, entryOf(found, 'unknown_code_resolved'))
  const created = known === null
  return { barcode, created, reinstated: isRetired, stocked: created && isAny(stock) }
}
