import type { ComponentToCount } from '@inventory-manager/contract/counting/endpoints'
import { describe, expect, it } from 'vitest'
import { findIn, markCounted, type TakenResult } from './count-list.ts'

const component = (barcode: string): ComponentToCount => ({ barcode, description: '' })

function taken(barcode: string, progress?: { counted: number; total: number }): TakenResult {
  const timestamp = '2026-11-21T10:00:00.000Z'
  const result = { id: barcode, barcode, quantity: 3, timestamp, order: 1, description: '', message: '' }
  const recorded = progress !== undefined
  const reply = {
    success: false,
    matched: false,
    recorded,
    attempt: recorded ? 2 : 1,
    message: '',
    ...(recorded ? { progress } : {}),
  } as const
  return { result: { ...result, verdict: recorded ? 'recorded' : 'mismatched' }, reply }
}

const list = { components: ['A', 'B', '0012345678905'].map(component), counted: 0, total: 3 }

describe('the list of a count', () => {
  it('is marked by all results that came together, with the furthest progress', () => {
    const results = [taken('A', { counted: 2, total: 3 }), taken('B', { counted: 1, total: 3 })]
    const marked = markCounted(list, { results, source: 'monthly' })
    expect(marked.components.map(({ counted }) => counted)).toEqual([true, true, undefined])
    expect([marked.counted, marked.total]).toEqual([2, 3])
  })

  it('stays the same for a first wrong quantity', () => {
    expect(markCounted(list, { results: [taken('A')], source: 'monthly' })).toBe(list)
  })

  it('is searched by the codes that scanners make of one, before and after it is marked', () => {
    expect(findIn(list.components, '012345678905')?.barcode).toBe('0012345678905')
    expect(findIn(list.components, '0012345678905')?.barcode).toBe('0012345678905')
    const { components } = markCounted(list, {
      results: [taken('A', { counted: 1, total: 3 })],
      source: 'monthly',
    })
    expect(findIn(components, 'A')).toMatchObject({ barcode: 'A', counted: true })
    expect(findIn(components.toReversed(), 'B')?.barcode).toBe('B')
    expect(findIn([], 'A')).toBeUndefined()
  })
})
