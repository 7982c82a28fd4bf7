import { describe, expect, it } from 'vitest'
import { compare } from './checker.ts'

const acknowledged = [
  { scan: 'a', recorded: true },
  { scan: 'b', recorded: false },
  { scan: 'c', recorded: true },
]
const nothing = { lost: [], doubled: [], unasked: [] }

describe('the checker of the fault tests', () => {
  it('finds nothing where each scan is kept once', () => {
    expect(compare(acknowledged, { history: ['c', 'a'], audit: ['a', 'b', 'c'] })).toEqual({
      history: nothing,
      audit: nothing,
    })
  })

  it('finds a scan that was kept twice', () => {
    const { history, audit } = compare(acknowledged, {
      history: ['a', 'c', 'a'],
      audit: ['a', 'b', 'b', 'c'],
    })
    expect([history, audit]).toEqual([
      { ...nothing, doubled: ['a'] },
      { ...nothing, doubled: ['b'] },
    ])
  })

  it('finds a scan that was lost', () => {
    const { history, audit } = compare(acknowledged, { history: ['a'], audit: ['a', 'c'] })
    expect([history, audit]).toEqual([
      { ...nothing, lost: ['c'] },
      { ...nothing, lost: ['b'] },
    ])
  })

  it('finds a scan in the history that only stands in the audit trail by right', () => {
    const { history } = compare(acknowledged, { history: ['a', 'b', 'c'], audit: ['a', 'b', 'c'] })
    expect(history).toEqual({ ...nothing, unasked: ['b'] })
  })
})
