import {
  fewestMeasured,
  isDueSoon,
  mostSpotCounts,
  notDueSoon,
  skusIn,
  usualSecondsPerSku,
} from '@inventory-manager/contract/counting/spot/spot-count-rules'
import type { LocationCode } from '@inventory-manager/contract/locations'
import { planLocationCodes } from '@inventory-manager/contract/plans'
import { getActiveUser, getUser } from '../../accounts/team-queries.ts'
import type { AuditActor } from '../../audit/queries.ts'
import { readAsUsual, type Tx } from '../../platform/db/database.ts'
import { AppError } from '../../platform/http/app-error.ts'
import { requireLocation, type Actor } from '../../platform/http/identity.ts'
import { findComponentIds } from '../../stock/component-queries.ts'
import { recordAsking } from '../asking-record.ts'
import {
  createSpotCount,
  findKept,
  listSpotCounts,
  listSpotSkus,
  removeSpotCount,
} from './spot-count-queries.ts'
import { listRisks, measurePace } from './spot-plan-queries.ts'

type Asking = {
  location: LocationCode
  barcodes: readonly string[]
  /** Null for whoever counts there. */
  userId: string | null
  dueOn: string
}

/** Which of some codes mean what a location keeps, and which do not; throws 'not_found' where none does. */
async function findAsked(tx: Tx, { location, barcodes }: Pick<Asking, 'location' | 'barcodes'>) {
  const named = await findComponentIds(tx, barcodes)
  const kept = await findKept(tx, { location, ids: [...new Set(named.values())] })
  if (kept.length === 0) {
    throw new AppError('not_found', { sentence: 'None of these is a component that the location counts.' })
  }
  const ids = new Set(kept.map(({ id }) => id))
  return { kept, notFound: [...new Set(barcodes)].filter((code) => !ids.has(named.get(code) ?? '')) }
}

/** Throws 'invalid_request' where as many spot counts as there may be are not done yet. */
async function requireRoom(tx: Tx, { today, plan }: Actor): Promise<void> {
  const locations = planLocationCodes(plan)
  const listed = await listSpotCounts(tx, { today, locations, userId: null })
  // Of those that recur each has one at the most.
  const undone = listed.filter((spot) => spot.counted < spot.total && spot.schedule_id === null)
  if (undone.length < mostSpotCounts) return
  const sentence = `There are ${mostSpotCounts} spot counts that are not done yet. Take one back first.`
  throw new AppError('invalid_request', { sentence })
}

type Order = Pick<Asking, 'location' | 'barcodes' | 'dueOn'> & {
  /** Null for whoever counts there. */
  user: { id: string; name: string } | null
  createdBy: string
  scheduleId: string | null
}

/** Asks for what of some codes a location keeps, and says which mean nothing of it; throws 'not_found' where none does. */
export async function askFor(
  tx: Tx,
  actor: AuditActor,
  { location, barcodes: named, user, dueOn, ...origin }: Order,
) {
  const { kept, notFound } = await findAsked(tx, { location, barcodes: named })
  const ids = kept.map(({ id }) => id)
  const id = await createSpotCount(tx, { location, ids, userId: user?.id ?? null, dueOn, ...origin })
  const barcodes = kept.map(({ barcode }) => barcode)
  const facts = { due_on: dueOn, barcodes }
  await recordAsking(tx, actor, { event: 'spot_count_asked', location, user, facts })
  return { id, asked: kept.length, notFound }
}

/**
 * Asks for SKUs of a location to be counted by a day, by an active user or by whoever counts there. Says which codes are of no component
 * in use that the location keeps. Throws 'not_found', 'location_not_in_plan' and 'invalid_request'.
 */
export async function askSpotCount(tx: Tx, actor: Actor, { userId, ...asking }: Asking) {
  requireLocation(actor, asking.location)
  if (!isDueSoon(asking.dueOn, actor.today)) throw new AppError('invalid_request', { sentence: notDueSoon })
  const user = userId === null ? null : await getActiveUser(tx, userId)
  await requireRoom(tx, actor)
  return await askFor(tx, actor, { ...asking, user, createdBy: actor.userName, scheduleId: null })
}

/** Takes back that SKUs are to be counted, of which so many were; whether it was asked for. */
export async function withdrawSpotCount(
  tx: Tx,
  actor: AuditActor,
  { id, counted }: { id: string; counted?: number },
): Promise<boolean> {
  const removed = await removeSpotCount(tx, id)
  if (removed === null) return false
  const { location, user_id: userId, ...facts } = removed
  const user = userId === null ? null : await getUser(tx, userId)
  const told = counted === undefined ? facts : { ...facts, skus_counted: counted }
  await recordAsking(tx, actor, { event: 'spot_count_taken_back', location, user, facts: told })
  return true
}

/** Takes back that SKUs are to be counted; throws 'not_found'. */
export async function takeBackSpotCount(tx: Tx, actor: Actor, id: string): Promise<void> {
  if (!(await withdrawSpotCount(tx, actor, { id }))) throw new AppError('not_found')
}

type Time = { location: LocationCode; minutes: number; people: number }

/** What to count at a location in the time that there is, and how long a SKU takes there; throws 'location_not_in_plan'. */
export async function planSpotCount(
  tx: Tx,
  { plan, today, timeZone }: Pick<Actor, 'plan' | 'today' | 'timeZone'>,
  { location, ...time }: Time,
) {
  requireLocation({ plan }, location)
  const { counts, seconds } = await measurePace(tx, location)
  const isMeasured = counts >= fewestMeasured && seconds !== null
  const secondsPerSku = isMeasured ? Math.max(1, Math.round(seconds)) : usualSecondsPerSku
  const left = await listSpotSkus(tx, { location, today, userId: null })
  await readAsUsual(tx)
  const asked = left.map(({ barcode }) => barcode)
  const limit = skusIn({ ...time, secondsPerSku })
  return { secondsPerSku, isMeasured, risks: await listRisks(tx, { location, timeZone, asked, limit }) }
}
