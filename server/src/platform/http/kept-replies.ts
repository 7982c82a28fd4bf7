import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { negotiate } from '@fastify/accept-negotiator'
import { LRUCache } from 'lru-cache'
import type { Tx } from '../db/database.ts'
import { createTurns, createTurnsOfEach } from '../turns.ts'
import { bytesOf, lengthOf, type ListText } from './list-text.ts'

const mib = 1024 * 1024
/** Of replies as they are sent, and as much again of the texts they were made of; twice that where those are not Latin. */
const mostBytes = 64 * mib
/** One company's longest list must not push out those of all others: what is longer is kept for nobody. */
export const mostBytesOfOne = 8 * mib
/** How many lists of a company are made at a moment: each may be 128 MB of text. */
const mostMaking = 2
const mostWaiting = 1_000
/** And of all companies together: what they take of the memory adds up. */
const mostMakingOfAll = 4
/** What an entry takes beside its bytes, about. */
const bytesBeside = 500
const bytesOfId = 60
/** Below this, compressing saves nothing. */
const compressedFrom = 2048

/** How a reply's bytes are written. */
export type Encoding = 'br' | 'gzip' | 'identity'

/** A reply as it is sent: its bytes in a content encoding, and its entity tag. */
export type KeptReply = { tag: string; encoding: Encoding; bytes: Buffer }

/** A moment of a company's trail: `known` are all entries from the one `from` on; below it there come no more. */
export type Mark = { from: string; known: ReadonlySet<string> }

/** What a company's trail tells of its lists. */
export type Trail = {
  /** Tells two moments of a company apart between which anything was written. */
  stateOf: (tx: Tx) => Promise<string>
  /** Now, and the barcodes of components that alone have changed in any list since; null where others may have. */
  since: (tx: Tx, mark: Mark | null) => Promise<{ mark: Mark | null; changed: readonly string[] | null }>
}

/** A list as it was given before, and the barcodes of what has changed since. */
export type KeptList = { list: ListText; changed: readonly string[] }

type MarkedList = { mark: Mark; list: ListText }
type Write = (before: MarkedList | null) => Promise<{ mark: Mark | null; list: ListText }>

type Asked = {
  tenantId: string
  /** The company, the call, and everything else that the reply depends on, beside what the company's rows say. */
  about: string
  /** Changes with everything that is written in the company. */
  state: string
  encoding: Encoding
}

const brotli = promisify(brotliCompress)
const gzipped = promisify(gzip)
/** As small as by 4 and the usual window, and in three quarters of the time: lists repeat within a few lines. */
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 3, [constants.BROTLI_PARAM_LGWIN]: 16 } }

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

function tagOfList({ parts, rest }: ListText): string {
  return entityTag([...parts.map(({ hash }) => hash), rest].join(' '))
}

async function encode(list: ListText, tag: string, preferred: Encoding): Promise<KeptReply> {
  const text = bytesOf(list)
  const encoding = text.length < compressedFrom ? 'identity' : preferred
  if (encoding === 'br') return { tag, encoding, bytes: await brotli(text, brotliOptions) }
  if (encoding === 'gzip') return { tag, encoding, bytes: await gzipped(text) }
  return { tag, encoding, bytes: text }
}

/** The most recently asked for of all companies. */
function cacheOf<V extends NonNullable<unknown>>(bytesOf: (value: V) => number): LRUCache<string, V> {
  return new LRUCache({
    maxSize: mostBytes,
    maxEntrySize: mostBytesOfOne,
    sizeCalculation: (value, key) => bytesOf(value) + key.length + bytesBeside,
  })
}

export type KeptReplies = (asked: Asked, write: Write) => Promise<KeptReply>

/**
 * Keeps replies as they are sent for as long as nothing changes in their company, and their texts, in which what has changed
 * takes the place of what was; those who ask for the same at the same moment wait for one answer
 * (docs/decisions/020-lists-are-kept.md).
 */
export function createKeptReplies(): KeptReplies {
  const replies = cacheOf<{ state: string; reply: KeptReply }>(({ reply }) => reply.bytes.length)
  const lists = cacheOf<MarkedList>(({ list, mark }) => lengthOf(list) + mark.known.size * bytesOfId)
  const beingMade = new Map<string, Promise<KeptReply>>()
  const lines = { what: 'turns for lists', maxWaiting: mostWaiting } as const
  const turnsOfEach = createTurnsOfEach({ ...lines, maxRunning: mostMaking })
  const turns = createTurns({ ...lines, maxRunning: mostMakingOfAll })

  async function make(key: string, { about, state, encoding }: Asked, write: Write): Promise<KeptReply> {
    const { mark, list } = await write(lists.get(about) ?? null)
    if (mark === null) lists.delete(about)
    else lists.set(about, { mark, list })
    const tag = tagOfList(list)
    const sent = replies.get(key)?.reply
    const reply = sent?.tag === tag ? sent : await encode(list, tag, encoding)
    replies.set(key, { state, reply })
    return reply
  }

  return async (asked, write) => {
    const key = `${asked.encoding} ${asked.about}`
    const found = replies.get(key)
    if (found?.state === asked.state) return found.reply
    const moment = `${asked.state} ${key}`
    const awaited =
      beingMade.get(moment) ??
      turnsOfEach(asked.tenantId, () => turns(() => make(key, asked, write))).finally(
        () => void beingMade.delete(moment),
      )
    beingMade.set(moment, awaited)
    return await awaited
  }
}
