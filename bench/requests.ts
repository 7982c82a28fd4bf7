import { randomUUID } from 'node:crypto'
import { anyOf } from './companies.ts'
import type { Request } from './load.ts'
import type { World } from './world.ts'

export const session = 'Monthly_2026-11-21_PRIMARY_1732147200000'

type Row = { barcode: string; quantity: number }

/** A count as the count screen sends it. */
export function countOf(
  token: string,
  row: Row | (Row & { source: 'weekly'; day: 'Monday'; recount: true }),
): Request {
  return {
    method: 'POST',
    path: '/api/components/update-with-tracking',
    headers: { authorization: `Bearer ${token}`, 'idempotency-key': randomUUID() },
    body: { location: 'PRIMARY', source: 'monthly', session, timestamp: new Date().toISOString(), ...row },
  }
}

/** A count of a SKU on Monday's list, once more where it was counted today. */
export function weeklyCountOf(token: string, row: Row): Request {
  return countOf(token, { ...row, source: 'weekly', day: 'Monday', recount: true })
}

/** A count that matches, by anybody of any company. */
export function anyCount(world: World): Request {
  const { token, rows } = anyOf(world.companies)
  return countOf(token, anyOf(rows))
}

/** One component by its code. */
export function anyItem(world: World): Request {
  const { token, rows } = anyOf(world.companies)
  return {
    method: 'POST',
    path: '/api/components/by-barcode',
    headers: { authorization: `Bearer ${token}` },
    body: { barcode: anyOf(rows).barcode },
  }
}

/** All components of a company. */
export function anyList(world: World): Request {
  const { token } = anyOf(world.companies)
  return {
    method: 'GET',
    path: '/api/components',
    headers: { authorization: `Bearer ${token}`, 'accept-encoding': 'br, gzip' },
  }
}

/** The newest entries of a company's trail: a read of several statements. */
export function anyTrailPage(world: World): Request {
  const { token } = anyOf(world.companies)
  return { method: 'GET', path: '/api/audit/trail?limit=10', headers: { authorization: `Bearer ${token}` } }
}
