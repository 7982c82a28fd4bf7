import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { argv, memoryUsage, cpuUsage, resourceUsage } from 'node:process'
import { Readable } from 'node:stream'
import { writers } from './writers.ts'

/** What one file cost: CPU and growth of memory over what the process had before. */
export type Cost = { cpuMs: number; growthMb: number; bytes: number }

const open = writers[argv[2] ?? '']
if (open === undefined) throw new Error('There is no such writer.')
const write = await open()

const labels = (count: number) =>
  Array.from({ length: count }, (_, place) => ({
    barcode: `SKU-${100_000 + place}`,
    description: `Hex bolt M8 ${place * 7919}`,
  }))

let cost: Cost = { cpuMs: 0, growthMb: 0, bytes: 0 }

async function* measured(count: number): AsyncGenerator<Uint8Array> {
  const list = labels(count)
  const before = { cpu: cpuUsage(), rss: memoryUsage().rss }
  let bytes = 0
  for await (const piece of write(list)) {
    bytes += piece.length
    yield piece
  }
  const { user, system } = cpuUsage(before.cpu)
  // Kilobytes; the largest the process ever was, which this file made it.
  const growth = resourceUsage().maxRSS * 1024 - before.rss
  cost = { cpuMs: (user + system) / 1000, growthMb: Math.max(0, growth) / 1e6, bytes }
}

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://bench')
  if (pathname === '/labels') Readable.from(measured(Number(searchParams.get('count')))).pipe(response)
  else response.end(pathname === '/cost' ? JSON.stringify(cost) : 'pong')
})
server.listen(0, '127.0.0.1', () => {
  const address: AddressInfo | string | null = server.address()
  if (typeof address === 'object' && address !== null) process.send?.(`http://127.0.0.1:${address.port}`)
})
process.on('disconnect', () => process.exit())
