import { PassThrough } from 'node:stream'
import { exportArchive } from '@inventory-manager/contract/exports/endpoints'
import yazl from 'yazl'
import { recordAudit } from '../audit/queries.ts'
import type { Database } from '../platform/db/database.ts'
import { AppError } from '../platform/http/app-error.ts'
import { attachment } from '../platform/http/attachment.ts'
import type { Binder } from '../platform/http/binder.ts'
import type { Claims, Identity } from '../platform/http/identity.ts'
import { writeArchive } from './write.ts'

/** Each holds a connection for as long as its reader takes. */
const atATime = 2

type Parts = { database: Database; identity: Identity; version: string }

export function archiveRoutes(bind: Binder, { database, identity, version }: Parts): void {
  /** Companies whose archive is being made by this process. */
  const busy = new Set<string>()

  async function authorise(claims: Claims) {
    return await database.inTenant(claims.tenantId, async (tx) => {
      const actor = await identity.actorOf(tx, claims)
      if (actor.role !== 'admin') throw new AppError('forbidden')
      await recordAudit(tx, actor, {
        kind: 'configuration',
        event: 'archive_exported',
        source: 'export',
        metadata: { type: 'export' },
      })
      return `${actor.companyName}_${actor.today}.zip`
    })
  }

  bind.ownTransaction(exportArchive, async ({ claims, request, reply }) => {
    const { tenantId } = claims
    if (busy.has(tenantId) || busy.size >= atATime) throw new AppError('too_many_archives')
    busy.add(tenantId)
    const release = () => busy.delete(tenantId)
    const name = await authorise(claims).catch((error: unknown) => {
      release()
      throw error
    })
    const zip = new yazl.ZipFile()
    // The zip's own stream is not one that can be broken off.
    const output = zip.outputStream.pipe(new PassThrough())
    const stopped = new AbortController()
    reply.raw.on('close', () => stopped.abort())
    database
      .inSnapshot(tenantId, (tx) => writeArchive({ tx, signal: stopped.signal }, { zip, program: version }))
      .then(() => {
        // Before the last byte, so that whoever has it all may ask again.
        release()
        zip.end()
      })
      .catch((error: unknown) => {
        release()
        if (!stopped.signal.aborted) request.log.error({ err: error }, 'the archive broke off')
        output.destroy(error instanceof Error ? error : new Error('The archive broke off.'))
      })
    return await reply.type('application/zip').header('content-disposition', attachment(name)).send(output)
  })
}
