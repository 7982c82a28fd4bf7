import { isIP } from 'node:net'

/** The eight groups of an IPv6 address, as short as they can be. */
function groupsOf(address: string): string[] {
  const { hostname } = new URL(`http://[${address}]`)
  const [head = '', tail = ''] = hostname.slice(1, -1).split('::')
  const [before, after] = [head, tail].map((part) => (part === '' ? [] : part.split(':')))
  const known = [...(before ?? []), ...(after ?? [])].length
  return [...(before ?? []), ...Array.from({ length: 8 - known }, () => '0'), ...(after ?? [])]
}

/** The two bytes of a group as IPv4 writes them. */
function bytesOf(group: string): string {
  const value = Number.parseInt(group, 16)
  return `${value >> 8}.${value & 255}`
}

/** As some proxies write it: with a port behind, or in brackets. */
const writtenByProxy = /^(?:([\d.]+):\d+|\[([^\]]*)\](?::\d+)?)$/

/** An address by itself: by its port each connection would be somebody else. */
function withoutPort(address: string): string {
  const [, four, six] = writtenByProxy.exec(address) ?? []
  return four ?? six ?? address
}

/**
 * What limits go by: an address of IPv4, also where it comes within one of IPv6; of IPv6 the /64, all of which one machine may
 * take for itself.
 */
export function networkOf(address: string): string {
  const [plain = ''] = withoutPort(address).split('%')
  if (isIP(plain) === 4) return plain
  if (isIP(plain) !== 6) return address
  const groups = groupsOf(plain)
  if (groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff') return groups.slice(6).map(bytesOf).join('.')
  return `${groups.slice(0, 4).join(':')}::/64`
}

/** The /48 of a /64, the most that one line is given (RIPE-690, 4.2); null of an address of IPv4, which is one of its own. */
export function lineOf(network: string): string | null {
  return network.endsWith('::/64') ? `${network.split(':').slice(0, 3).join(':')}::/48` : null
}

/** A host as an address (URL) writes it: of IPv6 in brackets. */
export function inAddress(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host
}
