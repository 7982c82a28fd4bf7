import { createServer } from 'node:net'
import { errorCode } from '../src/platform/error-code.ts'

const first = 20_000
const many = 12_000
let given = process.pid * 100

async function isFree(port: number): Promise<boolean> {
  return await new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', (error) => (errorCode(error) === 'EADDRINUSE' ? resolve(false) : reject(error)))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}

/**
 * A port of 127.0.0.1 that nobody listens on now. It is below those that a system gives to whoever asks for any, as
 * other tests do before the one that asked listens on it.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    given += 1
    const port = first + (given % many)
    if (await isFree(port)) return port
  }
}
