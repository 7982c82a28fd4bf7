import type { decideDiscrepancies } from '@inventory-manager/contract/discrepancies/endpoints'
import type { EndpointInput } from '@inventory-manager/contract/endpoint'
import type { LocationCode, LocationNames } from '@inventory-manager/contract/locations'
import { wholeNumber } from '@inventory-manager/contract/numbers'
import { placeName } from '@inventory-manager/contract/stock/places'
import { AppError, type ErrorDetail } from '../platform/http/app-error.ts'
import type { Actor } from '../platform/http/identity.ts'
import { aboveStockLimit } from '../stock/stock-limit.ts'

type Body = EndpointInput<typeof decideDiscrepancies>['body']
type Item = { id: string; sku: string; location: LocationCode }
type Once = Item & { status: string }
/** Whose names of locations people read. */
type Reader = Pick<Actor, 'locationNames'>

const placeOf = ({ location }: Item, own: LocationNames) => placeName(location, own)
const nameOf = (item: Item, own: LocationNames) => `${item.sku} at ${placeOf(item, own)}`

/** Why one of several differences cannot be accepted, or be counted again. */
export const refusals = {
  not_recorded: (item: Once, own: LocationNames) =>
    item.status === 'recount'
      ? `${nameOf(item, own)} is to be counted again, so its difference cannot be accepted. Dismiss it, or wait for the count.`
      : `Only a recorded difference can be accepted: ${nameOf(item, own)} still waits for its second count.`,
  location_not_in_plan: (item: Item, own: LocationNames) =>
    `Your plan does not include ${placeOf(item, own)}, where ${item.sku} was counted.`,
  below_zero: (item: Item, own: LocationNames) =>
    `Accepting ${nameOf(item, own)} would bring its stock below 0. Check what was moved since, or ask for a recount.`,
  stock_limit: (item: Item, own: LocationNames) =>
    `Accepting ${nameOf(item, own)} would bring its stock ${aboveStockLimit}.`,
} as const

export function refusal({ locationNames }: Reader, code: keyof typeof refusals, item: Once): AppError {
  return new AppError(code, { sentence: refusals[code](item, locationNames) })
}

/** Which of the ids that were sent a fault is about. */
const pathOf = (ids: string[], { id }: Item) => `ids.${ids.indexOf(id)}`

type Figures = { expected: number; counted: number }

function changeOf(item: Item & Figures, seen: Figures, own: LocationNames): string | null {
  if (item.counted !== seen.counted) {
    return `${nameOf(item, own)} was counted again since: ${wholeNumber(item.counted)} instead of ${wholeNumber(seen.counted)}.`
  }
  if (item.expected === seen.expected) return null
  return `What is expected of ${nameOf(item, own)} has changed since: ${wholeNumber(item.expected)} instead of ${wholeNumber(seen.expected)}.`
}

/** Throws 'changed_since' where a difference is no more what was seen of it. */
export function requireAsSeen(
  { locationNames: own }: Reader,
  items: (Item & Figures)[],
  { ids, seen = [] }: Body,
): void {
  const figures = new Map(seen.map((each) => [each.id, each]))
  const details = items.flatMap((item): ErrorDetail[] => {
    const message = changeOf(item, figures.get(item.id) ?? item, own)
    return message === null ? [] : [{ path: pathOf(ids, item), message }]
  })
  const [first] = details
  if (first === undefined) return
  throw new AppError('changed_since', { sentence: first.message, details })
}

type Ended = Item & { status: string; decided_by: string | null; reason: string | null }

function endOf({ status, decided_by: by, reason }: Ended): string {
  if (status === 'matched') return 'matched later'
  const who = by === null ? '' : ` by ${by}`
  const why = reason === null || reason === '' ? '' : ` (${reason})`
  return `${status}${who}${why}`
}

/** Why differences that are named do not wait for a decision: somebody has decided them, or counted again, or they never were. */
export function noLongerWaiting({ locationNames: own }: Reader, ids: string[], ended: Ended[]): AppError {
  const details = ended.map((item) => ({
    path: pathOf(ids, item),
    message: `${nameOf(item, own)}: ${endOf(item)}.`,
  }))
  const [first] = ended
  if (first === undefined) return new AppError('not_found')
  const asked = new Set(ids).size
  const that = `that of ${nameOf(first, own)}, ${endOf(first)}.`
  return new AppError('not_found', {
    sentence: `${endedOf(ended.length, asked)} decided meanwhile${ended.length === 1 ? ':' : ', among them'} ${that}`,
    details,
  })
}

function endedOf(ended: number, asked: number): string {
  if (asked === 1) return 'This difference was'
  return `${ended} of these ${asked} differences ${ended === 1 ? 'was' : 'were'}`
}

/** Why what was posted of an accepted difference cannot be moved back. */
export const reopenRefusals = {
  below_zero: (item: Item, own: LocationNames) =>
    `Reopening ${nameOf(item, own)} would bring its stock below 0: what was found then is no longer all there. Count it again.`,
  stock_limit: (item: Item, own: LocationNames) =>
    `Reopening ${nameOf(item, own)} would bring its stock ${aboveStockLimit}.`,
} as const

/** What has come about since a difference was decided that reopening it would double. */
const obstacles = {
  waits: (item: Once, own: LocationNames) =>
    `Another difference of ${nameOf(item, own)} waits already. Decide that one.`,
  counted: (item: Once, own: LocationNames) =>
    `${nameOf(item, own)} was counted again since this difference was ${item.status}: the newer count says what is there.`,
  corrected: (item: Once, own: LocationNames) =>
    `The stock of ${nameOf(item, own)} was corrected since this difference was ${item.status}, so it is not what it was. Count it again.`,
} as const

export function notReopened(
  { locationNames }: Reader,
  obstacle: keyof typeof obstacles,
  item: Once,
): AppError {
  return new AppError('cannot_reopen', { sentence: obstacles[obstacle](item, locationNames) })
}

function stateOf(item: Ended): string {
  if (item.status === 'accepted') {
    return `was ${endOf(item)}: by the company’s settings, not by a decision. Count it again or correct the stock instead.`
  }
  if (item.status === 'dismissed') return `was ${endOf(item)}: by what was counted, not by a decision.`
  return item.status === 'matched'
    ? 'has matched later: there is nothing to decide.'
    : 'is not decided: it waits already.'
}

/** Why a difference cannot be reopened that nobody decided, or that somebody has reopened. */
export function notDecided({ locationNames: own }: Reader, item: Ended): AppError {
  return new AppError('cannot_reopen', {
    sentence: `The difference of ${nameOf(item, own)} ${stateOf(item)}`,
  })
}
