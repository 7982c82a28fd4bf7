import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** A way to a database whose address stays while what is behind it comes and goes. */
export type Proxy = {
  port: number
  /** Leads to another port from now on. */
  leadTo(port: number): void
  /** Cuts every connection there is, as a network that breaks does. */
  cut(): void
  close(): Promise<void>
}

function join(client: Socket, upstream: Socket): void {
  client.pipe(upstream)
  upstream.pipe(client)
  for (const [one, other] of [
    [client, upstream],
    [upstream, client],
  ] as const) {
    // Broken connections are what this is for; the other side learns it by its own end breaking.
    one.on('error', () => other.destroy())
    one.on('close', () => other.destroy())
  }
}

export async function startProxy(target: number): Promise<Proxy> {
  let port = target
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1')
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket))
    }
    join(client, upstream)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port.')
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    port: address.port,
    leadTo(next) {
      port = next
    },
    cut,
    async close() {
      const closed = once(server, 'close')
      server.close()
      cut()
      await closed
    },
  }
}
