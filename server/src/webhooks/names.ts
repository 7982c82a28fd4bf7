import type { LookupAddress } from 'node:dns'
import { lookup, NODATA, NOTFOUND, Resolver } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { errorCode } from '../platform/error-code.ts'

const hostsFile =
  process.platform === 'win32' ? String.raw`C:\Windows\System32\drivers\etc\hosts` : '/etc/hosts'

/** No address of a host, with the code that getaddrinfo has for it. */
export class NoAddress extends Error {
  readonly code: 'ENOTFOUND' | 'EAI_AGAIN'
  constructor(causes: unknown[]) {
    super('The name servers gave no address.', { cause: causes })
    this.code = causes.every(isNone) ? 'ENOTFOUND' : 'EAI_AGAIN'
  }
}

/** Whether a name server said that there is no such name, or no address of the kind. */
function isNone(error: unknown): boolean {
  const code = errorCode(error)
  return code === NOTFOUND || code === NODATA
}

/** Asks the name servers that the machine has now. */
export const makeResolver = (): Resolver => new Resolver({ timeout: 2_000, tries: 2 })

async function readHostsFile(): Promise<string> {
  try {
    return await readFile(hostsFile, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return ''
    throw error
  }
}

/** Whether the machine or its own network says where a host is, so that nobody outside can let the answer wait. */
async function isOwn(host: string): Promise<boolean> {
  if (!host.includes('.')) return true
  const lines = (await readHostsFile()).split('\n').map((line) => line.replace(/#.*/, ''))
  return lines.some((line) => line.toLowerCase().split(/\s+/).slice(1).includes(host))
}

/** What ends the names of hosts that only a network itself knows (RFC 6761, RFC 6762, RFC 8375, ICANN's .internal). */
const internalEnds = ['.localhost', '.local', '.internal', '.home.arpa', '.lan', '.svc']

/** Whether a name is of no use outside a network, whether or not there is such a host: who asks learns nothing of it. */
export function isInternal(host: string): boolean {
  return isIP(host) === 0 && (!host.includes('.') || internalEnds.some((end) => host.endsWith(end)))
}

async function ask(resolver: Resolver, host: string): Promise<LookupAddress[]> {
  const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  const addresses = [
    ...(four.status === 'fulfilled' ? four.value.map((address) => ({ address, family: 4 })) : []),
    ...(six.status === 'fulfilled' ? six.value.map((address) => ({ address, family: 6 })) : []),
  ]
  if (addresses.length > 0) return addresses
  const causes: unknown[] = [four, six].flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
  throw new NoAddress(causes)
}

export type Asking = { makeResolver: () => Resolver; signal: AbortSignal }

/**
 * The addresses of a host. Name servers are asked over a connection of our own: getaddrinfo holds one of the few threads
 * that everything in this process shares, for as long as the name servers of a company's choice are silent.
 */
export async function findAddresses(
  host: string,
  { makeResolver: make, signal }: Asking,
): Promise<LookupAddress[]> {
  const family = isIP(host)
  if (family !== 0) return [{ address: host, family }]
  if (await isOwn(host)) return await lookup(host, { all: true })
  signal.throwIfAborted()
  const resolver = make()
  const cancel = () => resolver.cancel()
  signal.addEventListener('abort', cancel)
  try {
    return await ask(resolver, host)
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}
