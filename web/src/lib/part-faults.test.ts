import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createFaultReport } from './part-faults.ts'

const reported = vi.fn<(error: unknown) => void>()

beforeEach(() => vi.stubGlobal('reportError', reported))
afterEach(() => {
  vi.unstubAllGlobals()
  reported.mockClear()
})

it.each([
  'Failed to fetch dynamically imported module: https://count.example.com/assets/charts.js',
  'error loading dynamically imported module: https://count.example.com/assets/charts.js',
  'Importing a module script failed.',
])('a part that the network did not bring is reported by no browser: %s', (message) => {
  createFaultReport()(new TypeError(message))
  expect(reported).not.toHaveBeenCalled()
})

it('what is wrong with a part itself is reported once, however often it is asked for, and so is what is wrong with it next', () => {
  const report = createFaultReport()
  const first = new ReferenceError('chart is not defined')
  const next = new TypeError("Cannot read properties of undefined (reading 'map')")
  for (const error of [first, first, first, next, next]) report(error)
  expect(reported.mock.calls).toEqual([[first], [next]])
})
