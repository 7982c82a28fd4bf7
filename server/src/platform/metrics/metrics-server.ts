import { createServer, type Server } from 'node:http'
import { inAddress } from '../http/network.ts'
import type { Metrics } from './metrics.ts'

async function listen(server: Server, { port, host }: { port: number; host: string }): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
}

/**
 * Shows the metrics at /metrics on a port of their own, so that a proxy in front of the program's port can never
 * show them to the world. Rejects with the system's error when nothing can listen there.
 */
export async function serveMetrics(
  metrics: Pick<Metrics, 'read' | 'contentType'>,
  place: { port: number; host: string },
): Promise<{ url: string; close: () => Promise<void> }> {
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response
        .writeHead(404, { 'content-type': 'text/plain; charset=utf-8' })
        .end('Only GET /metrics is here.\n')
      return
    }
    metrics.read().then(
      (text) => response.writeHead(200, { 'content-type': metrics.contentType }).end(text),
      (error: unknown) => response.writeHead(500).end(`${String(error)}\n`),
    )
  })
  await listen(server, place)
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : place.port
  return {
    url: `http://${inAddress(place.host)}:${port}/metrics`,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      await closed
    },
  }
}
