import { expect, it } from 'vitest'
import type { CountResult } from './count-verdicts.ts'
import { findHeard } from './result-sounds.ts'

const result = (barcode: string, verdict: CountResult['verdict']): CountResult => ({
  id: barcode,
  barcode,
  quantity: 1,
  timestamp: '2026-11-23T10:00:00.000Z',
  order: 1,
  description: '',
  verdict,
  message: '',
})

it.each([
  ['matched', 'right'],
  ['review', 'right'],
  ['mismatched', 'wrong'],
  ['recorded', 'recorded'],
  ['unknown', 'unknown'],
  ['retired', 'wrong'],
  ['again', 'wrong'],
  ['refused', 'wrong'],
  ['undone', 'wrong'],
] as const)('%s is heard as %s', (verdict, as) => {
  expect(findHeard([result('A-1', verdict)])).toMatchObject({ as })
})

it('of several that come together the one that asks for most is heard', () => {
  const both = [result('A-1', 'mismatched'), result('A-2', 'recorded'), result('A-3', 'matched')]
  expect(findHeard(both)).toMatchObject({ heard: { barcode: 'A-1' }, as: 'wrong' })
  expect(findHeard(both.slice(1))).toMatchObject({ heard: { barcode: 'A-2' }, as: 'recorded' })
  const unknown = result('A-4', 'unknown')
  expect(findHeard([unknown, ...both.slice(1)])).toMatchObject({ heard: { barcode: 'A-4' }, as: 'unknown' })
  expect(findHeard([...both, unknown])).toMatchObject({ heard: { barcode: 'A-1' }, as: 'wrong' })
  expect(findHeard([])).toBe(null)
})
