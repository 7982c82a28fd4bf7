import { generateLabels } from '@inventory-manager/contract/labels/endpoints'
import { sql } from 'kysely'
import type { Database, Tx } from '../platform/db/database.ts'
import type { Binder } from '../platform/http/binder.ts'
import { requestHash } from '../platform/http/idempotency.ts'
import type { Identity } from '../platform/http/identity.ts'
import type { Notices } from '../platform/realtime/notices.ts'
import { confirmJob, releaseJob, reserveJob } from './allowance.ts'
import { handOut } from './hand-out.ts'
import { loadFonts, type LabelFonts } from './pdf/fonts.ts'
import { labelPdf } from './pdf/label-pdf.ts'
import { renewJob } from './queries.ts'
import { recordJob, requirePrintable, sizeOf } from './service.ts'

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

type Parts = { database: Database; identity: Identity; notices: Notices; fontFolder: string }

export function labelRoutes(bind: Binder, { database, identity, notices, fontFolder }: Parts): void {
  let loading: Promise<LabelFonts> | undefined
  const fonts = () => (loading ??= loadFonts(fontFolder))

  bind.ownTransaction(generateLabels, async ({ claims, body, key, request, reply }) => {
    const size = sizeOf(body.labelSize)
    requirePrintable(body, size)
    const labels = body.components.length * body.copies
    const location = body.location ?? null
    const hash = requestHash(generateLabels.path, body)
    const { actor, id, today } = await database.inTenant(claims.tenantId, async (tx) => {
      const actor = await identity.actorOf(tx, claims)
      const id = await reserveJob(tx, actor, { key, hash, labels })
      return { actor, id, today: await getToday(tx, actor.timeZone) }
    })
    const items = body.components.map((item) => ({
      barcode: item.barcode,
      description: item.description,
      footer: footerOf(item, body.includeId),
      copies: body.copies,
    }))
    const inTenant = (work: (tx: Tx) => Promise<void>) => database.inTenant(claims.tenantId, work)
    const file = handOut(reply.raw, {
      async *pieces(signal) {
        yield* labelPdf(items, { size: size.key, fonts: await fonts(), signal })
      },
      renew: () => inTenant((tx) => renewJob(tx, id)),
      async confirm() {
        await inTenant(async (tx) => {
          if (await confirmJob(tx, actor, id)) await recordJob(tx, actor, { labels, location, size })
        })
        notices.changed(claims.tenantId)
      },
      release: () => inTenant((tx) => releaseJob(tx, id)),
      onError: (error) => request.log.error({ err: error }, 'label job'),
    })
    const name = `${body.selected ? 'selected_labels' : 'labels'}_${location ?? 'all'}_${today}.pdf`
    return await reply
      .type('application/pdf')
      .header('content-disposition', `attachment; filename="${name}"`)
      .send(file)
  })
}
