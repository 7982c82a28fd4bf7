import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** What such a connection has sent when it begins to dawdle: half of the headers, or headers and half of a body. */
const beginnings = [
  'GET /health HTTP/1.1\r\nHost: localhost\r\nX-Slow: ',
  'POST /api/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"email":"',
]

const byteEveryMs = 500

async function dawdle(socket: Socket, beginning: string): Promise<number> {
  await once(socket, 'connect')
  const opened = performance.now()
  socket.write(beginning)
  const timer = setInterval(() => socket.write('x'), byteEveryMs)
  // Reads to the end, or the other side's end would never be seen.
  socket.resume()
  // Being cut may come as an error first, which is as good.
  await new Promise((resolve) => socket.on('error', resolve).on('close', resolve))
  clearInterval(timer)
  return performance.now() - opened
}

export type Cut = { opened: number; cut: number; slowestMs: number }

/** Opens connections that send a byte twice a second; the answer tells how many the server cut, and after how long. */
export function openSlowConnections(origin: string, count: number): { end: () => Promise<Cut> } {
  const { hostname, port } = new URL(origin)
  const lasted: number[] = []
  const sockets: Socket[] = []
  const all = Array.from({ length: count }, async (_, index) => {
    const socket = connect(Number(port), hostname)
    sockets.push(socket)
    lasted.push(await dawdle(socket, beginnings[index % beginnings.length] ?? ''))
  })
  return {
    async end() {
      const cut = lasted.length
      const slowestMs = Math.round(Math.max(0, ...lasted))
      for (const socket of sockets) socket.destroy()
      await Promise.allSettled(all)
      return { opened: count, cut, slowestMs }
    },
  }
}
