import { describe, expect, it } from 'vitest'
import { isPublic, ownAddresses } from './addresses.ts'

describe('an address', () => {
  it.each(['93.184.216.34', '1.1.1.1', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '2a00:1450:4001::1'])(
    '%s is public',
    (address) => {
      expect(isPublic(address, ownAddresses())).toBe(true)
    },
  )

  it.each([
    '127.0.0.1',
    '127.9.9.9',
    '0.0.0.0',
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '168.63.129.16',
    '::1',
    '::',
    '::ffff:127.0.0.1',
    '::ffff:10.0.0.1',
    'fe80::1',
    'fc00::1',
    'fd00:ec2::254',
    'ff02::1',
    '64:ff9b::7f00:1',
    '2001:db8::1',
    '2001::1',
    '2002:7f00:1::',
    'not an address',
  ])('%s is not', (address) => {
    expect(isPublic(address, ownAddresses())).toBe(false)
  })

  it('of the machine itself is not, though it be a public one', () => {
    expect(ownAddresses()).toContain('127.0.0.1')
    expect(isPublic('93.184.216.34', new Set(['93.184.216.34']))).toBe(false)
  })
})
