import { once } from 'node:events'
import { createServer, get, type IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import { errorCode } from '../error-code.ts'
import { cutWhenSlow, readerPatience } from './cut-when-untaken.ts'

const usual = { ...readerPatience }
afterEach(() => Object.assign(readerPatience, usual))

/** Asks for a reply without an end; the answer closes its server. */
async function openEndless(): Promise<{ reply: IncomingMessage; close: () => void }> {
  const piece = Buffer.alloc(64 * 1024)
  const server = createServer((_, response) => {
    cutWhenSlow(response)
    new Readable({
      read: function give() {
        this.push(piece)
      },
    }).pipe(response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const request = get({ port: Object(server.address()).port, host: '127.0.0.1' })
  const [reply] = await once(request, 'response')
  return {
    reply,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Takes so many bytes a second for so long at most; says whether the reply was cut off meanwhile. */
async function isCutWhileReading(
  reply: IncomingMessage,
  { bytesPerSecond, seconds }: { bytesPerSecond: number; seconds: number },
): Promise<boolean> {
  const began = performance.now()
  let taken = 0
  try {
    for await (const piece of reply) {
      taken += Buffer.from(piece).length
      const due = (taken / bytesPerSecond) * 1_000
      await sleep(Math.max(0, began + due - performance.now()))
      if (performance.now() - began > seconds * 1_000) return false
    }
  } catch (error) {
    if (errorCode(error) !== 'ECONNRESET') throw error
    return true
  }
  throw new Error('It has no end.')
}

it('who takes less than may be waited for is cut off', async () => {
  Object.assign(readerPatience, { readerMs: 1_000, leastBytesPerSecond: 4_000_000 })
  const { reply, close } = await openEndless()
  expect(await isCutWhileReading(reply, { bytesPerSecond: 1_000_000, seconds: 60 })).toBe(true)
  close()
})

it('who takes a little, and all the time, is not', async () => {
  Object.assign(readerPatience, { readerMs: 1_000, leastBytesPerSecond: 100_000 })
  const { reply, close } = await openEndless()
  expect(await isCutWhileReading(reply, { bytesPerSecond: 8_000_000, seconds: 4 })).toBe(false)
  close()
})
