import { describe, expect, test } from 'vitest'
import type { PrinterDpi } from './bars.ts'
import { checkLabel, labelCapacity } from './check-label.ts'
import { layoutLabel, type LabelItem } from './layout.ts'
import { labelSizes, type LabelSizeKey } from './sizes.ts'

const sizes = Object.values(labelSizes)
const dot = 72 / 203

/** Takes every character for half as wide as the font is high. */
const measure = (text: string) => text.length / 2

function layout(item: LabelItem, size: LabelSizeKey = '4x1.5', dpi: PrinterDpi = 203) {
  const { symbol, ...label } = layoutLabel(item, { size, measure, dpi })
  if (symbol.kind !== 'bars') throw new Error('Code 128 has bars.')
  return { ...label, bars: symbol }
}

function textOf(item: LabelItem, role: 'description' | 'barcode' | 'footer', size?: LabelSizeKey) {
  return layout(item, size).texts.find((line) => line.role === role)
}

function offGrid(points: number): number {
  return Math.abs(points / dot - Math.round(points / dot))
}

describe('a line', () => {
  test.each([
    ['ﾎﾞﾙﾄ M8', 'ボルト M8'],
    ['ﾊﾟｯｷﾝ･ｺﾞﾑ', 'パッキン・ゴム'],
    ['㈱山田 5㎏', '(株)山田 5kg'],
    ['㌔ ㎜ ㎡', 'キロ mm m2'],
    ['M8⑪ ①', 'M8(11) ①'],
    ['㈜한국', '㈜한국'],
    ['ﬁ ½ ２', 'ﬁ ½ ２'],
  ])('has %j as %j, which the fonts of labels have', (description, printed) => {
    expect(textOf({ barcode: 'A1', description }, 'description')?.text).toBe(printed)
  })

  test('leaves the barcode as it is', () => {
    const text = textOf({ barcode: 'A1  B' }, 'barcode')?.text
    expect(text).toBe('A1  B')
  })
})

describe('the bars', () => {
  const barcodes = ['A', '7', 'SKU-10023', '036000291452', 'ABCDEFGHIJKLM', '~!@ #%^&*()_+', '0'.repeat(26)]
  const cases = sizes.flatMap((size) => barcodes.map((barcode) => ({ size, barcode })))

  test.each(cases)(
    'of "$barcode" on $size.key sit on whole dots with 10 modules beside them',
    ({ size, barcode }) => {
      const { bars, width } = layout({ barcode }, size.key)
      const last = bars.stripes.at(-1)
      const right = bars.x + ((last?.start ?? 0) + (last?.width ?? 0)) * bars.module
      for (const length of [bars.x, bars.y, bars.height, bars.module])
        expect(offGrid(length)).toBeLessThan(1e-9)
      expect(bars.module).toBeCloseTo(bars.moduleDots * dot, 9)
      expect(bars.x).toBeGreaterThanOrEqual(10 * bars.module - 1e-9)
      expect(width - right).toBeGreaterThanOrEqual(10 * bars.module - 1e-9)
    },
  )

  test('are 3 dots a module while that fits, then 2', () => {
    const dots = (length: number) => layout({ barcode: 'A'.repeat(length) }).bars.moduleDots
    expect([1, 19, 20, 31].map(dots)).toEqual([3, 3, 2, 2])
  })

  test('are 3 dots a module at 300 dpi up to the longest barcode', () => {
    for (const { key } of sizes) {
      const barcode = 'A'.repeat(labelCapacity(key).characters)
      expect(layout({ barcode }, key, 300).bars.moduleDots).toBe(3)
    }
  })

  test.each(sizes)('and the lines of $key lie below one another inside the label', ({ key, height }) => {
    const { bars, texts } = layout({ barcode: 'A1', description: 'Widget', footer: 'Qty: 3' }, key)
    const [description, barcode, footer] = texts.map((line) => ({
      top: line.baseline - 0.8 * line.fontSize,
      bottom: line.baseline + 0.25 * line.fontSize,
    }))
    const edges = [0, description?.top, description?.bottom, bars.y, bars.y + bars.height, barcode?.top]
    edges.push(barcode?.bottom, footer?.top, footer?.bottom, height * 72)
    expect(edges).toEqual(edges.toSorted((a = 0, b = 0) => a - b))
    expect(edges).not.toContain(undefined)
  })
})

describe('the lines', () => {
  test('show the description, or that there is none', () => {
    expect(textOf({ barcode: 'A1', description: 'Widget' }, 'description')?.text).toBe('Widget')
    for (const description of ['', ' \n\t', '\u200b', null, undefined]) {
      expect(textOf({ barcode: 'A1', description }, 'description')?.text).toBe('No Description')
    }
  })

  test('cut a long description with an ellipsis, so that it fills the line', () => {
    const line = textOf({ barcode: 'A1', description: 'x'.repeat(500) }, 'description', '3x1')
    expect(line?.text).toMatch(/^x+…$/)
    expect(line?.fontSize).toBe(8)
    expect(measure(line?.text ?? '') * 8).toBeLessThanOrEqual(204)
    expect(measure(`${line?.text}x`) * 8).toBeGreaterThan(204)
  })

  test('cut neither through a character nor after a space', () => {
    const cut = (description: string) => textOf({ barcode: 'A1', description }, 'description', '3x1')?.text
    expect(cut('🇵🇱'.repeat(99))).toMatch(/^(🇵🇱)+…$/u)
    expect(cut('a\u0328\u0301'.repeat(99))).toMatch(/^(ą\u0301)+…$/u)
    for (const words of ['ab ', 'abc ', 'abcd ']) expect(cut(words.repeat(99))).not.toContain(' …')
  })

  test('are two of a long description above the bars of the largest label, which stay where they are', () => {
    const description =
      'Hexagon socket head cap screw, stainless steel A2-70, M8 x 20, DIN 912, in bags of 50'
    const { texts, bars } = layout({ barcode: 'A1', description })
    const [first, second, barcode] = texts
    expect(texts.map(({ text }) => text)).toEqual([
      'Hexagon socket head cap screw, stainless steel A2-70,',
      'M8 x 20, DIN 912, in bags of 50',
      'A1',
    ])
    expect(first?.fontSize).toBeCloseTo(10.24, 1)
    expect((first?.baseline ?? 0) - 0.8 * (first?.fontSize ?? 0)).toBeGreaterThanOrEqual(6)
    expect((second?.baseline ?? 0) + 0.25 * (second?.fontSize ?? 0)).toBeLessThan(bars.y)
    const short = layout({ barcode: 'A1', description: 'Screw' })
    expect(bars).toEqual(short.bars)
    expect(barcode).toEqual(short.texts[1])
    const many = (item: Partial<LabelItem>, size?: LabelSizeKey) =>
      layout({ barcode: 'A1', description, ...item }, size).texts.filter(({ role }) => role === 'description')
    expect(many({ description: description.repeat(3) })).toHaveLength(2)
    expect(many({ footer: 'ID: 7' })).toHaveLength(1)
    expect(many({}, '3x1')).toHaveLength(1)
    expect(many({}, '2x1')).toHaveLength(1)
  })

  test('clean the description of what cannot be printed', () => {
    const description = ' two\r\nlines\t\u0007and \u202Ebidi\u00ad, cafe\u0301, \ud800 '
    expect(textOf({ barcode: 'A1', description }, 'description')?.text).toBe(
      'two lines and bidi, café, \uFFFD',
    )
  })

  test('show the barcode in full, smaller when it is wide', () => {
    expect(textOf({ barcode: 'SKU-10023' }, 'barcode')).toMatchObject({ text: 'SKU-10023', fontSize: 11 })
    const wide = '0'.repeat(62)
    const line = textOf({ barcode: wide }, 'barcode')
    expect(line?.text).toBe(wide)
    expect((line?.fontSize ?? 0) * measure(wide)).toBeCloseTo(276, 6)
  })

  test('are centred', () => {
    const line = textOf({ barcode: 'A1', description: 'Widget' }, 'description')
    expect(line?.x).toBeCloseTo((288 - measure('Widget') * 11) / 2, 6)
  })

  test('have a footer only when there is something in it', () => {
    expect(textOf({ barcode: 'A1', footer: ' ' }, 'footer')).toBeUndefined()
    expect(textOf({ barcode: 'A1', footer: 'Qty: 12 · ID: 7' }, 'footer')?.text).toBe('Qty: 12 · ID: 7')
  })
})

describe('checkLabel', () => {
  test.each([
    { size: '4x1.5', characters: 31, digits: 62 },
    { size: '3x1', characters: 22, digits: 44 },
    { size: '2x1', characters: 13, digits: 26 },
  ] as const)('$size holds $characters characters or $digits digits', ({ size, characters, digits }) => {
    expect(labelCapacity(size)).toEqual({ characters, digits })
    expect(checkLabel('A'.repeat(characters), size)).toBeNull()
    expect(checkLabel('z'.repeat(characters + 1), size)?.code).toBe('too_long')
    expect(checkLabel('0'.repeat(digits), size)).toBeNull()
    expect(checkLabel('0'.repeat(digits + 1), size)?.code).toBe('too_long')
  })

  test('lets every label it accepts be laid out', () => {
    for (const { key } of sizes) {
      const { characters } = labelCapacity(key)
      expect(layout({ barcode: '~'.repeat(characters) }, key).bars.moduleDots).toBe(2)
      expect(() => layout({ barcode: '~'.repeat(characters + 1) }, key)).toThrow(RangeError)
    }
  })

  test('names the smallest size that fits', () => {
    expect(checkLabel('ABCDEFGHIJKLMN', '2x1')).toEqual({
      code: 'too_long',
      message:
        'Barcode "ABCDEFGHIJKLMN" is too long for a 2 x 1 in label: it needs 2.06 in, the label has 2 in. Use the compact 3 x 1 in label or shorten the barcode (up to 13 characters fit).',
    })
    expect(checkLabel('ABCDEFGHIJKLMNOPQRSTUVW', '3x1')?.message).toBe(
      'Barcode "ABCDEFGHIJKLMNOPQRSTUVW" is too long for a 3 x 1 in label: it needs 3.04 in, the label has 3 in. Use the standard 4 x 1.5 in label or shorten the barcode (up to 22 characters fit).',
    )
  })

  test('says how much of this very barcode fits', () => {
    expect(checkLabel('1234567890123456789012345', '2x1')?.message).toContain('(up to 24 characters fit)')
    expect(checkLabel('SKU-1234567890123456789', '2x1')?.message).toContain('(up to 20 characters fit)')
  })

  test('says when no size fits', () => {
    expect(checkLabel('ABCDEFGHIJKLMNOPQRSTUVWXYZABCDEF', '2x1')).toEqual({
      code: 'too_long',
      message:
        'Barcode "ABCDEFGHIJKLMNOPQRSTUVWXYZABCDEF" is too long for any label size (32 characters; a 4 x 1.5 in label holds 31, or 62 digits). It fits as a QR code or Data Matrix.',
    })
  })

  test('names the character that cannot be printed', () => {
    expect(checkLabel('GRÖSSE', '4x1.5')).toEqual({
      code: 'unprintable',
      message:
        'Barcode "GRÖSSE" contains "Ö" (U+00D6), which cannot be printed as a barcode. Use letters A-Z a-z, digits and ASCII symbols.',
    })
    expect(checkLabel('A\tB', '4x1.5')?.message).toContain('(U+0009)')
    expect(checkLabel('box 📦', '4x1.5')?.message).toContain('contains "📦" (U+1F4E6), which')
    expect(checkLabel('half \ud83d', '4x1.5')?.message).toContain('(U+D83D)')
  })

  test('refuses an empty barcode and spaces at its ends', () => {
    expect(checkLabel('', '4x1.5')).toEqual({ code: 'empty', message: 'Barcode is empty.' })
    expect(checkLabel('A1 ', '4x1.5')).toEqual({
      code: 'outer_space',
      message: 'Barcode "A1 " starts or ends with a space.',
    })
    expect(checkLabel(' ', '4x1.5')?.code).toBe('outer_space')
    expect(checkLabel('A 1', '4x1.5')).toBeNull()
  })
})

describe('beside a square symbol', () => {
  const encodeMatrix = () => ({ rows: Array.from({ length: 21 }, () => '1'.repeat(21)), quiet: 4 })
  const beside = (item: Omit<LabelItem, 'barcode'>, size: LabelSizeKey) =>
    layoutLabel({ barcode: 'SKU-10023', ...item }, { size, measure, encodeMatrix })

  test('a description takes as many lines as have room, between words', () => {
    const { texts } = beside({ description: 'Hexagon socket head cap screw, stainless steel' }, '2x1')
    expect(texts.map(({ text }) => text)).toEqual([
      'Hexagon socket',
      'head cap screw,',
      'stainless steel',
      'SKU-10023',
    ])
  })

  test.each(sizes)('lines lie below one another inside $key, and the symbol stays', ({ key, height }) => {
    for (const footer of ['', 'ID: 7']) {
      const { texts, symbol } = beside({ description: 'A long description. '.repeat(25), footer }, key)
      const edges = texts.flatMap(({ baseline, fontSize }) => [
        baseline - 0.8 * fontSize,
        baseline + 0.2 * fontSize,
      ])
      expect(edges).toEqual(edges.toSorted((a, b) => a - b))
      expect(edges[0]).toBeGreaterThanOrEqual(6)
      expect(edges.at(-1)).toBeLessThanOrEqual(height * 72 - 6)
      const described = texts.filter(({ role }) => role === 'description')
      expect(described.length).toBeGreaterThan(3)
      expect(described.at(-1)?.text).toMatch(/…$/)
      expect(symbol).toEqual(beside({ description: 'Short', footer }, key).symbol)
    }
  })

  test('a logo is as large above a long description as above a short one, and clear of it', () => {
    const logo = Array.from({ length: 40 }, () => '10'.repeat(60))
    for (const { key } of sizes) {
      const of = (description: string) =>
        layoutLabel({ barcode: 'SKU-1', description }, { size: key, measure, encodeMatrix, logo })
      const { logo: placed, texts } = of('A long description. '.repeat(25))
      if (placed === null) throw new Error('no logo')
      expect(placed).toEqual(of('Short').logo)
      const [first] = texts
      expect((first?.baseline ?? 0) - 0.8 * (first?.fontSize ?? 0)).toBeGreaterThan(
        placed.y + placed.rows.length * placed.dot,
      )
    }
  })
})

describe('a logo', () => {
  const logo = Array.from({ length: 40 }, () => '10'.repeat(60))
  const item = {
    barcode: 'SKU-1',
    description: 'A description that is much too long for the room beside a logo',
  }
  const matrix = () => ({ rows: Array.from({ length: 21 }, () => '1'.repeat(21)), quiet: 4 })

  test.each(
    sizes.flatMap((size) => [undefined, matrix].map((encodeMatrix) => ({ size: size.key, encodeMatrix }))),
  )('never moves or shrinks the symbol: $size', ({ size, encodeMatrix }) => {
    const options = { size, encodeMatrix, measure }
    for (const footer of ['', 'ID: 7']) {
      const plain = layoutLabel({ ...item, footer }, options)
      expect(layoutLabel({ ...item, footer }, { ...options, logo }).symbol).toEqual(plain.symbol)
    }
  })

  test('has room above the barcode of the large label, and on smaller ones only beside a square symbol', () => {
    const shown = (size: LabelSizeKey, encodeMatrix?: typeof matrix) =>
      layoutLabel(item, { size, encodeMatrix, measure, logo }).logo !== null
    expect(sizes.map(({ key }) => [key, shown(key), shown(key, matrix)])).toEqual([
      ['4x1.5', true, true],
      ['3x1', false, true],
      ['2x1', false, true],
    ])
  })

  test('lies in whole dots, clear of the edge, the text and the bars', () => {
    for (const dpi of [203, 300] as const) {
      const { logo: placed, symbol, texts } = layoutLabel(item, { size: '4x1.5', dpi, measure, logo })
      if (placed === null) throw new Error('no logo')
      const dots = (length: number) => (length * dpi) / 72
      expect(dots(placed.x)).toBeCloseTo(Math.round(dots(placed.x)), 6)
      expect(dots(placed.y)).toBeCloseTo(Math.round(dots(placed.y)), 6)
      expect(placed.y).toBeGreaterThanOrEqual(6)
      expect(placed.y + placed.rows.length * placed.dot).toBeLessThan(symbol.y)
      expect(placed.x + (placed.rows[0]?.length ?? 0) * placed.dot).toBeLessThan(texts[0]?.x ?? 0)
    }
  })

  test('keeps its form when it is made larger or smaller', () => {
    const square = ['11110000', '11110000', '00001111', '00001111']
    const { logo: placed } = layoutLabel(item, { size: '4x1.5', measure, logo: square })
    const rows = placed?.rows ?? []
    expect(rows[0]).toMatch(/^(1+)0+$/)
    expect(rows.at(-1)).toMatch(/^0+1+$/)
  })
})
