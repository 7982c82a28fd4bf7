import { describe, expect, it } from 'vitest'
import { createWedge, type Keystroke } from './wedge.ts'

function burst(
  text: string,
  { pause, end = 'Enter', from = 0 }: { pause: number; end?: string; from?: number },
) {
  const keys = [...text.split(''), end]
  return keys.map((key, index): Keystroke => ({ key, at: from + index * pause }))
}

function codes(strokes: Keystroke[]): string[] {
  const wedge = createWedge()
  return strokes.flatMap((stroke) => {
    const pressed = wedge.press(stroke)
    return pressed === null || pressed === 'start' ? [] : [pressed.code]
  })
}

describe('a scanner', () => {
  it('is heard when it types fast and ends with Enter or Tab', () => {
    expect(codes(burst('SKU-0001', { pause: 5 }))).toEqual(['SKU-0001'])
    expect(codes(burst('SKU-0001', { pause: 5, end: 'Tab' }))).toEqual(['SKU-0001'])
  })

  it('keeps 20 codes a second apart', () => {
    const strokes = Array.from({ length: 20 }, (_, index) =>
      burst(`CODE-${index}`, { pause: 3, from: index * 50 }),
    ).flat()
    expect(codes(strokes)).toEqual(Array.from({ length: 20 }, (_, index) => `CODE-${index}`))
  })

  it('holds Shift for capital letters without breaking the code', () => {
    const strokes = [
      { key: 'Shift', at: 0 },
      { key: 'A', at: 2 },
      { key: 'Shift', at: 4 },
      { key: 'B', at: 6 },
      { key: '1', at: 8 },
      { key: 'Enter', at: 10 },
    ]
    expect(codes(strokes)).toEqual(['AB1'])
  })
})

describe('a typist', () => {
  it('is not taken for a scanner', () => {
    expect(codes(burst('SKU-0001', { pause: 90 }))).toEqual([])
  })

  it('who pauses before Enter is not taken for a scanner', () => {
    const strokes = [...burst('SKU1', { pause: 5 }).slice(0, -1), { key: 'Enter', at: 500 }]
    expect(codes(strokes)).toEqual([])
  })

  it('leaves short numbers to the field they stand in', () => {
    expect(codes(burst('12', { pause: 5 }))).toEqual([])
  })
})
