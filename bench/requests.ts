import { anyOf } from './companies.ts'
import type { Request } from './load.ts'
import { countOf } from './parts/count.ts'
import type { World } from './world.ts'

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
