import { describe, expect, it } from 'vitest'
import { remember } from './bounded-set.ts'

describe('a bounded set', () => {
  it('forgets its oldest entries', () => {
    const known = new Set<string>()
    expect(['a', 'b', 'a', 'c', 'a'].map((entry) => remember(known, entry, 2))).toEqual([
      true,
      true,
      false,
      true,
      true,
    ])
  })
})
