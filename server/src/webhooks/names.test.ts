import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeResolver } from './names.ts'
import { send, type Outcome } from './sending.ts'

/** What the name server answers to a name; nothing to others. */
const answers: Record<string, string | null> = {
  'receiver.example.com': '127.0.0.1',
  'unknown.example.com': null,
}
const asked: string[] = []
const delivered: string[] = []
let nameServer: Socket
const receiver = createServer((request, reply) => {
  delivered.push(request.headers.host ?? '')
  reply.end()
})

/** The name and type in a question (RFC 1035, 4.1.2), and where it ends. */
function readQuestion(message: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = message.readUInt8(at); length > 0; length = message.readUInt8(at)) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: message.readUInt16BE(at + 1), end: at + 5 }
}

/** A reply with the address of type A, with nothing for other types, or that there is no such name. */
function answerTo(message: Buffer, address: string | null): Buffer {
  const { type, end } = readQuestion(message)
  const has = address !== null && type === 1
  const reply = Buffer.from(message.subarray(0, end))
  reply.writeUInt16BE(address === null ? 0x81_83 : 0x81_80, 2)
  reply.writeUInt16BE(has ? 1 : 0, 6)
  reply.writeUInt32BE(0, 8)
  if (!has) return reply
  const bytes = address.split('.').map(Number)
  return Buffer.concat([reply, Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...bytes])])
}

beforeAll(async () => {
  nameServer = createSocket('udp4', (message, { port, address }) => {
    const { name } = readQuestion(message)
    asked.push(name)
    const known = answers[name]
    if (known !== undefined) nameServer.send(answerTo(message, known), port, address)
  })
  nameServer.bind(0, '127.0.0.1')
  receiver.listen(0, '127.0.0.1')
  await Promise.all([once(nameServer, 'listening'), once(receiver, 'listening')])
})
afterAll(async () => {
  nameServer.close()
  receiver.closeAllConnections()
  await new Promise((resolve) => receiver.close(resolve))
})

const port = () => {
  const address = receiver.address()
  if (address === null || typeof address === 'string') throw new Error('The receiver does not listen.')
  return (address satisfies AddressInfo).port
}

async function deliver(
  host: string,
  { allowPrivate = true, signal = new AbortController().signal } = {},
): Promise<Outcome> {
  const asking = () => {
    const resolver = makeResolver()
    resolver.setServers([`127.0.0.1:${nameServer.address().port}`])
    return resolver
  }
  const message = { id: 'msg_1', url: `http://${host}:${port()}/`, secret: 'whsec_AAAA', body: '{}' }
  return await send(message, { allowPrivate, makeResolver: asking, signal })
}

it('a receiver whose name server answers gets its deliveries', async () => {
  expect(await deliver('receiver.example.com')).toEqual({ status: 200, problem: null })
  expect(delivered).toEqual([`receiver.example.com:${port()}`])
})

it('no delivery goes to a private address that a name server gives', async () => {
  expect(await deliver('receiver.example.com', { allowPrivate: false })).toEqual({
    status: null,
    problem: 'The address is not public.',
  })
})

it('a host that the name server does not know has no address', async () => {
  expect(await deliver('unknown.example.com')).toEqual({ status: null, problem: 'The host has no address.' })
})

it('receivers whose name server never answers hold up nobody else', async () => {
  let ended = 0
  const silent = Array.from({ length: 20 }, async (_, number) => {
    const outcome = await deliver(`silent-${number}.example.com`)
    ended += 1
    return outcome
  })
  await expect.poll(() => new Set(asked).size).toBeGreaterThanOrEqual(20)
  expect(await deliver('localhost')).toEqual({ status: 200, problem: null })
  expect(await deliver('receiver.example.com')).toEqual({ status: 200, problem: null })
  expect(ended).toBe(0)
  const given = new Set((await Promise.all(silent)).map(({ problem }) => problem))
  expect([...given]).toEqual(['The host’s address could not be looked up.'])
})

it('a look-up without an answer ends when the sender is stopped', async () => {
  const stopping = new AbortController()
  const other = deliver('silent-too.example.com')
  const sending = deliver('silent.example.com', { signal: stopping.signal })
  await expect.poll(() => asked.includes('silent.example.com')).toBe(true)
  stopping.abort()
  const first = await Promise.race([sending.then(() => 'stopped'), other.then(() => 'without an answer')])
  expect(first).toBe('stopped')
  expect(await sending).toEqual({ status: null, problem: 'The connection failed.' })
  await other
})
