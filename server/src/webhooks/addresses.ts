import type { LookupAddress } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { networkInterfaces } from 'node:os'
import { callbackify } from 'node:util'

/** An address deliveries may not go to: of this machine, a private network, or none of the public internet. */
export class AddressRefused extends Error {}

/** IANA special-purpose registry (RFC 6890 and its updates): everything that is not globally reachable. */
const notPublic4 = new BlockList()
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Azure's own, reached from each of its machines.
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const) {
  notPublic4.addSubnet(network, prefix, 'ipv4')
}

/** Of IPv6 only 2000::/3 is given out; within it, what stands for or leads to other addresses is left out. */
const global6 = new BlockList()
global6.addSubnet('2000::', 3, 'ipv6')
const notPublic6 = new BlockList()
for (const [network, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  notPublic6.addSubnet(network, prefix, 'ipv6')
}

/** The addresses of this machine. What listens on them is reached from here past the firewall around it, also by public ones. */
export function ownAddresses(): ReadonlySet<string> {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
  return new Set(all.map(({ address }) => address))
}

/** Whether an IP address, as text, belongs to the public internet, and to no machine of which it is the `own`. */
export function isPublic(address: string, own: ReadonlySet<string>): boolean {
  if (own.has(address)) return false
  if (isIP(address) === 4) return !notPublic4.check(address, 'ipv4')
  return isIP(address) === 6 && global6.check(address, 'ipv6') && !notPublic6.check(address, 'ipv6')
}

/** The host of a URL as a connection takes it: without the brackets of IPv6. */
function hostOf(url: URL): string {
  return url.hostname.replaceAll(/^\[|\]$/g, '')
}

/** Throws AddressRefused for a URL that names a forbidden address itself, which no look-up would ever see. */
export function refuseLiteral(url: URL, allowPrivate: boolean): void {
  const host = hostOf(url)
  if (!allowPrivate && isIP(host) !== 0 && !isPublic(host, ownAddresses()))
    throw new AddressRefused('The address is not public.')
}

/**
 * The look-up of a connection: the addresses it is given are the ones that were checked, so that a name cannot lead
 * elsewhere between check and connection. One forbidden address among several refuses the name.
 */
export function checkedLookup(
  allowPrivate: boolean,
  find: (host: string) => Promise<LookupAddress[]>,
): LookupFunction {
  const findChecked = async (host: string) => {
    const addresses = await find(host)
    const own = ownAddresses()
    if (allowPrivate || addresses.every(({ address }) => isPublic(address, own))) return addresses
    throw new AddressRefused('The address is not public.')
  }
  const findThen = callbackify(findChecked)
  return (host, options, done) => {
    findThen(host, (error: NodeJS.ErrnoException | null, addresses) => {
      if (error !== null) {
        done(error, [])
        return
      }
      const [first] = addresses
      if (options.all === true || first === undefined) done(null, addresses)
      else done(null, first.address, first.family)
    })
  }
}
