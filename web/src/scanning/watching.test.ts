import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { watch } from './watching.ts'

/** Watches pictures that all show the same code; gives what was taken of them. */
function watchPictures(code: string, isScanning = () => false) {
  const taken: string[] = []
  const stop = watch({
    read: async () => [code],
    onCode: (each) => taken.push(each),
    isScanning,
  })
  return { taken, stop }
}

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

describe('a camera that is closed', () => {
  it('takes a code that it saw once, if it is still there', async () => {
    const { taken, stop } = watchPictures('A-1')
    await vi.advanceTimersByTimeAsync(50)
    expect(taken).toEqual([])
    await stop()
    expect(taken).toEqual(['A-1'])
  })

  it('takes what waits for a scanner once that has finished', async () => {
    const scannerEnds = performance.now() + 350
    const { taken, stop } = watchPictures('A-1', () => performance.now() < scannerEnds)
    await vi.advanceTimersByTimeAsync(150)
    const stopped = stop()
    await vi.advanceTimersByTimeAsync(150)
    expect(taken).toEqual([])
    await vi.advanceTimersByTimeAsync(150)
    await stopped
    expect(taken).toEqual(['A-1'])
  })

  it('takes nothing twice, and looks no more', async () => {
    const { taken, stop } = watchPictures('A-1')
    await vi.advanceTimersByTimeAsync(250)
    await stop()
    await vi.advanceTimersByTimeAsync(5_000)
    expect(taken).toEqual(['A-1'])
    expect(vi.getTimerCount()).toBe(0)
  })
})
