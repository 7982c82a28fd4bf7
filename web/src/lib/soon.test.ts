import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
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
