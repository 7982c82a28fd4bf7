import { createHmac, randomBytes } from 'node:crypto'
import {
  request as requestHttp,
  type ClientRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
} from 'node:http'
import { request as requestHttps } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import { errorCode } from '../platform/error-code.ts'
import { AddressRefused, checkedLookup, refuseLiteral } from './addresses.ts'
import { findAddresses, type Asking } from './names.ts'

const timeoutMs = 10_000
/** More of a reply is not read. */
const replyBytes = 64 * 1024
/** How long the rest of a reply is waited for. */
const restMs = 1_000
const switchingProtocols = 101

/** What came of one attempt: the receiver's status, and a sentence where it did not take the delivery. */
export type Outcome = { status: number | null; problem: string | null }

/** A signing secret as receivers' libraries take it (Standard Webhooks 1.0). */
export function makeSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}

/** The value of webhook-signature: HMAC-SHA256 over id, seconds since 1970 and body (Standard Webhooks 1.0). */
function sign(secret: string, message: { id: string; seconds: number; body: string }): string {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const hmac = createHmac('sha256', key).update(`${message.id}.${message.seconds}.${message.body}`)
  return `v1,${hmac.digest('base64')}`
}

const sentences: Record<string, string> = {
  ENOTFOUND: 'The host has no address.',
  EAI_AGAIN: 'The host’s address could not be looked up.',
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was cut off.',
  EHOSTUNREACH: 'The host cannot be reached.',
  ENETUNREACH: 'The host cannot be reached.',
}

/** A sentence for the log. What the network said itself is not repeated: it would tell about the server's network. */
function problemOf(error: unknown): string {
  if (error instanceof AddressRefused) return error.message
  if (!(error instanceof Error)) return 'The connection failed.'
  if (error instanceof TooSlow) return `There was no answer within ${timeoutMs / 1000} seconds.`
  const code = errorCode(error) ?? ''
  if (/CERT|TLS|SSL/.test(code)) return 'The certificate of the host is not valid.'
  return sentences[code] ?? 'The connection failed.'
}

/** Reads a reply to its end, or to as much as is ever read. */
async function drain(reply: IncomingMessage): Promise<void> {
  let read = 0
  for await (const chunk of reply) {
    read += Buffer.byteLength(chunk)
    if (read > replyBytes) break
  }
}

function outcomeOf(status: number): Outcome {
  if (status >= 200 && status < 300) return { status, problem: null }
  if (status >= 300 && status < 400)
    return { status, problem: 'It answered with a redirect, which is not followed.' }
  return { status, problem: `It answered with status ${status}.` }
}

class TooSlow extends Error {}

/** A signal that also ends by time. AbortSignal.any would let go of the timer: it holds its sources weakly. */
function limitedBy(signal: AbortSignal): { limited: AbortSignal; done: () => void } {
  const controller = new AbortController()
  const stop = () => controller.abort(signal.reason)
  const timer = setTimeout(() => controller.abort(new TooSlow()), timeoutMs)
  signal.addEventListener('abort', stop)
  if (signal.aborted) stop()
  return {
    limited: controller.signal,
    done() {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
    },
  }
}

export type Message = { id: string; url: string; secret: string; body: string }

function headersOf({ id, body, secret }: Message): OutgoingHttpHeaders {
  const seconds = Math.floor(Date.now() / 1000)
  return {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'user-agent': 'Inventory-Manager-Webhooks/1',
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': sign(secret, { id, seconds, body }),
  }
}

/** Sends a request and gives the status of its reply; settles however the connection or the signal ends. */
async function statusOf(request: ClientRequest, body: string, signal: AbortSignal): Promise<number> {
  const reply = await new Promise<IncomingMessage>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('The request took too long, or was called off.')))
    request
      .on('response', resolve)
      // With status 101 a receiver takes the connection for another protocol; the reply has no end to wait for.
      .on('upgrade', (upgrade, socket) => {
        socket.destroy()
        resolve(upgrade)
      })
      .on('error', reject)
      .on('close', () => reject(new Error('The connection was closed without an answer.')))
      .end(body)
  })
  // What it has said counts, however the rest of it ends; that is read so that nobody is cut off in the middle.
  if (reply.statusCode !== switchingProtocols) {
    await Promise.race([Promise.allSettled([drain(reply)]), sleep(restMs, null, { ref: false })])
    reply.destroy()
  }
  return reply.statusCode ?? 0
}

type Sending = Asking & { allowPrivate: boolean }

/**
 * Posts one signed delivery over a connection of its own and says what came of it; never throws for what the receiver
 * or the network does. Redirects are not followed, ten seconds and 64 kB of reply are all it gets.
 */
export async function send(
  message: Message,
  { allowPrivate, makeResolver, signal }: Sending,
): Promise<Outcome> {
  const url = new URL(message.url)
  const { limited, done } = limitedBy(signal)
  try {
    refuseLiteral(url, allowPrivate)
    const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
      method: 'POST',
      agent: false,
      signal: limited,
      lookup: checkedLookup(allowPrivate, (host) => findAddresses(host, { makeResolver, signal: limited })),
      headers: headersOf(message),
    })
    return outcomeOf(await statusOf(request, message.body, limited))
  } catch (error) {
    return { status: null, problem: problemOf(limited.aborted ? limited.reason : error) }
  } finally {
    done()
  }
}
