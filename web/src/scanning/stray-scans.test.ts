import { expect, it } from 'vitest'
import { createStrayScans } from './stray-scans.ts'

/** What comes of a code and its end key, each key so many milliseconds after the one before. */
function follow(code: string, { pauseMs, endMs }: { pauseMs: number; endMs: number }): (string | null)[] {
  const stray = createStrayScans()
  let at = 1_000
  const told = Array.from(code, (key) => stray({ key, at: (at += pauseMs) }))
  return [...told, stray({ key: 'Enter', at: at + endMs })]
}

it('a scan that is not counted is told at its end, also where the scanner hesitates before its end key', () => {
  expect(follow('A-1', { pauseMs: 10, endMs: 10 }).at(-1)).toBe('end')
  expect(follow('A-1', { pauseMs: 10, endMs: 600 }).at(-1)).toBe('end')
  expect(follow('A-1', { pauseMs: 200, endMs: 200 }).at(-1)).toBe('end')
})

it('what a person presses is none: a key or two, or Enter by itself', () => {
  expect(follow('A-1', { pauseMs: 10, endMs: 1_500 }).at(-1)).toBe(null)
  expect(follow('A', { pauseMs: 10, endMs: 10 })).toEqual([null, null])
  expect(follow('', { pauseMs: 0, endMs: 0 })).toEqual([null])
  expect(follow('   ', { pauseMs: 1_500, endMs: 500 }).at(-1)).toBe(null)
  expect(follow('  ', { pauseMs: 500, endMs: 1_500 })).toEqual([null, null, null])
})
