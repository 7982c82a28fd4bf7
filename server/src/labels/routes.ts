import { Readable } from 'node:stream'
import { generateLabels } from '@inventory-manager/contract/labels/endpoints'
import { sql } from 'kysely'
import type { Database, Tx } from '../platform/db/database.ts'
import type { Binder } from '../platform/http/binder.ts'
import { once, requestHash } from '../platform/http/idempotency.ts'
import { requireStanding, type Identity } from '../platform/http/identity.ts'
import { loadFonts, type LabelFonts } from './pdf/fonts.ts'
import { labelPdf } from './pdf/label-pdf.ts'
import { chargeJob, requirePrintable, sizeOf } from './service.ts'

/** Today in a time zone, as it stands in file names. */
async function getToday(tx: Tx, timeZone: string): Promise<string> {
  const { rows } = await sql<{ today: string }>`
    select to_char(now() at time zone ${timeZone}, 'YYYY-MM-DD') as today
  `.execute(tx.db)
  return rows[0]?.today ?? ''
}

/** The ID, where it says more than the barcode. Never the stock: a label that shows it spoils every blind count. */
function footerOf(
  item: { id?: string | null | undefined; barcode: string },
  includeId: boolean,
): string | null {
  return includeId && item.id != null && item.id !== item.barcode ? `ID: ${item.id}` : null
}

export function labelRoutes(
  bind: Binder,
  { database, identity, fontFolder }: { database: Database; identity: Identity; fontFolder: string },
): void {
  let loading: Promise<LabelFonts> | undefined
  const fonts = () => (loading ??= loadFonts(fontFolder))

  bind.ownTransaction(generateLabels, async ({ claims, body, key, request, reply }) => {
    const size = sizeOf(body.labelSize)
    requirePrintable(body, size)
    const labels = body.components.length * body.copies
    const location = body.location ?? null
    const today = await database.inTenant(claims.tenantId, async (tx) => {
      const actor = await identity.actorOf(tx, claims)
      requireStanding(actor)
      const charge = async () => {
        await chargeJob(tx, actor, { labels, location, size })
        return { labels }
      }
      if (key === null) await charge()
      else await once({ tx, actor }, { key, hash: requestHash(generateLabels.path, body) }, charge)
      return await getToday(tx, actor.timeZone)
    })
    const stopped = new AbortController()
    request.raw.on('close', () => {
      if (!reply.raw.writableFinished) stopped.abort()
    })
    const name = `${body.selected ? 'selected_labels' : 'labels'}_${location ?? 'all'}_${today}.pdf`
    const pages = labelPdf(
      body.components.map((item) => ({
        barcode: item.barcode,
        description: item.description,
        footer: footerOf(item, body.includeId),
        copies: body.copies,
      })),
      { size: size.key, fonts: await fonts(), signal: stopped.signal },
    )
    return await reply
      .type('application/pdf')
      .header('content-disposition', `attachment; filename="${name}"`)
      .send(Readable.from(pages))
  })
}
