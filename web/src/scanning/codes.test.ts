import { describe, expect, it } from 'vitest'
import { cleanCode, onceOf } from './codes.ts'

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

describe('a code that arrived twice in one string', () => {
  const isKnown = (code: string) => ['ABC123', '1212'].includes(code)

  it('is taken once when only its half is known', () => {
    expect(onceOf('ABC123ABC123', isKnown)).toBe('ABC123')
  })

  it('stays as it is when it is a code itself, or nobody knows it', () => {
    expect(onceOf('1212', isKnown)).toBe('1212')
    expect(onceOf('XYXY', isKnown)).toBe('XYXY')
    expect(onceOf('ABC123ABC12', isKnown)).toBe('ABC123ABC12')
  })
})
