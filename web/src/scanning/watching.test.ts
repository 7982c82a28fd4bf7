import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { watch, type WatchOptions } from './watching.ts'

/** Watches pictures that all show the same code, if not told otherwise; gives what was taken of them, and whether the camera is on. */
function watchPictures(code: string, given: Partial<WatchOptions> = {}) {
  const taken: string[] = []
  const camera = { isOn: true }
  const stopWatching = watch({
    read: async () => [code],
    onCode: (each) => taken.push(each),
    isScanning: () => false,
    ...given,
  })
  return { taken, camera, stop: () => stopWatching(() => (camera.isOn = false)) }
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
    const { taken, camera, stop } = watchPictures('A-1', {
      isScanning: () => performance.now() < scannerEnds,
    })
    await vi.advanceTimersByTimeAsync(150)
    const stopped = stop()
    await vi.advanceTimersByTimeAsync(150)
    expect([taken, camera.isOn]).toEqual([[], false])
    await vi.advanceTimersByTimeAsync(150)
    await stopped
    expect(taken).toEqual(['A-1'])
  })

  it('is let go after a second, though its picture is not read yet', async () => {
    let answer: () => void = () => undefined
    const codes = new Promise<string[]>((resolve) => (answer = () => resolve(['A-1'])))
    const { taken, camera, stop } = watchPictures('A-1', { read: async () => await codes })
    const stopped = stop()
    await vi.advanceTimersByTimeAsync(900)
    expect(camera.isOn).toBe(true)
    await vi.advanceTimersByTimeAsync(200)
    expect(camera.isOn).toBe(false)
    answer()
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
