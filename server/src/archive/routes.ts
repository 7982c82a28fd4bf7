import { PassThrough } from 'node:stream'
import { exportArchive } from '@inventory-manager/contract/exports/endpoints'
import yazl from 'yazl'
import { recordAudit } from '../audit/queries.ts'
import type { Database, Tx } from '../platform/db/database.ts'
import { AppError } from '../platform/http/app-error.ts'
import { attachment } from '../platform/http/attachment.ts'
import { onlyCheck } from '../platform/http/entrance.ts'
import type { Binder } from '../platform/http/binder-types.ts'
import { cutWhenSlow, cutWhenUntaken } from '../platform/http/cut-when-untaken.ts'
import type { Actor } from '../platform/http/identity.ts'
import { closeSignalOf } from '../platform/http/when-closed.ts'
import { writeArchive } from './write.ts'

/** How many archives are made at a time: each holds a connection for as long as its reader takes, and others need some. */
const mostAtATime = (connections: number) => (connections < 4 ? 1 : 2)

/** Records that somebody takes the archive; gives the file's name. */
async function recordExport(tx: Tx, actor: Actor): Promise<string> {
  await recordAudit(tx, actor, {
    kind: 'configuration',
    event: 'archive_exported',
    source: 'export',
    metadata: { type: 'export' },
  })
  return `${actor.companyName}_${actor.today}.zip`
}

export function archiveRoutes(
  bind: Binder,
  { database, version }: { database: Database; version: string },
): void {
  /** Companies whose archive is being made by this process. */
  const busy = new Set<string>()

  bind.ownTransaction(exportArchive, onlyCheck, async ({ actor: { tenantId }, enter, request, reply }) => {
    const most = mostAtATime(database.poolUse().size)
    if (busy.has(tenantId)) throw new AppError('too_many_archives')
    if (busy.size >= most) throw new AppError('archives_busy')
    busy.add(tenantId)
    const release = () => busy.delete(tenantId)
    const name = await enter(recordExport).catch((error: unknown) => {
      release()
      throw error
    })
    const zip = new yazl.ZipFile()
    // The zip's own stream is not one that can be broken off.
    const output = zip.outputStream.pipe(new PassThrough())
    const signal = closeSignalOf(reply.raw)
    cutWhenUntaken(reply.raw)
    cutWhenSlow(reply.raw)
    database
      .inLongSnapshot(tenantId, (tx) => writeArchive({ tx, signal }, { zip, program: version }))
      .then(() => {
        // Before the last byte, so that whoever has it all may ask again.
        release()
        zip.end()
      })
      .catch((error: unknown) => {
        release()
        if (!signal.aborted) request.log.error({ err: error }, 'the archive broke off')
        output.destroy(error instanceof Error ? error : new Error('The archive broke off.'))
      })
    return await reply.type('application/zip').header('content-disposition', attachment(name)).send(output)
  })
}
