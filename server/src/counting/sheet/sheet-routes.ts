import { monthOf } from '@inventory-manager/contract/calendar'
import { countSheet } from '@inventory-manager/contract/counting/sheet-endpoints'
import { placeName } from '@inventory-manager/contract/stock/places'
import { AppError } from '../../platform/http/app-error.ts'
import type { Binder } from '../../platform/http/binder-types.ts'
import { onlyCheck } from '../../platform/http/entrance.ts'
import { createFileTurns } from '../../platform/http/file-turns.ts'
import type { Actor } from '../../platform/http/identity.ts'
import { sendPieces } from '../../platform/http/send-pieces.ts'
import { closeSignalOf, whenClosed } from '../../platform/http/when-closed.ts'
import type { PdfFonts } from '../../platform/pdf/fonts.ts'
import { clockOf, monthName } from '../../platform/written-times.ts'
import { sheetPdf, type CountSheet } from './sheet-pdf.ts'
import type { SheetLine } from './sheet-queries.ts'
import { binsOf, isPendingOnly, prepareSheet, type SheetQuery } from './sheet-service.ts'

function countName({ today }: Actor, { day, cycle, spot_count: spot }: SheetQuery): string {
  if (spot !== undefined) return 'Spot count'
  if (day !== undefined) return `Weekly count, ${day}`
  if (cycle !== undefined) return `Cycle count, ${cycle}`
  return `Monthly count, ${monthName(monthOf(today))}`
}

function sheetOf(actor: Actor, { query, lines }: { query: SheetQuery; lines: SheetLine[] }): CountSheet {
  return {
    companyName: actor.companyName,
    place: placeName(query.location, actor.locationNames),
    count: countName(actor, query),
    bins: binsOf(query),
    isPendingOnly: isPendingOnly(actor, query),
    printedBy: actor.userName,
    printedAt: clockOf(actor.timeZone)(new Date()),
    lines,
  }
}

export function sheetRoutes(bind: Binder, { fonts }: { fonts: () => Promise<PdfFonts> }): void {
  const turns = createFileTurns()

  bind.ownTransaction(countSheet, onlyCheck, async ({ actor, enter, query, reply, request }) => {
    const place = turns.enter(actor.tenantId)
    if (place === null) throw new AppError('too_many_exports')
    whenClosed(reply.raw, place.leave)
    const signal = closeSignalOf(reply.raw)
    const lines = await enter((tx) => prepareSheet(tx, actor, query))
    const sheet = sheetOf(actor, { query, lines })
    const pieces = place.inTurn(sheetPdf(sheet, { fonts: await fonts(), paper: query.paper, signal }))
    const name = `count_sheet_${query.location}_${query.day ?? actor.today}.pdf`
    return await sendPieces({ request, reply }, { name, type: 'application/pdf', pieces, signal })
  })
}
