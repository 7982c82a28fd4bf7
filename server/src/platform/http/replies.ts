import type { Endpoint } from '@inventory-manager/contract/endpoint'
import type { z } from '@inventory-manager/contract/zod'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { cutWhenSlow, cutWhenUntaken } from './cut-when-untaken.ts'
import { entityTag, mostBytesOfOne, namesTag, type KeptReply } from './kept-replies.ts'

const json = 'application/json; charset=utf-8'

function shapeOf({ reply }: Endpoint): z.ZodMiniType {
  if (!('json' in reply)) throw new Error('Only JSON replies are presented.')
  return reply.json
}

/** Checks a reply against its schema, which also drops whatever the contract does not name. */
export function shaped(endpoint: Endpoint, value: unknown): unknown {
  return shapeOf(endpoint).parse(value)
}

/** Sends a reply as its schema has it. */
export function present(endpoint: Endpoint, reply: FastifyReply, value: unknown): FastifyReply {
  return sendJson(endpoint, reply, JSON.stringify(shaped(endpoint, value)))
}

/** Sends a reply that was shaped when it was made. */
export function presentShaped(endpoint: Endpoint, reply: FastifyReply, value: unknown): FastifyReply {
  return sendJson(endpoint, reply, JSON.stringify(value))
}

/** Sends a reply that may have been kept by a version whose contract had another shape for it: as that one would have. */
export function presentKept(endpoint: Endpoint, reply: FastifyReply, value: unknown): FastifyReply {
  const read = shapeOf(endpoint).safeParse(value)
  return sendJson(endpoint, reply, JSON.stringify(read.success ? read.data : value))
}

/** Whether the client has this already, and is told so. */
function isUnchanged({ revalidates }: Endpoint, { headers }: FastifyRequest, tag: string): boolean {
  return revalidates === true && namesTag(headers['if-none-match'], tag)
}

/** How many bytes of a kept reply go to the client: none of what it has already, and none to who asks for the head alone. */
export function bytesToSend(endpoint: Endpoint, request: FastifyRequest, { tag, bytes }: KeptReply): number {
  return request.method === 'HEAD' || isUnchanged(endpoint, request, tag) ? 0 : bytes.length
}

/** As isUnchanged; where the endpoint says so, the client may ask that next time. */
function isKnown(endpoint: Endpoint, reply: FastifyReply, tag: string): boolean {
  if (endpoint.revalidates !== true) return false
  void reply.headers({ etag: tag, 'cache-control': 'private, no-cache', vary: 'authorization' })
  return isUnchanged(endpoint, reply.request, tag)
}

/** From how many bytes on a reply is worth a timer: less than that waits in the network. */
const largeFrom = 256 * 1024
const pieceBytes = 64 * 1024

function* piecesOf(body: Buffer): Generator<Buffer, void, undefined> {
  for (let at = 0; at < body.length; at += pieceBytes) yield body.subarray(at, at + pieceBytes)
}

/** Sends a body, and no longer than somebody takes it; one that is kept for nobody else no slower than others can wait for. */
function sendBody(endpoint: Endpoint, reply: FastifyReply, body: string | Buffer): FastifyReply {
  void reply.code(endpoint.reply.status).type(json)
  if (body.length > largeFrom) cutWhenUntaken(reply.raw)
  if (body.length <= mostBytesOfOne) return reply.send(body)
  cutWhenSlow(reply.raw)
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  // In pieces, by which is seen how fast they are taken.
  return reply.header('content-length', bytes.length).send(Readable.from(piecesOf(bytes)))
}

/** Sends JSON text, or 304 to who has it already. */
export function sendJson(endpoint: Endpoint, reply: FastifyReply, payload: string): FastifyReply {
  if (endpoint.revalidates === true && isKnown(endpoint, reply, entityTag(payload)))
    return reply.code(304).send()
  return sendBody(endpoint, reply, payload)
}

/** Sends the bytes of a kept reply, or 304 to who has them already. */
export function sendKept(
  endpoint: Endpoint,
  reply: FastifyReply,
  { tag, encoding, bytes }: KeptReply,
): FastifyReply {
  if (isKnown(endpoint, reply, tag)) return reply.code(304).send()
  if (encoding !== 'identity') {
    // @fastify/compress leaves alone what has an encoding.
    void reply.headers({ 'content-encoding': encoding, vary: 'authorization, accept-encoding' })
  }
  return sendBody(endpoint, reply, bytes)
}
