import { Readable } from 'node:stream'
import {
  binLabels,
  calibrationPage,
  commandSheet,
  generateLabels,
  getLabelLogo,
  labelSymbol,
  listLabelled,
} from '@inventory-manager/contract/labels/endpoints'
import { hasBranding } from '@inventory-manager/contract/plans'
import type { Database, Tx } from '../platform/db/database.ts'
import { AppError } from '../platform/http/app-error.ts'
import { attachment } from '../platform/http/attachment.ts'
import { onlyCheck } from '../platform/http/entrance.ts'
import type { Binder } from '../platform/http/binder-types.ts'
import { cutWhenUntaken } from '../platform/http/cut-when-untaken.ts'
import { requestHash } from '../platform/http/idempotency.ts'
import { requireLocation, type Actor } from '../platform/http/identity.ts'
import { sendPieces } from '../platform/http/send-pieces.ts'
import { closeSignalOf, whenClosed } from '../platform/http/when-closed.ts'
import type { Notices } from '../platform/realtime/notices.ts'
import { prepareBins } from './bin-labels.ts'
import { confirmJob, markWhole, releaseJob, reserveJob } from './allowance.ts'
import { createFileTurns } from '../platform/http/file-turns.ts'
import { handOut } from './hand-out.ts'
import { commandFile, commandItems, itemsOf, labelFile } from './label-file.ts'
import { loadMatrixEncoder } from './matrix-symbols.ts'
import { calibrationPdf } from './pdf/calibration-pdf.ts'
import type { PdfFonts } from '../platform/pdf/fonts.ts'
import { findLabelLogo, listLabelledComponents, recordPrint, renewJob } from './queries.ts'
import { countLabels, printOf, recordJob, requirePrintable, sheetOf, type LabelBody } from './service.ts'

type Fonts = () => Promise<PdfFonts>
type Parts = { database: Database; notices: Notices; fonts: Fonts }

export function labelRoutes(bind: Binder, parts: Parts): void {
  bindJobs(bind, parts)
  bindSheets(bind, parts.fonts)

  bind.member(labelSymbol, async ({ query }) => (await loadMatrixEncoder(query.symbology))(query.barcode))

  bind.member(getLabelLogo, async ({ tx, actor }) => ({
    rows: hasBranding(actor.plan) ? await findLabelLogo(tx) : null,
  }))

  bind.written(listLabelled, async ({ tx }) => `{"components":${await listLabelledComponents(tx)}}`)
}

function fileName({ selected, location, format }: LabelBody, today: string): string {
  return `${selected ? 'selected_labels' : 'labels'}_${location ?? 'all'}_${today}.${format}`
}

type Job = { tx: Tx; actor: Actor; body: LabelBody; key: string | null }

/** Checks a job and reserves its labels. */
async function begin({ tx, actor, body, key }: Job) {
  const sheet = sheetOf(body, body.first)
  requirePrintable(body.components, { size: sheet.size, symbology: body.symbology })
  if (body.location != null) requireLocation(actor, body.location)
  const labels = countLabels(body)
  const hash = requestHash(generateLabels.path, body)
  const id = await reserveJob(tx, actor, { key, hash, labels })
  const logo = hasBranding(actor.plan) ? await findLabelLogo(tx) : null
  return { sheet, labels, id, logo }
}

function bindJobs(bind: Binder, { database, notices, fonts }: Parts): void {
  const turns = createFileTurns()

  bind.ownTransaction(generateLabels, begin, async ({ actor, begun, body, request, reply }) => {
    const { sheet, labels, id, logo } = begun
    const inTenant = (work: (tx: Tx) => Promise<void>) => database.inTenant(actor.tenantId, work)
    const place = turns.enter(actor.tenantId)
    if (place === null) {
      await inTenant((tx) => releaseJob(tx, id))
      throw new AppError('too_many_label_files')
    }
    async function charge(tx: Tx): Promise<void> {
      if (await confirmJob(tx, actor, id)) await recordJob(tx, actor, { body, labels })
    }
    cutWhenUntaken(reply.raw)
    const file = handOut(reply.raw, {
      pieces: (signal) => place.inTurn(labelFile(itemsOf(body), { ...body, sheet, logo, fonts, signal })),
      isUsableInParts: body.format === 'zpl',
      renew: () => inTenant((tx) => renewJob(tx, id)),
      async charge() {
        await inTenant(charge)
        notices.changed(actor.tenantId)
      },
      async finish() {
        await inTenant(async (tx) => {
          await charge(tx)
          if (await markWhole(tx, id)) await recordPrint(tx, printOf(actor, body))
        })
        notices.changed(actor.tenantId)
      },
      release: () => inTenant((tx) => releaseJob(tx, id)),
      ended: place.leave,
      onError: (error) => request.log.error({ err: error }, 'label job'),
    })
    return await reply
      .type(`application/${body.format}`)
      .header('content-disposition', attachment(fileName(body, actor.today)))
      .header('x-labels', String(labels))
      .send(file)
  })
}

/** Pages that are no labels of components, and use none of the allowance. */
function bindSheets(bind: Binder, fonts: Fonts): void {
  const turns = createFileTurns()

  bind.ownTransaction(calibrationPage, onlyCheck, async ({ body, reply }) => {
    const page = await calibrationPdf({ ...sheetOf(body), fonts: await fonts() })
    return await reply
      .type('application/pdf')
      .header('content-disposition', attachment('calibration_page.pdf'))
      .send(page)
  })

  bind.ownTransaction(commandSheet, onlyCheck, async ({ actor, body, reply }) => {
    const { first, symbology } = body
    const sheet = sheetOf(body, first)
    const items = commandItems(actor)
    requirePrintable(items, { size: sheet.size, symbology })
    return await reply
      .type('application/pdf')
      .header('content-disposition', attachment('command_barcodes.pdf'))
      .send(Readable.from(commandFile(items, { ...sheet, first, symbology, fonts: await fonts() })))
  })

  bind.ownTransaction(binLabels, onlyCheck, async ({ actor, enter, body, reply, request }) => {
    const place = turns.enter(actor.tenantId)
    if (place === null) throw new AppError('too_many_label_files')
    whenClosed(reply.raw, place.leave)
    const signal = closeSignalOf(reply.raw)
    const { items, sheet } = await enter((tx) => prepareBins(tx, actor, body))
    const pieces = place.inTurn(labelFile(items, { ...body, sheet, logo: null, fonts, signal }))
    const name = `bin_labels_${body.location}.${body.format}`
    return await sendPieces({ request, reply }, { name, type: `application/${body.format}`, pieces, signal })
  })
}
