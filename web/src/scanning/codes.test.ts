import { describe, expect, it } from 'vitest'
import { cleanCode, readCode } from './codes.ts'

const plain = { prefix: '', suffix: '' }

describe('a code from a scanner', () => {
  it('loses control characters and outer spaces', () => {
    expect(cleanCode('\u0002 ABC\u001D123 \r', plain)).toBe('ABC123')
  })

  it('loses what the scanner puts around it', () => {
    expect(cleanCode(']C1ABC#', { prefix: ']C1', suffix: '#' })).toBe('ABC')
  })

  it('keeps a code that only looks like the prefix or suffix', () => {
    expect(cleanCode(']C1', { prefix: ']C1', suffix: '#' })).toBe(']C1')
    expect(cleanCode('#', { prefix: '', suffix: '#' })).toBe('#')
  })

  it('keeps leading zeros', () => {
    expect(cleanCode('0012345', plain)).toBe('0012345')
  })
})

describe('a code that begins or ends as what the scanner adds', () => {
  const read = (raw: string, settings = plain) =>
    readCode(raw, settings, (code) => ['ABC-1', 'BC-2', 'ABC-2'].includes(code)).code

  it('stays whole where that alone is known', () => {
    expect(read('ABC-1', { prefix: 'A', suffix: '' })).toBe('ABC-1')
    expect(read('ABC-1', { prefix: '', suffix: '1' })).toBe('ABC-1')
  })

  it('loses it where both are known, or neither', () => {
    expect(read('ABC-2', { prefix: 'A', suffix: '' })).toBe('BC-2')
    expect(read('ABC-3', { prefix: 'A', suffix: '' })).toBe('BC-3')
  })
})

describe('a code with what a scanner says of its symbol', () => {
  const read = (raw: string) =>
    readCode(raw, plain, (code) => ['4006381333931', 'A-1', ']C0A-2'].includes(code)).code

  it('loses it where that is known, and nothing of it where it is not', () => {
    expect(read(']E04006381333931')).toBe('4006381333931')
    expect(read(']C0A-1')).toBe('A-1')
    expect(read(']C0A-2')).toBe(']C0A-2')
    expect(read(']C0A-3')).toBe(']C0A-3')
  })

  it('loses it before a Digital Link, and where the code arrived twice', () => {
    expect(read(']Q1https://id.example/01/04006381333931?10=L1')).toBe('4006381333931')
    expect(read(']C0A-1]C0A-1')).toBe('A-1')
  })
})

describe('an element string with lot and expiry', () => {
  const read = (raw: string, settings = plain) =>
    readCode(raw, settings, (code) => ['9506000134352', '01-B'].includes(code)).code

  it('is the trade item number in it, whatever the scanner puts around it', () => {
    expect(read('010950600013435210AB\u001D17251231\r')).toBe('9506000134352')
    expect(read(']C1010950600013435210AB', { prefix: ']C1', suffix: '' })).toBe('9506000134352')
    expect(read('#010950600013435210AB', { prefix: '#', suffix: '' })).toBe('9506000134352')
  })

  it('is itself where it is known so, or nobody knows what is in it', () => {
    expect(read('01-B')).toBe('01-B')
    expect(read('0109506000134376')).toBe('0109506000134376')
  })
})

describe('a code that arrived twice in one string', () => {
  const isKnown = (code: string) => ['ABC123', '1212'].includes(code)
  const read = (raw: string, settings = plain) => readCode(raw, settings, isKnown)

  it('is taken once when only its half is known', () => {
    expect(read('ABC123ABC123')).toEqual({ code: 'ABC123', isDoubled: true, isOfContents: false })
  })

  it('is taken once with what the scanner puts around each', () => {
    const settings = { prefix: ']C1', suffix: '#' }
    expect(read(']C1ABC123#]C1ABC123#', settings)).toEqual({
      code: 'ABC123',
      isDoubled: true,
      isOfContents: false,
    })
    expect(read(']C1ABC123ABC123#', settings)).toEqual({
      code: 'ABC123',
      isDoubled: true,
      isOfContents: false,
    })
    expect(read(']C1ABC123#', settings)).toEqual({ code: 'ABC123', isDoubled: false, isOfContents: false })
  })

  it('stays as it is when it is a code itself, or nobody knows it', () => {
    for (const code of ['1212', 'XYXY', 'ABC123ABC12'])
      expect(read(code)).toEqual({ code, isDoubled: false, isOfContents: false })
  })
})
