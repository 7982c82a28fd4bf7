import type { LocationCode } from '@inventory-manager/contract/locations'
import { planOffers } from '@inventory-manager/contract/plans'
import { readHighVolume, type Assignment } from '@inventory-manager/contract/stock/high-volume'
import { recordConfigurationChange } from '../audit/configuration.ts'
import type { AuditEvent } from '../audit/events.ts'
import type { Tx } from '../platform/db/database.ts'
import { AppError } from '../platform/http/app-error.ts'
import { requireLocation, type Actor } from '../platform/http/identity.ts'
import { findComponentIds, getComponent } from './component-queries.ts'
import {
  addAssignments,
  addToDay,
  listBarcodes,
  lockOlderConfigurations,
  removeFromDay,
  replaceAssignments,
  setOlderConfiguration,
} from './high-volume-queries.ts'
import { keepAt } from './kept-queries.ts'
import { lockComponents } from './lock-components.ts'
import { getComponentWithStock, type AssignmentRow } from './queries.ts'

type Change = { event: AuditEvent; old: unknown; new: unknown; sku?: string; barcode?: string[] }

async function recordChange(tx: Tx, actor: Actor, change: Change): Promise<void> {
  await recordConfigurationChange(tx, actor, {
    event: change.event,
    source: 'high_volume',
    ...(change.sku === undefined ? {} : { sku: change.sku }),
    ...(change.barcode === undefined ? {} : { barcode: change.barcode }),
    old_value: change.old,
    new_value: change.new,
  })
}

const nameOf = ({ day, location }: AssignmentRow) => `${day} ${location}`

/**
 * What is given, each once, with the days at locations that the plan does not open, which stay as they are: they may be named or left
 * out. Throws 'location_not_in_plan' for others there.
 */
function withClosed(actor: Actor, given: Assignment[], present: AssignmentRow[]): AssignmentRow[] {
  const closed = present.filter(({ location }) => !planOffers(actor.plan, location))
  const all = new Map(closed.map((assignment) => [nameOf(assignment), assignment]))
  for (const assignment of given) {
    const name = nameOf(assignment)
    if (!all.has(name)) requireLocation(actor, assignment.location)
    all.set(name, assignment)
  }
  return [...all.values()]
}

/** What is counted weekly at a location is kept there. */
async function keepWhereListed(tx: Tx, id: string, assignments: readonly AssignmentRow[]): Promise<void> {
  for (const location of new Set(assignments.map((assignment) => assignment.location))) {
    await keepAt(tx, location, [id])
  }
}

/** Sets on which days and where a component is counted weekly, and gives its own barcode; throws 'component_retired'. */
export async function configureDays(
  tx: Tx,
  actor: Actor,
  { code, assignments: given }: { code: string; assignments: Assignment[] },
): Promise<string> {
  const { id, barcode } = await getComponent(tx, code)
  if ((await lockComponents(tx, [id])).length === 0) throw new AppError('component_retired')
  const { assignments: before } = await getComponentWithStock(tx, barcode)
  const assignments = withClosed(actor, given, before)
  await replaceAssignments(tx, id, assignments)
  await setOlderConfiguration(tx, id, null)
  await keepWhereListed(tx, id, assignments)
  await recordChange(tx, actor, {
    event: 'high_volume_configured',
    sku: barcode,
    old: before,
    new: assignments,
  })
  return barcode
}

/** What an import said before in an older form, without what an administrator has taken away since; the rest waits as it did. */
async function takeOffOlderForms(
  tx: Tx,
  { componentIds, day, location }: { componentIds: string[] } & Assignment,
): Promise<void> {
  const isTaken = (assignment: Assignment) => assignment.day === day && assignment.location === location
  for (const { id, older_high_volume: form } of await lockOlderConfigurations(tx, componentIds)) {
    const reading = readHighVolume(form, 'PRIMARY')
    if ('reason' in reading || !reading.assignments.some(isTaken)) continue
    const rest = reading.assignments.filter((assignment) => !isTaken(assignment))
    await setOlderConfiguration(tx, id, rest.length === 0 ? null : rest)
  }
}

/** Of more components put on a list at once only their number stands in the trail. */
const mostNamed = 50

/** Adds components to, or removes them from, a day's list; says how many changed and which mean none that is in use. */
export async function changeDay(
  tx: Tx,
  actor: Actor,
  change: { barcodes: string[]; day: Assignment['day']; location: LocationCode; action: 'add' | 'remove' },
): Promise<{ changed: number; notFound: string[] }> {
  requireLocation(actor, change.location)
  const barcodes = [...new Set(change.barcodes)]
  const meant = await findComponentIds(tx, barcodes)
  const componentIds = await lockComponents(tx, [...new Set(meant.values())])
  const list = { componentIds, day: change.day, location: change.location }
  const changed = change.action === 'add' ? await addToDay(tx, list) : await removeFromDay(tx, list)
  if (change.action === 'remove') await takeOffOlderForms(tx, list)
  else await keepAt(tx, change.location, changed)
  const isNamed = changed.length > 0 && changed.length <= mostNamed
  await recordChange(tx, actor, {
    event: `high_volume_${change.action === 'add' ? 'added' : 'removed'}`,
    ...(isNamed ? { barcode: await listBarcodes(tx, changed) } : {}),
    old: null,
    new: { day: change.day, location: change.location, changed: changed.length },
  })
  const known = new Set(componentIds)
  return {
    changed: changed.length,
    notFound: barcodes.filter((barcode) => !known.has(meant.get(barcode) ?? '')),
  }
}

/** An older form, unless it names a location that the plan does not open. */
function readOpen(value: unknown, actor: Actor): { assignments: Assignment[] } | { reason: string } {
  const reading = readHighVolume(value, 'PRIMARY')
  if ('reason' in reading) return reading
  const closed = reading.assignments.some(({ location }) => !planOffers(actor.plan, location))
  return closed ? { reason: 'The configuration names a location your plan does not include.' } : reading
}

/** Reads every older form into the one there is now; what cannot be read stays, with the reason. Safe to run twice. */
export async function migrateOlderForms(
  tx: Tx,
  actor: Actor,
): Promise<{ migrated: number; skipped: { barcode: string; reason: string }[] }> {
  const skipped: { barcode: string; reason: string }[] = []
  let migrated = 0
  for (const component of await lockOlderConfigurations(tx)) {
    const reading = readOpen(component.older_high_volume, actor)
    if ('reason' in reading) {
      skipped.push({ barcode: component.barcode, reason: reading.reason })
    } else {
      await addAssignments(tx, component.id, reading.assignments)
      await setOlderConfiguration(tx, component.id, null)
      await keepWhereListed(tx, component.id, reading.assignments)
      migrated += 1
    }
  }
  if (migrated > 0 || skipped.length > 0) {
    await recordChange(tx, actor, {
      event: 'high_volume_migrated',
      old: null,
      new: { migrated, skipped: skipped.length },
    })
  }
  return { migrated, skipped }
}
