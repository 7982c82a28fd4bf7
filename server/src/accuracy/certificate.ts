import type { countCertificate } from '@inventory-manager/contract/accuracy/endpoints'
import { mostCertifiedDifferences } from '@inventory-manager/contract/accuracy/rules'
import { monthAfter } from '@inventory-manager/contract/calendar'
import type { EndpointInput } from '@inventory-manager/contract/endpoint'
import { planLocationCodes } from '@inventory-manager/contract/plans'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { recordAudit } from '../audit/queries.ts'
import type { Database } from '../platform/db/database.ts'
import { AppError } from '../platform/http/app-error.ts'
import type { FilePlace } from '../platform/http/file-turns.ts'
import type { Actor } from '../platform/http/identity.ts'
import { sendPieces } from '../platform/http/send-pieces.ts'
import { closeSignalOf } from '../platform/http/when-closed.ts'
import type { PdfFonts } from '../platform/pdf/fonts.ts'
import { getCosting } from '../stock/difference-costs.ts'
import type { Certificate } from './certificate-facts.ts'
import { certificatePdf } from './certificate-pdf.ts'
import { getCoverage, getFigures, listDifferences, listPeople } from './certificate-queries.ts'

export type CertificateParts = { database: Database; fonts: () => Promise<PdfFonts> }

type Query = EndpointInput<typeof countCertificate>['query']
type Found = Pick<Certificate, 'figures' | 'coverage' | 'people' | 'differences' | 'currency'>

/** What a scope came to, as of one moment. Throws 'not_found' where nothing was counted. */
async function readScope(database: Database, { tenantId, timeZone }: Actor, query: Query): Promise<Found> {
  const { month, location, session } = query
  // A session may go on past midnight of a month's last day, and is of one piece.
  const beside = session === undefined ? 0 : 1
  const months = { from: monthAfter(month, -beside), until: monthAfter(month, beside) }
  const scope = { ...months, location, session, timeZone }
  const found = await database.inSnapshot(tenantId, async (tx) => {
    const { currency, hasCosts } = await getCosting(tx)
    return {
      currency,
      figures: await getFigures(tx, scope),
      coverage: await getCoverage(tx, scope),
      people: await listPeople(tx, scope),
      differences: await listDifferences(tx, { ...scope, hasCosts }, mostCertifiedDifferences + 1),
    }
  })
  if (found.figures.lines + found.figures.first_counts === 0) {
    throw new AppError('not_found', { sentence: 'Nothing was counted at that place in that time.' })
  }
  if (found.differences.length > mostCertifiedDifferences) throw new AppError('certificate_too_long')
  return found
}

/** Records that a certificate is issued: the entry's id is its number. */
async function recordIssue(
  { database }: CertificateParts,
  actor: Actor,
  { query, found }: { query: Query; found: Found },
): Promise<{ id: string; issuedAt: Date }> {
  const { month, location, session } = query
  const { lines, matched, tolerated } = found.figures
  const { id, created_at: issuedAt } = await database.inTenant(actor.tenantId, (tx) =>
    recordAudit(tx, actor, {
      kind: 'configuration',
      event: 'count_certificate_issued',
      location: location ?? null,
      source: 'accuracy',
      metadata: { type: 'export', month, session: session ?? null, lines, matched, tolerated },
    }),
  )
  return { id, issuedAt }
}

function nameOf({ companyName }: Actor, { month, location, session }: Query): string {
  const parts = ['count_certificate', companyName, location, session ?? month]
  return `${parts.filter((part) => part !== undefined).join('_')}.pdf`
}

type Call = { actor: Actor; query: Query; reply: FastifyReply; request: FastifyRequest; place: FilePlace }

/** Issues a certificate and streams it; a client that goes away stops it. */
export async function issueCertificate(parts: CertificateParts, call: Call) {
  const { actor, query, reply, request, place } = call
  const found = await readScope(parts.database, actor, query)
  const issue = await recordIssue(parts, actor, { query, found })
  const signal = closeSignalOf(reply.raw)
  const certificate: Certificate = {
    ...issue,
    ...found,
    companyName: actor.companyName,
    locationNames: actor.locationNames,
    issuedBy: actor.userName,
    timeZone: actor.timeZone,
    month: query.month,
    location: query.location,
    places: planLocationCodes(actor.plan),
    session: query.session,
  }
  const fonts = await parts.fonts()
  const pieces = place.inTurn(certificatePdf(certificate, { fonts, paper: query.paper, signal }))
  const name = nameOf(actor, query)
  return await sendPieces({ request, reply }, { name, type: 'application/pdf', pieces, signal })
}
