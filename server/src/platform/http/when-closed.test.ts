import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { isClosed, whenClosed } from './when-closed.ts'

let server: Server
let client: Socket
/** The same, as the server has it. */
let connections: Socket[]
let replies: Map<string, ServerResponse>
let over: string[]
beforeEach(async () => {
  replies = new Map()
  over = []
  connections = []
  server = createServer(({ url = '' }, reply) => {
    replies.set(url, reply)
    whenClosed(reply, () => void over.push(url))
  })
  server.on('connection', (connection) => connections.push(connection))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  client = connect(typeof address === 'object' ? (address?.port ?? 0) : 0, '127.0.0.1')
  client.on('data', () => undefined)
})
afterEach(async () => {
  client.destroy()
  server.close()
  await once(server, 'close')
})

async function ask(...paths: string[]): Promise<void> {
  client.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nhost: here\r\n\r\n`).join(''))
  await expect.poll(() => replies.size).toBe(paths.length)
}

it('replies are over when they were sent, each once, also where several are asked for at once', async () => {
  await ask('/first', '/second', '/third')
  replies.get('/second')?.end()
  replies.get('/first')?.end()
  await expect.poll(() => over).toEqual(['/first', '/second'])
  replies.get('/third')?.end()
  await expect.poll(() => over).toEqual(['/first', '/second', '/third'])
  const cut = connections.map((connection) => once(connection, 'close'))
  client.destroy()
  await Promise.all(cut)
  expect(over).toEqual(['/first', '/second', '/third'])
})

it('a reply behind another is over with its connection, though it never began', async () => {
  await ask('/first', '/second')
  client.destroy()
  await expect.poll(() => over.toSorted()).toEqual(['/first', '/second'])
  const second = replies.get('/second')
  expect(second === undefined || isClosed(second)).toBe(true)
  if (second !== undefined) whenClosed(second, () => void over.push('again'))
  expect(over).toContain('again')
})
