import {
  decideDiscrepancies,
  listDiscrepancies as listEndpoint,
  type Discrepancy,
} from '@inventory-manager/contract/discrepancies/endpoints'
import type { Binder } from '../platform/http/binder.ts'
import { listDiscrepancies } from './queries.ts'
import { decideAll } from './service.ts'

function present(row: Awaited<ReturnType<typeof listDiscrepancies>>[number]): Discrepancy {
  return {
    id: row.id,
    sku: row.sku,
    description: row.description,
    location: row.location,
    count_type: row.count_type,
    status: row.status,
    expected: row.expected,
    counted: row.counted,
    difference: row.counted - row.expected,
    user_name: row.user_name,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    reason: row.reason,
    note: row.note,
    decided_by: row.decided_by,
    attempts: row.made.map(({ attempt, expected, counted, userName, at }) => ({
      attempt,
      expected,
      counted,
      user_name: userName,
      timestamp: new Date(at).toISOString(),
    })),
  }
}

export function discrepancyRoutes(bind: Binder): void {
  bind.member(listEndpoint, async ({ tx, query }) => {
    const rows = await listDiscrepancies(tx, query)
    const page = rows.slice(0, query.limit)
    return {
      discrepancies: page.map(present),
      next_cursor: rows.length > query.limit ? (page.at(-1)?.id ?? null) : null,
    }
  })

  bind.member(decideDiscrepancies, async ({ tx, actor, body }) => ({
    success: true,
    decided: await decideAll(tx, actor, body),
  }))
}
