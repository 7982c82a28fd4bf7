import { expect, it } from 'vitest'
import { inAddress, lineOf, networkOf } from './network.ts'

it.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::FFFF:cb00:7107', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::1', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['203.0.113.7:50412', '203.0.113.7'],
  ['[2001:db8:1:2::1]:50412', '2001:db8:1:2::/64'],
  ['[2001:db8:1:2::1]', '2001:db8:1:2::/64'],
  ['unknown', 'unknown'],
])('who comes from %s is limited as %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})

it('of IPv6 a line is known by more than one network', () => {
  expect(lineOf(networkOf('2001:db8:1:2::7'))).toBe('2001:db8:1::/48')
  expect(lineOf(networkOf('203.0.113.7'))).toBe(null)
})

it.each([
  ['127.0.0.1', '127.0.0.1'],
  ['localhost', 'localhost'],
  ['::', '[::]'],
  ['::1', '[::1]'],
])('the host %s stands in a link as %s', (host, written) => {
  expect(inAddress(host)).toBe(written)
  expect(new URL(`http://${inAddress(host)}:3000/new-password`).port).toBe('3000')
})
