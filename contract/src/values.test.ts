import { describe, expect, it } from 'vitest'
import { barcode, clientInstant, givenMap, location, pageSize, quantity, text } from './values.ts'

describe('text', () => {
  it.each(['\u0000', 'a\u0000b', '\uD800', 'a\uDC00'])('refuses %j, which no database stores', (value) => {
    expect(text(10).safeParse(value).success).toBe(false)
  })

  it.each(['', 'Łożysko', '漢字', '👩‍🔧', 'שלום', 'e\u0301', 'line\nbreak'])('takes %j as it is', (value) => {
    expect(text(20).parse(value)).toBe(value)
  })

  it('has a longest length', () => {
    expect(text(3).safeParse('abc').success).toBe(true)
    expect(text(3).safeParse('abcd').success).toBe(false)
  })
})

describe('a barcode', () => {
  it('is trimmed and keeps its leading zeros and its case', () => {
    expect(barcode.parse('  00aB-1 ')).toBe('00aB-1')
  })

  it.each(['', '   ', 'a\tb', 'a\r\nb', 'x'.repeat(49), '\u0007', '\uDFFF'])('is not %j', (value) => {
    expect(barcode.safeParse(value).success).toBe(false)
  })
})

describe('a quantity', () => {
  it.each([0, 1, 2_147_483_647])('may be %d', (value) => {
    expect(quantity.parse(value)).toBe(value)
  })

  it.each([
    -1,
    1.5,
    2_147_483_648,
    2 ** 53 + 1,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    '5',
    null,
    true,
    [5],
    {},
    '',
  ])('is not %j', (value) => {
    expect(quantity.safeParse(value).success).toBe(false)
  })
})

describe('a location', () => {
  it('is given by its code or its name, and is always the code', () => {
    expect(location.parse('PRIMARY')).toBe('PRIMARY')
    expect(location.parse('Distribution Center')).toBe('DISTRIBUTION')
  })

  it.each(['primary', 'Moon', '', '__proto__', 'toString'])('is not %j', (value) => {
    expect(location.safeParse(value).error?.issues[0]?.message).toBe('Invalid location selected.')
  })
})

describe('an instant from a client', () => {
  it('may carry any offset', () => {
    expect(clientInstant.parse('2026-11-21T12:00:00+02:00').toISOString()).toBe('2026-11-21T10:00:00.000Z')
  })

  it.each([
    'infinity',
    'yesterday',
    '2026-13-01T00:00:00Z',
    '1969-12-31T00:00:00Z',
    '+294277-01-01T00:00:00Z',
    '',
  ])('is not %j', (value) => {
    expect(clientInstant.safeParse(value).success).toBe(false)
  })
})

describe('a page size', () => {
  it.each(['', '0', '-1', '1e3', '0x10', '1.5', ' 5', 'abc', '99999999'])('is not %j', (value) => {
    expect(pageSize({ initial: 10, max: 100 }).safeParse(value).success).toBe(false)
  })

  it('has a default and a largest', () => {
    const size = pageSize({ initial: 10, max: 100 })
    expect([size.parse(undefined), size.parse('7'), size.parse('5000')]).toEqual([10, 7, 100])
  })
})

describe('a map from a client', () => {
  it('keeps keys that have a meaning in JavaScript, as data', () => {
    const map: unknown = JSON.parse('{"__proto__": 1, "constructor": 2, "toString": 3}')
    expect(JSON.stringify(givenMap.parse(map))).toBe('{"__proto__":1,"constructor":2,"toString":3}')
    expect(Object.prototype).not.toHaveProperty('polluted')
  })

  it('refuses what cannot be stored, at any depth', () => {
    expect(givenMap.safeParse({ a: { b: ['\u0000'] } }).success).toBe(false)
    expect(givenMap.safeParse({ '\uD800': 1 }).success).toBe(false)
    expect(givenMap.safeParse({ a: { b: { c: { d: { e: { f: 1 } } } } } }).success).toBe(false)
    expect(givenMap.safeParse([1]).success).toBe(false)
  })
})
