import type { ComponentToCount } from '@inventory-manager/contract/counting/endpoints'
import { describe, expect, it } from 'vitest'
import {
  binIn,
  findIn,
  isCountedSince,
  markCounted,
  piecesPerScanOf,
  sentAs,
  withMarks,
  type TakenResult,
} from './count-list.ts'

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
  return { result: { ...result, verdict: recorded ? 'recorded' : 'mismatched' }, reply, inCycle: null }
}

/** What is answered of a difference that was recorded. */
const recordedAs = (barcode: string) =>
  ({ recorded: true, message: '', barcode, progress: { counted: 1, total: 3 } }) as const

/** A match of A, as it is answered. */
function matched(at: string, marks: { sets_mark?: boolean; sets_weekly_mark?: boolean } = {}): TakenResult {
  const named = { id: '1', barcode: 'A', description: '' }
  return {
    result: { ...named, quantity: 3, timestamp: at, order: 1, message: '', verdict: 'matched' },
    reply: {
      success: true,
      matched: true,
      component: { ...named, counted_at: at, counted_source: 'monthly' },
      progress: { counted: 0, total: 3 },
      ...marks,
    },
    inCycle: null,
  }
}

const early = '2026-11-21T09:00:00.000Z'
const late = '2026-11-21T11:00:00.000Z'

const list = { components: ['A', 'B', '0012345678905'].map(component), counted: 0, total: 3 }

describe('the list of a count', () => {
  it('is marked by all results that came together, with the furthest progress', () => {
    const results = [taken('A', { counted: 2, total: 3 }), taken('B', { counted: 1, total: 3 })]
    const marked = markCounted(list, { results, source: 'monthly' })
    expect(marked.components.map(({ counted }) => counted)).toEqual([true, true, undefined])
    expect([marked.counted, marked.total]).toEqual([2, 3])
  })

  it('is marked by what was scanned as another barcode that the list did not know', () => {
    const { result, reply, inCycle } = taken('4006381333931', { counted: 1, total: 3 })
    if (reply?.matched !== false) throw new Error('It is answered as one that does not match.')
    const results = [{ result, reply: { ...reply, barcode: 'B' }, inCycle }]
    const { components } = markCounted(list, { results, source: 'monthly' })
    expect(components.map(({ counted }) => counted)).toEqual([undefined, true, undefined])
  })

  it('is marked for a difference of a SKU whose code was scanned in its other writing', () => {
    const wrong = taken('012345678905', { counted: 1, total: 3 })
    const named: TakenResult[] = [
      { ...wrong, reply: { ...recordedAs('0012345678905'), matched: false, success: false, attempt: 2 } },
      { ...wrong, reply: { ...recordedAs('0012345678905'), matched: null, success: true } },
    ]
    for (const result of named) {
      const marked = markCounted(list, { results: [result], source: 'monthly' })
      expect(marked.components.map(({ counted }) => counted)).toEqual([undefined, undefined, true])
    }
  })

  it('stays the same for a first wrong quantity', () => {
    expect(markCounted(list, { results: [taken('A')], source: 'monthly' })).toBe(list)
  })

  it('stays the same for a count that came too late to mark anything', () => {
    const results = [matched(early, { sets_mark: false })]
    expect(markCounted(list, { results, source: 'monthly' })).toBe(list)
    const weekly = [matched(early, { sets_mark: true, sets_weekly_mark: false })]
    expect(withMarks(list, { results: weekly, source: 'weekly' })).toBe(list)
    expect(withMarks(list, { results: weekly, source: 'monthly' }).components[0]).toMatchObject({
      counted: true,
    })
  })

  it('keeps the newest mark, whichever came first or with it', () => {
    const times = [
      [[matched(late)], [matched(early)]],
      [[matched(early)], [matched(late)]],
      [[matched(late), matched(early)]],
    ]
    const marked = times.map((turns) =>
      turns.reduce((known, results) => markCounted(known, { results, source: 'monthly' }), list),
    )
    expect(marked.map(({ components }) => components[0]?.counted_at)).toEqual([late, late, late])
  })

  it('keeps the last count of another kind beside an older mark of the day', () => {
    const counted = {
      ...component('A'),
      counted_at: null,
      counted_source: null,
      last_counted_date: late,
      last_counted_source: 'admin',
    }
    const { components } = withMarks(
      { components: [counted] },
      { results: [matched(early, { sets_weekly_mark: true })], source: 'weekly' },
    )
    expect(components).toMatchObject([
      {
        counted: true,
        counted_at: early,
        counted_source: 'weekly',
        last_counted_date: late,
        last_counted_source: 'admin',
      },
    ])
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

  it('knows how many pieces one scan of a code stands for, in either writing of it', () => {
    const packs = [
      { barcode: '036000291452', pieces: 12 },
      { barcode: 'BOLT', pieces: 6 },
    ]
    const bolt = { ...component('BOLT'), aliases: ['036000291452', 'OLD'], packs }
    const pieces = ['036000291452', '0036000291452', 'OLD', 'BOLT'].map((code) => piecesPerScanOf(bolt, code))
    expect(pieces).toEqual([12, 12, 1, 1])
    expect([piecesPerScanOf(component('A'), 'A'), piecesPerScanOf(undefined, 'A')]).toEqual([1, 1])
  })

  it('is searched by other barcodes, in both writings, after own ones', () => {
    const bolt = { ...component('BOLT-8'), aliases: ['036000291452', '4006381333931'] }
    const components = [bolt, component('0036000291452')]
    expect(findIn(components, '4006381333931')).toBe(bolt)
    expect(findIn([bolt], '0036000291452')).toBe(bolt)
    // The own barcode of another one in its other writing.
    expect(findIn(components, '036000291452')?.barcode).toBe('0036000291452')
  })
})

describe('a scanned code', () => {
  const bolt = { ...component('0012345678905'), aliases: ['4006381333931'] }

  it('is sent as the component’s own barcode where it is another one of it', () => {
    expect(sentAs(bolt, '4006381333931')).toBe('0012345678905')
  })

  it('is sent as it is where it is the own barcode, in whichever writing, or nobody’s', () => {
    expect(sentAs(bolt, '0012345678905')).toBe('0012345678905')
    expect(sentAs(bolt, '012345678905')).toBe('012345678905')
    expect(sentAs(undefined, 'GHOST')).toBe('GHOST')
  })
})

describe('the label of a shelf', () => {
  const shelved = [
    { barcode: 'A-1', description: 'Bolt', bin: 'A-03-2', aliases: ['B-7'] },
    { barcode: 'A-2', description: 'Nut', bin: 'a-1' },
    { barcode: 'A-3', description: 'Washer', bin: 'B-7' },
    { barcode: 'A-4', description: 'Screw' },
  ]

  it('is a bin of the list in whichever letters, also with what the scanner says of its symbol', () => {
    expect(['A-03-2', 'a-03-2', ']C0A-03-2'].map((code) => binIn(shelved, code))).toEqual(
      Array.from({ length: 3 }, () => 'A-03-2'),
    )
  })

  it('is no bin where it is a part of one, or nobody’s, or any code of a component', () => {
    for (const code of ['A-03', 'A-03-22', 'Z-9', 'A-1', 'B-7', ''])
      expect(binIn(shelved, code)).toBe(undefined)
    expect(binIn(list.components, 'A-03-2')).toBe(undefined)
  })
})

describe('a component that did not match', () => {
  const at = (minute: number) => `2026-11-21T10:0${minute}:00.000Z`
  const counted = { ...component('A'), counted: true, counted_at: at(5), counted_source: 'monthly' }
  const scannedAt = at(4)

  it('is counted anew by a later count of the same kind', () => {
    expect(isCountedSince(counted, { source: 'monthly', scannedAt })).toBe(true)
  })

  it('is not counted anew by a count from before, nor by one that was cleared', () => {
    expect(isCountedSince(counted, { source: 'monthly', scannedAt: at(6) })).toBe(false)
    expect(isCountedSince({ ...counted, counted: false }, { source: 'monthly', scannedAt })).toBe(false)
  })

  it('is not counted anew by a count of another kind, but for a day’s list, which has marks of its own', () => {
    expect(isCountedSince(counted, { source: 'admin', scannedAt })).toBe(false)
    expect(isCountedSince(counted, { source: 'weekly', scannedAt })).toBe(true)
  })

  it('is not counted anew while nobody knows when it was scanned', () => {
    expect(isCountedSince(counted, { source: 'monthly', scannedAt: undefined })).toBe(false)
  })
})
