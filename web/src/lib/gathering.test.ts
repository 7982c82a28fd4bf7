import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { remember } from './bounded-set.ts'
import { createCollector } from './collector.ts'
import { soon } from './soon.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('acting soon', () => {
  it('acts once for all who asked in a while, and again for who asks later', () => {
    let acted = 0
    const { ask } = soon(() => (acted += 1), 100)
    for (let times = 0; times < 10; times += 1) ask()
    expect(acted).toBe(0)
    vi.advanceTimersByTime(100)
    expect(acted).toBe(1)
    vi.advanceTimersByTime(1_000)
    expect(acted).toBe(1)
    ask()
    vi.advanceTimersByTime(100)
    expect(acted).toBe(2)
  })
})

describe('a collector', () => {
  it('hands on together what came within a while, and the rest when it ends', () => {
    const taken: (readonly number[])[] = []
    const collector = createCollector<number>(100)
    const stop = collector.connect((items) => taken.push(items))
    collector.add([1])
    collector.add([2, 3])
    vi.advanceTimersByTime(100)
    collector.add([4])
    stop()
    expect(taken).toEqual([[1, 2, 3], [4]])
  })

  it('keeps what comes while nobody takes it', () => {
    const taken: (readonly number[])[] = []
    const collector = createCollector<number>(100)
    collector.add([1])
    vi.advanceTimersByTime(100)
    collector.connect((items) => taken.push(items))
    collector.add([2])
    vi.advanceTimersByTime(100)
    expect(taken).toEqual([[1, 2]])
  })
})

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
