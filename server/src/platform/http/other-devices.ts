import type { networkInterfaces } from 'node:os'
import { inAddress } from './network.ts'

const allAddresses = new Set(['0.0.0.0', '::'])

/**
 * At which addresses other devices reach a program that listens on all of this machine; none of one that listens on a single one,
 * which says where by itself. By IPv6 only where there is no other: those addresses are many and change.
 */
export function addressesForOthers(
  { url, host }: { url: string; host: string },
  interfaces: ReturnType<typeof networkInterfaces>,
): string[] {
  if (!allAddresses.has(host)) return []
  const outside = Object.values(interfaces)
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal }) => !internal)
  const ofFour = outside.filter(({ family }) => family === 'IPv4')
  // Those of the link need the name of an interface behind them, which differs on each device.
  const ofSix = outside.filter(({ family, address }) => family === 'IPv6' && !address.startsWith('fe80:'))
  return (ofFour.length > 0 || host === '0.0.0.0' ? ofFour : ofSix).map(
    ({ address }) => Object.assign(new URL(url), { hostname: inAddress(address) }).origin,
  )
}
