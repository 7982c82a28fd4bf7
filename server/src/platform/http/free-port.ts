import { createServer } from 'node:net'
import { errorCode } from '../error-code.ts'
import { SentenceError } from '../sentence-error.ts'

/** Nothing can listen where it should; the message says why, and which setting mends it. */
class ListenError extends SentenceError {}

/** Where to listen, and by which settings that was said. */
export type ListenAddress = { port: number; host: string; settings: { port: string; host: string } }

const sentences: Record<string, (address: ListenAddress) => string> = {
  EADDRINUSE: ({ port, settings }) =>
    `Port ${port} is taken by another program. Stop that program, or choose another port with ${settings.port}.`,
  EACCES: ({ port, settings }) =>
    `This user may not listen on port ${port}. Choose one above 1023 with ${settings.port}, and put a proxy in front.`,
  EADDRNOTAVAIL: ({ host, settings }) =>
    `${host} is no address of this machine. Set ${settings.host} to 127.0.0.1, to 0.0.0.0 for all networks, or to one of its own.`,
}

/** Turns the system's refusal to listen into a sentence; any other error comes back unchanged. */
function explainListening(error: unknown, address: ListenAddress): unknown {
  const isUnknown = error instanceof Error && 'syscall' in error && error.syscall === 'getaddrinfo'
  const explain = sentences[isUnknown ? 'EADDRNOTAVAIL' : (errorCode(error) ?? '')]
  return explain === undefined ? error : new ListenError(explain(address), { cause: error })
}

/** Rejects with ListenError when nothing can listen there; before any work is done. */
export async function requireFreePort(address: ListenAddress): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const probe = createServer()
    probe.once('error', (error) => reject(explainListening(error, address)))
    probe.listen(address.port, address.host, () => probe.close(() => resolve()))
  })
}

/** Listens there; rejects with ListenError when something else has taken the address meanwhile. */
export async function listenAt<T>(address: ListenAddress, listen: () => Promise<T>): Promise<T> {
  try {
    return await listen()
  } catch (error) {
    throw explainListening(error, address)
  }
}
