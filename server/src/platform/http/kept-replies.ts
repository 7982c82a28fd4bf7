import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { negotiate } from '@fastify/accept-negotiator'
import { LRUCache } from 'lru-cache'

const mib = 1024 * 1024
const mostBytes = 64 * mib
/** One company's longest list must not push out those of all others. */
const mostBytesOfOne = 8 * mib
/** What an entry takes beside its bytes, about. */
const bytesBeside = 500
/** Below this, compressing saves nothing. */
const compressedFrom = 2048

/** How a reply's bytes are written. */
export type Encoding = 'br' | 'gzip' | 'identity'

/** A reply as it is sent: its bytes in a content encoding, and its entity tag. */
export type KeptReply = { tag: string; encoding: Encoding; bytes: Buffer }

type Asked = {
  /** The company, the call, and everything else that the reply depends on, beside what the company's rows say. */
  about: string
  /** Changes with everything that is written in the company. */
  state: string
  encoding: Encoding
}

const brotli = promisify(brotliCompress)
const gzipped = promisify(gzip)
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }

/** The content encoding that a request prefers (RFC 9110, 12.5.3). */
export function preferredEncoding(accepted: string | undefined): Encoding {
  const preferred = negotiate(accepted ?? '', ['br', 'gzip'])
  return preferred === 'br' || preferred === 'gzip' ? preferred : 'identity'
}

/** Weak, because the same content is sent in several encodings (RFC 9110, 8.8.1). */
export function entityTag(text: string): string {
  return `W/"${createHash('sha1').update(text).digest('base64url')}"`
}

/** Whether an If-None-Match names a tag, or any, by the weak comparison (RFC 9110, 13.1.2). */
export function namesTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch.trim() === '*') return true
  const named: string[] = ifNoneMatch.match(/"[^"]*"/g) ?? []
  return named.includes(tag.replace(/^W\//, ''))
}

async function encode(text: string, preferred: Encoding): Promise<KeptReply> {
  const tag = entityTag(text)
  const encoding = text.length < compressedFrom ? 'identity' : preferred
  if (encoding === 'br') return { tag, encoding, bytes: await brotli(text, brotliOptions) }
  if (encoding === 'gzip') return { tag, encoding, bytes: await gzipped(text) }
  return { tag, encoding, bytes: Buffer.from(text) }
}

export type KeptReplies = (asked: Asked, write: () => Promise<string>) => Promise<KeptReply>

/**
 * Keeps replies as they are sent for as long as nothing changes in their company, the most recently asked for of all
 * companies; those who ask for the same at the same moment wait for one answer (docs/decisions/020-lists-are-kept.md).
 */
export function createKeptReplies(): KeptReplies {
  const kept = new LRUCache<string, { state: string; reply: KeptReply }>({
    maxSize: mostBytes,
    maxEntrySize: mostBytesOfOne,
    sizeCalculation: ({ reply }, key) => reply.bytes.length + key.length + bytesBeside,
  })
  const beingMade = new Map<string, Promise<KeptReply>>()

  async function make(key: string, { state, encoding }: Asked, write: () => Promise<string>) {
    const reply = await encode(await write(), encoding)
    kept.set(key, { state, reply })
    return reply
  }

  return async (asked, write) => {
    const key = `${asked.encoding} ${asked.about}`
    const found = kept.get(key)
    if (found?.state === asked.state) return found.reply
    const moment = `${asked.state} ${key}`
    const awaited =
      beingMade.get(moment) ?? make(key, asked, write).finally(() => void beingMade.delete(moment))
    beingMade.set(moment, awaited)
    return await awaited
  }
}
