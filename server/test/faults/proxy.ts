import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { Transform } from 'node:stream'

/** A way to a database whose address stays while what is behind it comes and goes. */
export type Proxy = {
  port: number
  /** Leads to another port from now on. */
  leadTo(port: number): void
  /** Cuts every connection there is, as a network that breaks does. */
  cut(): void
  /** Swallows from now on whatever is sent, on connections there are and on new ones, and never says so. */
  swallow(): void
  /** New connections work again; those that swallowed stay dead, as behind a firewall that forgot them. */
  heal(): void
  close(): Promise<void>
}

/** Lets bytes through until it is told to swallow them. */
function createGate(): { stream: Transform; close: () => void } {
  let open = true
  const stream = new Transform({
    transform: (chunk: Buffer, _encoding, done) => (open ? done(null, chunk) : done()),
  })
  return { stream, close: () => (open = false) }
}

/** Joins both sides; gives what makes both ways swallow. */
function join(client: Socket, upstream: Socket): () => void {
  const [there, back] = [createGate(), createGate()]
  client.pipe(there.stream).pipe(upstream)
  upstream.pipe(back.stream).pipe(client)
  for (const [one, other] of [
    [client, upstream],
    [upstream, client],
  ] as const) {
    // Broken connections are what this is for; the other side learns it by its own end breaking.
    one.on('error', () => other.destroy())
    one.on('close', () => other.destroy())
  }
  return () => {
    there.close()
    back.close()
  }
}

export async function startProxy(target: number): Promise<Proxy> {
  let port = target
  let swallowing = false
  const sockets = new Set<Socket>()
  const gates = new Set<() => void>()
  const server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1')
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket))
    }
    const close = join(client, upstream)
    gates.add(close)
    client.on('close', () => gates.delete(close))
    if (swallowing) close()
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
    swallow() {
      swallowing = true
      for (const close of gates) close()
    },
    heal() {
      swallowing = false
    },
    async close() {
      const closed = once(server, 'close')
      server.close()
      cut()
      await closed
    },
  }
}
