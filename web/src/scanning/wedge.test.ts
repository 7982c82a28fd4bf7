import { describe, expect, it } from 'vitest'
import { createWedge, type Keystroke, type TypedLine } from './wedge.ts'

function typed(
  text: string,
  { pause, end = 'Enter', from = 0 }: { pause: number; end?: string; from?: number },
) {
  const keys = [...text.split(''), end]
  return keys.map((key, index): Keystroke => ({ key, at: from + index * pause }))
}

function lines(strokes: Keystroke[]): TypedLine[] {
  const wedge = createWedge()
  return strokes.flatMap((stroke) => {
    const pressed = wedge.press(stroke)
    return typeof pressed === 'object' && pressed !== null ? [pressed] : []
  })
}

describe('a scanner', () => {
  it('is heard when it types fast and ends with Enter or Tab', () => {
    expect(lines(typed('SKU-0001', { pause: 5 }))).toEqual([
      { text: 'SKU-0001', isBurst: true, burst: 'SKU-0001', isPrompt: true },
    ])
    expect(lines(typed('SKU-0001', { pause: 5, end: 'Tab' }))).toMatchObject([
      { text: 'SKU-0001', isBurst: true },
    ])
  })

  it('keeps 20 codes a second apart', () => {
    const strokes = Array.from({ length: 20 }, (_, index) =>
      typed(`CODE-${index}`, { pause: 3, from: index * 50 }),
    ).flat()
    expect(lines(strokes).map(({ text }) => text)).toEqual(
      Array.from({ length: 20 }, (_, index) => `CODE-${index}`),
    )
  })

  it('holds Shift for capital letters without breaking the code', () => {
    const strokes = ['Shift', 'A', 'Shift', 'B', '1', 'Enter'].map((key, index) => ({ key, at: index * 2 }))
    expect(lines(strokes)).toMatchObject([{ text: 'AB1', isBurst: true }])
  })

  it('that hesitates in the middle of a code still gives the whole code', () => {
    const strokes = [...typed('SKU-', { pause: 5 }).slice(0, -1), ...typed('0001', { pause: 5, from: 600 })]
    expect(lines(strokes)).toMatchObject([{ text: 'SKU-0001', isBurst: false }])
  })
})

describe('a scan after something typed slowly', () => {
  it('is told apart from it', () => {
    const strokes = [{ key: '7', at: 0 }, ...typed('SKU-1', { pause: 5, from: 600 })]
    expect(lines(strokes)).toMatchObject([{ text: '7SKU-1', isBurst: false, burst: 'SKU-1' }])
  })
})

describe('a typist', () => {
  it('is not taken for a scanner', () => {
    expect(lines(typed('SKU-0001', { pause: 200 }))).toEqual([
      { text: 'SKU-0001', isBurst: false, burst: '', isPrompt: true },
    ])
  })

  it('who pauses before Enter is not taken for a scanner', () => {
    const strokes = [...typed('SKU1', { pause: 5 }).slice(0, -1), { key: 'Enter', at: 500 }]
    expect(lines(strokes)).toMatchObject([{ text: 'SKU1', isBurst: false }])
  })

  it('who corrects the text starts a new line', () => {
    const strokes = ['1', '2', 'Backspace', '3', 'Enter'].map((key, index) => ({ key, at: index * 200 }))
    expect(lines(strokes)).toMatchObject([{ text: '3', isBurst: false }])
  })
})
