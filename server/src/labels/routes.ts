import { Readable } from 'node:stream'
import {
  calibrationPage,
  commandSheet,
  generateLabels,
  getLabelLogo,
  labelSymbol,
  listLabelled,
} from '@inventory-manager/contract/labels/endpoints'
import { hasBranding } from '@inventory-manager/contract/plans'
import type { Database, Tx } from '../platform/db/database.ts'
import type { Binder } from '../platform/http/binder.ts'
import { requestHash } from '../platform/http/idempotency.ts'
import { requireStanding, type Identity } from '../platform/http/identity.ts'
import type { Notices } from '../platform/realtime/notices.ts'
import { requireLocation } from '../stock/service.ts'
import { confirmJob, releaseJob, reserveJob } from './allowance.ts'
import { handOut } from './hand-out.ts'
import { commandItems, labelFile } from './label-file.ts'
import { loadMatrixEncoder } from './matrix-symbols.ts'
import { calibrationPdf } from './pdf/calibration-pdf.ts'
import type { PdfFonts } from '../platform/pdf/fonts.ts'
import { labelPdf } from './pdf/label-pdf.ts'
import { findLabelLogo, getToday, listLabelledComponents, renewJob } from './queries.ts'
import { countLabels, recordJob, requirePrintable, sheetOf, type LabelBody } from './service.ts'

type Fonts = () => Promise<PdfFonts>
type Parts = { database: Database; identity: Identity; notices: Notices; fonts: Fonts }

export function labelRoutes(bind: Binder, parts: Parts): void {
  bindJobs(bind, parts)
  bindSheets(bind, parts)

  bind.member(labelSymbol, async ({ query }) => (await loadMatrixEncoder(query.symbology))(query.barcode))

  bind.member(getLabelLogo, async ({ tx, actor }) => ({
    rows: hasBranding(actor.plan) ? await findLabelLogo(tx) : null,
  }))

  bind.member(listLabelled, async ({ tx }) => {
    const components = await listLabelledComponents(tx)
    return {
      components: components.map(({ id, labelled_at: at, current }) => ({
        id,
        last_labelled_at: at.toISOString(),
        current,
      })),
    }
  })
}

function fileName({ selected, location, format }: LabelBody, today: string): string {
  return `${selected ? 'selected_labels' : 'labels'}_${location ?? 'all'}_${today}.${format}`
}

function bindJobs(bind: Binder, { database, identity, notices, fonts }: Parts): void {
  bind.ownTransaction(generateLabels, async ({ claims, body, key, request, reply }) => {
    const sheet = sheetOf(body, body.first)
    requirePrintable(body.components, { size: sheet.size, symbology: body.symbology })
    const labels = countLabels(body)
    const hash = requestHash(generateLabels.path, body)
    const { actor, id, logo, today } = await database.inTenant(claims.tenantId, async (tx) => {
      const actor = await identity.actorOf(tx, claims)
      requireStanding(actor)
      if (body.location != null) requireLocation(actor, body.location)
      const id = await reserveJob(tx, actor, { key, hash, labels })
      const logo = hasBranding(actor.plan) ? await findLabelLogo(tx) : null
      return { actor, id, logo, today: await getToday(tx, actor.timeZone) }
    })
    const inTenant = (work: (tx: Tx) => Promise<void>) => database.inTenant(claims.tenantId, work)
    const file = handOut(reply.raw, {
      pieces: (signal) => labelFile(body, { sheet, logo, fonts, signal }),
      renew: () => inTenant((tx) => renewJob(tx, id)),
      async confirm() {
        await inTenant(async (tx) => {
          if (await confirmJob(tx, actor, id)) await recordJob(tx, actor, { body, labels })
        })
        notices.changed(claims.tenantId)
      },
      release: () => inTenant((tx) => releaseJob(tx, id)),
      onError: (error) => request.log.error({ err: error }, 'label job'),
    })
    return await reply
      .type(`application/${body.format}`)
      .header('content-disposition', `attachment; filename="${fileName(body, today)}"`)
      .header('x-labels', String(labels))
      .send(file)
  })
}

/** Pages that are no labels of components, and use none of the allowance. */
function bindSheets(bind: Binder, { database, identity, fonts }: Parts): void {
  bind.ownTransaction(calibrationPage, async ({ claims, body, reply }) => {
    await database.inTenant(claims.tenantId, (tx) => identity.actorOf(tx, claims))
    const page = await calibrationPdf({ ...sheetOf(body), fonts: await fonts() })
    return await reply
      .type('application/pdf')
      .header('content-disposition', 'attachment; filename="calibration_page.pdf"')
      .send(page)
  })

  bind.ownTransaction(commandSheet, async ({ claims, body, reply }) => {
    const actor = await database.inTenant(claims.tenantId, (tx) => identity.actorOf(tx, claims))
    const sheet = sheetOf(body)
    const items = commandItems(actor.plan)
    requirePrintable(items, sheet)
    return await reply
      .type('application/pdf')
      .header('content-disposition', 'attachment; filename="command_barcodes.pdf"')
      .send(Readable.from(labelPdf(items, { ...sheet, fonts: await fonts() })))
  })
}
