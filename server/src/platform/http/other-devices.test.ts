import type { NetworkInterfaceInfo } from 'node:os'
import { describe, expect, it } from 'vitest'
import { addressesForOthers } from './other-devices.ts'

const of = (family: 'IPv4' | 'IPv6', address: string, internal = false): NetworkInterfaceInfo => {
  const rest = { netmask: '', mac: '', cidr: null, internal, address }
  return family === 'IPv4' ? { ...rest, family } : { ...rest, family, scopeid: 0 }
}

const lo = [of('IPv4', '127.0.0.1', true), of('IPv6', '::1', true)]
const six = [of('IPv6', 'fe80::1'), of('IPv6', '2001:db8::7')]
const url = 'http://127.0.0.1:3000'

describe('other devices reach the program', () => {
  it('at the addresses of the machine in its networks, where it listens on all', () => {
    const interfaces = {
      lo,
      eth0: [of('IPv4', '192.168.1.20'), ...six],
      wlan0: [of('IPv4', '10.0.0.5')],
    }
    const expected = ['http://192.168.1.20:3000', 'http://10.0.0.5:3000']
    expect(addressesForOthers({ url, host: '0.0.0.0' }, interfaces)).toEqual(expected)
    expect(addressesForOthers({ url: 'http://[::1]:3000', host: '::' }, interfaces)).toEqual(expected)
  })

  it('by IPv6 where it has no other address there', () => {
    const interfaces = { lo, eth0: six }
    expect(addressesForOthers({ url, host: '::' }, interfaces)).toEqual(['http://[2001:db8::7]:3000'])
    expect(addressesForOthers({ url, host: '0.0.0.0' }, interfaces)).toEqual([])
  })

  it('at no other address than the one that it listens on', () => {
    const interfaces = { lo, eth0: [of('IPv4', '192.168.1.20')] }
    expect(addressesForOthers({ url, host: '127.0.0.1' }, interfaces)).toEqual([])
    expect(addressesForOthers({ url: 'http://192.168.1.20:3000', host: '192.168.1.20' }, interfaces)).toEqual(
      [],
    )
  })
})
