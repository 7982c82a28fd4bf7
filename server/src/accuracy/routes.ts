import {
  countCertificate,
  getAccuracy,
  listCountSessions,
  type AccuracyFigures,
} from '@inventory-manager/contract/accuracy/endpoints'
import { monthAfter, mostNamed, mostSessions } from '@inventory-manager/contract/accuracy/rules'
import { monthOf } from '../platform/db/calendar.ts'
import { onlyCheck } from '../platform/http/entrance.ts'
import type { Binder } from '../platform/http/binder-types.ts'
import { issueCertificate, type CertificateParts } from './certificate.ts'
import { listSessions } from './certificate-queries.ts'
import { listCauses, listMonths, listSkus } from './queries.ts'

const none: AccuracyFigures = { lines: 0, matched: 0, tolerated: 0, differing: 0, missing: 0, surplus: 0 }

function sumOf(rows: readonly AccuracyFigures[]): AccuracyFigures {
  return rows.reduce(
    (sum, row) => ({
      lines: sum.lines + row.lines,
      matched: sum.matched + row.matched,
      tolerated: sum.tolerated + row.tolerated,
      differing: sum.differing + row.differing,
      missing: sum.missing + row.missing,
      surplus: sum.surplus + row.surplus,
    }),
    none,
  )
}

export function accuracyRoutes(bind: Binder, parts: CertificateParts): void {
  bind.member(getAccuracy, async ({ tx, actor, query }) => {
    const { timeZone } = actor
    const thisMonth = monthOf(actor.today)
    const until = query.until ?? thisMonth
    const scope = { from: monthAfter(until, 1 - query.months), until, location: query.location, timeZone }
    const [locations, causes, skus] = await Promise.all([
      listMonths(tx, scope),
      listCauses(tx, scope, mostNamed),
      listSkus(tx, scope, mostNamed),
    ])
    const names = Array.from({ length: query.months }, (_, place) => monthAfter(scope.from, place))
    return {
      this_month: thisMonth,
      from: scope.from,
      until,
      total: sumOf(locations),
      months: names.map((month) => ({ month, ...sumOf(locations.filter((row) => row.month === month)) })),
      locations,
      causes,
      skus,
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

  bind.ownTransaction(countCertificate, onlyCheck, (call) => issueCertificate(parts, call))
}
