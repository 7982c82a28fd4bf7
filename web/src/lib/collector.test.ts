import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createCollector } from './collector.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

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
