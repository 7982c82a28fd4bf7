import type { CountableComponent } from '@inventory-manager/contract/counting/endpoints'
import type { LocationCode } from '@inventory-manager/contract/locations'
import type { Component } from '@inventory-manager/contract/stock/endpoints'
import { getDayStart } from '../platform/db/calendar.ts'
import type { Tx } from '../platform/db/database.ts'
import type { Reader } from '../platform/http/identity.ts'
import { presentComponent } from '../stock/presenter.ts'
import { listComponentsOfDay, type ComponentRow, type StockRow } from '../stock/queries.ts'

type ListScope = { reader: Reader; location: LocationCode; dayStart: Date }

/** A component of a day's list: all of it, what everybody may see of it, its other barcodes, and where it lies. */
export type Listed = Pick<ComponentRow, 'aliases' | 'packs'> & {
  whole: Component
  countable: CountableComponent
  bin: string
}

/** What a location remembers of a component that was never counted there. */
const untouched: Omit<StockRow, 'location'> = {
  quantity: 0,
  countedAt: null,
  countedSource: null,
  weeklyCountedAt: null,
}

function toInstant(stored: string | null): string | null {
  return stored === null ? null : new Date(stored).toISOString()
}

function present(row: ComponentRow, { reader, location, dayStart }: ListScope): Listed {
  const whole = presentComponent(row, reader.weekday)
  const held = row.stock.find((stock) => stock.location === location) ?? untouched
  const weeklyCountedAt = held.weeklyCountedAt === null ? null : new Date(held.weeklyCountedAt)
  const countable = {
    id: whole.id,
    barcode: whole.barcode,
    description: whole.description,
    last_counted_date: toInstant(held.countedAt),
    last_counted_location: held.countedAt === null ? null : location,
    last_counted_source: held.countedSource,
    is_high_volume: whole.is_high_volume,
    is_high_volume_today: row.assignments.some(
      (assigned) => assigned.day === reader.weekday && assigned.location === location,
    ),
    high_volume_config: whole.high_volume_config,
    counted: weeklyCountedAt !== null && weeklyCountedAt >= dayStart,
    counted_at: toInstant(held.weeklyCountedAt),
    counted_source: weeklyCountedAt === null ? null : 'weekly',
    ...(reader.role === 'admin' ? { expected_quantity: held.quantity } : {}),
  }
  const placed = row.placements.find((placement) => placement.location === location)
  return { whole, countable, aliases: row.aliases, packs: row.packs, bin: placed?.bin ?? '' }
}

/** The components to count on a weekday at a location, and which of them are counted today. */
export async function listOfDay(
  tx: Tx,
  reader: Reader,
  { day, location }: { day: string; location: LocationCode },
): Promise<Listed[]> {
  const [dayStart, rows] = await Promise.all([
    getDayStart(tx, reader),
    listComponentsOfDay(tx, { day, location }),
  ])
  return rows.map((row) => present(row, { reader, location, dayStart }))
}
