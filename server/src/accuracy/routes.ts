import {
  countCertificate,
  getAccuracy,
  listCountSessions,
} from '@inventory-manager/contract/accuracy/endpoints'
import { mostNamed, mostSessions } from '@inventory-manager/contract/accuracy/rules'
import { monthAfter, monthOf } from '@inventory-manager/contract/calendar'
import { onlyCheck } from '../platform/http/entrance.ts'
import { AppError } from '../platform/http/app-error.ts'
import type { Binder } from '../platform/http/binder-types.ts'
import { createFileTurns } from '../platform/http/file-turns.ts'
import { whenClosed } from '../platform/http/when-closed.ts'
import { getCosting } from '../stock/difference-costs.ts'
import { issueCertificate, type CertificateParts } from './certificate.ts'
import { listSessions } from './certificate-queries.ts'
import { readAccuracy, type MonthRow } from './queries.ts'

const none: Omit<MonthRow, 'month' | 'location'> = {
  lines: 0,
  matched: 0,
  tolerated: 0,
  differing: 0,
  first_counts: 0,
  without_cost: 0,
  missing: 0,
  surplus: 0,
  missing_value: 0,
  surplus_value: 0,
}

/** In the decimals of unit costs, which sums of floating point numbers go beyond. */
const sumOfMoney = (one: number, other: number) => Math.round((one + other) * 10_000) / 10_000

function sumOf(rows: readonly MonthRow[]): typeof none {
  return rows.reduce(
    (sum, row) => ({
      lines: sum.lines + row.lines,
      matched: sum.matched + row.matched,
      tolerated: sum.tolerated + row.tolerated,
      differing: sum.differing + row.differing,
      first_counts: sum.first_counts + row.first_counts,
      without_cost: sum.without_cost + row.without_cost,
      missing: sum.missing + row.missing,
      surplus: sum.surplus + row.surplus,
      missing_value: sumOfMoney(sum.missing_value, row.missing_value),
      surplus_value: sumOfMoney(sum.surplus_value, row.surplus_value),
    }),
    none,
  )
}

export function accuracyRoutes(bind: Binder, parts: CertificateParts): void {
  bind.member(getAccuracy, async ({ tx, actor, query }) => {
    const { timeZone } = actor
    const thisMonth = monthOf(actor.today)
    const until = query.until ?? thisMonth
    const { currency, hasCosts } = await getCosting(tx)
    const scope = {
      from: monthAfter(until, 1 - query.months),
      until,
      location: query.location,
      timeZone,
      hasCosts,
    }
    const named = { by: query.skus_by, limit: mostNamed }
    const { locations, causes, skus } = await readAccuracy(tx, scope, named)
    const { without_cost: withoutCost, first_counts: firstCounts, ...total } = sumOf(locations)
    const names = Array.from({ length: query.months }, (_, place) => monthAfter(scope.from, place))
    return {
      this_month: thisMonth,
      from: scope.from,
      until,
      total,
      months: names.map((month) => ({ month, ...sumOf(locations.filter((row) => row.month === month)) })),
      locations: locations.filter(({ lines }) => lines > 0),
      causes,
      skus,
      currency,
      without_cost: withoutCost,
      ...(firstCounts === 0 ? {} : { first_counts: firstCounts }),
    }
  })

  bind.member(listCountSessions, async ({ tx, actor, query: { month, location } }) => {
    const scope = { from: month, until: month, location, timeZone: actor.timeZone }
    const rows = await listSessions(tx, scope, mostSessions + 1)
    return {
      sessions: rows.slice(0, mostSessions).map((row) => ({
        ...row,
        started_at: row.started_at.toISOString(),
        ended_at: row.ended_at.toISOString(),
      })),
      more: rows.length > mostSessions,
    }
  })

  const turns = createFileTurns()

  bind.ownTransaction(countCertificate, onlyCheck, async (call) => {
    const place = turns.enter(call.actor.tenantId)
    if (place === null) throw new AppError('too_many_exports')
    whenClosed(call.reply.raw, place.leave)
    return await issueCertificate(parts, { ...call, place })
  })
}
