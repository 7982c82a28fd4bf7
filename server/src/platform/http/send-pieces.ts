import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { attachment } from './attachment.ts'
import { cutWhenUntaken } from './cut-when-untaken.ts'

type File = {
  name: string
  type: string
  pieces: AsyncIterable<Buffer>
  /** Aborted when the reader leaves, which is no fault of the file's making. */
  signal: AbortSignal
}

/** Answers with a file piece by piece as it gets ready, and logs what breaks it off; a reader who takes nothing is cut. */
export async function sendPieces(
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  { name, type, pieces, signal }: File,
): Promise<FastifyReply> {
  cutWhenUntaken(reply.raw)
  const file = Readable.from(pieces)
  file.on('error', (error) => {
    if (!signal.aborted) request.log.error({ err: error }, `${name} broke off`)
  })
  return await reply.type(type).header('content-disposition', attachment(name)).send(file)
}
