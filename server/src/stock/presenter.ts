import type { LocationCode } from '@inventory-manager/contract/locations'
import type { Component } from '@inventory-manager/contract/stock/endpoints'
import { weekDays } from '@inventory-manager/contract/stock/rules'
import type { AssignmentRow, ComponentRow, StockRow } from './queries.ts'

function quantityAt(stock: StockRow[], location: StockRow['location']): number {
  return stock.find((row) => row.location === location)?.quantity ?? 0
}

/** The latest count over all locations. */
function latestCount(stock: StockRow[]): StockRow | undefined {
  return stock
    .filter((row) => row.countedAt !== null)
    .toSorted((a, b) => (b.countedAt ?? '').localeCompare(a.countedAt ?? ''))[0]
}

function presentLastCount(stock: StockRow[]) {
  const last = latestCount(stock)
  return {
    last_counted_date: last?.countedAt == null ? null : new Date(last.countedAt).toISOString(),
    last_counted_location: last?.location ?? null,
    last_counted_source: last?.countedSource ?? null,
  }
}

/** Assignments as the canonical map of days to locations, or null without any. */
function presentAssignments(assignments: AssignmentRow[]): Component['high_volume_config'] {
  if (assignments.length === 0) return null
  const at = (day: string): LocationCode[] =>
    assignments.filter((assignment) => assignment.day === day).map((assignment) => assignment.location)
  return Object.fromEntries(weekDays.map((day) => [day, at(day)]).filter(([, codes]) => codes?.length !== 0))
}

/** The component of the API, with its five quantity fields, out of its stock rows. */
export function presentComponent(row: ComponentRow, today: string): Component {
  return {
    id: row.id,
    barcode: row.barcode,
    description: row.description,
    primary_quantity: quantityAt(row.stock, 'PRIMARY'),
    secondary_quantity: quantityAt(row.stock, 'SECONDARY'),
    fulfillment_quantity: quantityAt(row.stock, 'FULFILLMENT'),
    distribution_quantity: quantityAt(row.stock, 'DISTRIBUTION'),
    quarantine_quantity: quantityAt(row.stock, 'QUARANTINE'),
    total_quantity: row.stock.reduce((sum, held) => sum + held.quantity, 0),
    ...presentLastCount(row.stock),
    is_high_volume: row.assignments.length > 0,
    is_high_volume_today: row.assignments.some((assignment) => assignment.day === today),
    high_volume_config: presentAssignments(row.assignments),
  }
}
