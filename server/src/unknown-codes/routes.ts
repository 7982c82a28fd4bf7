import {
  createFromUnknownCode,
  decideUnknownCodes,
  listUnknownCodes as listEndpoint,
  type UnknownCode,
} from '@inventory-manager/contract/unknown-codes/endpoints'
import type { Binder } from '../platform/http/binder-types.ts'
import { pageOf } from '../platform/http/page.ts'
import {
  countUnknownCodes,
  findRetiredOwners,
  listCountedOf,
  listScansOf,
  listUnknownCodes,
  type UnknownScan,
} from './queries.ts'
import { createComponent, decideCodes } from './service.ts'

function presentBeside(scan: UnknownScan['before']) {
  if (scan === null) return null
  const { sku, description, at } = scan
  return { sku, description, timestamp: new Date(at).toISOString() }
}

type Beside = {
  scans: readonly UnknownScan[]
  counted: Awaited<ReturnType<typeof listCountedOf>>
  retiredOwners: Map<string, string>
}

function present(
  row: Awaited<ReturnType<typeof listUnknownCodes>>[number],
  { scans, counted, retiredOwners }: Beside,
): UnknownCode {
  return {
    id: row.id,
    code: row.code,
    location: row.location,
    status: row.status,
    times: row.times,
    first_seen_at: row.first_seen_at.toISOString(),
    last_seen_at: row.last_seen_at.toISOString(),
    user_name: row.user_name,
    scans: scans
      .filter((scan) => scan.unknown_code_id === row.id)
      .map((scan) => ({
        user_name: scan.user_name,
        timestamp: scan.scanned_at.toISOString(),
        quantity: scan.quantity,
        before: presentBeside(scan.before),
        after: presentBeside(scan.after),
      })),
    ...(row.status === 'open'
      ? {
          counted: counted
            .filter(({ id }) => id === row.id)
            .map(({ location, quantity }) => ({ location, quantity })),
        }
      : {}),
    decided_by: row.decided_by,
    retired_owner: retiredOwners.get(row.id) ?? null,
  }
}

export function unknownCodeRoutes(bind: Binder): void {
  bind.reader(listEndpoint, async ({ tx, query }) => {
    const { page, next } = pageOf(await listUnknownCodes(tx, query), query.limit, 'opened_id')
    const ids = page.map(({ id }) => id)
    const scans = await listScansOf(tx, ids)
    const counted = query.status === 'open' ? await listCountedOf(tx, ids) : []
    const retiredOwners = await findRetiredOwners(tx, page)
    return {
      unknown_codes: page.map((row) => present(row, { scans, counted, retiredOwners })),
      next_cursor: next,
      total: await countUnknownCodes(tx, query),
    }
  })

  bind.member(decideUnknownCodes, async ({ tx, actor, body }) => ({
    success: true,
    decided: await decideCodes(tx, actor, body),
  }))

  bind.member(createFromUnknownCode, async ({ tx, actor, body }) => ({
    success: true,
    ...(await createComponent(tx, actor, body)),
  }))
}
