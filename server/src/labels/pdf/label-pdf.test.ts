import { fileURLToPath } from 'node:url'
import { inflateSync } from 'node:zlib'
import { labelCapacity } from '@inventory-manager/contract/labels/check-label'
import { cleanLine } from '@inventory-manager/contract/labels/fit-text'
import { encodeCode128 } from '@inventory-manager/contract/labels/code128'
import { layoutLabel, type LabelItem } from '@inventory-manager/contract/labels/layout'
import { labelSizes, type LabelSizeKey } from '@inventory-manager/contract/labels/sizes'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  cut,
  decodeWithZbar,
  decodeWithZxing,
  dotRuns,
  openPrinter,
  type Printer,
} from '../../../test/printer.ts'
import { isSoundPdf } from '../../../test/qpdf.ts'
import { loadFonts, type PdfFonts } from '../../platform/pdf/fonts.ts'
import { labelPdf } from './label-pdf.ts'

const sizes = Object.values(labelSizes)
const fontFolder = fileURLToPath(new URL('../../../assets/fonts', import.meta.url))

let fonts: PdfFonts
let printer: Printer

beforeAll(async () => {
  fonts = await loadFonts(fontFolder)
  printer = await openPrinter()
})

afterAll(() => printer.close())

async function makePdf(labels: readonly LabelItem[], size: LabelSizeKey = '4x1.5'): Promise<Buffer> {
  const pieces: Buffer[] = []
  await fonts.prepare(labels.map(({ description }) => description ?? ''))
  for await (const piece of labelPdf(labels, { size, fonts })) pieces.push(piece)
  return Buffer.concat(pieces)
}

/** The table of where objects lie, out of the cross-reference stream: rows of kind, place and index. */
function crossReferences(pdf: Buffer): { kind: number; place: number; index: number }[] {
  const start = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(pdf.toString('latin1'))?.[1])
  const rows = streamAt(pdf, start)
  return Array.from({ length: rows.length / 8 }, (_, row) => ({
    kind: rows.readUInt8(row * 8),
    place: rows.readUIntBE(row * 8 + 1, 5),
    index: rows.readUInt16BE(row * 8 + 6),
  }))
}

function streamAt(pdf: Buffer, offset: number): Buffer {
  const head = /^\d+ 0 obj\n<<.*?\/Length (\d+).*?>>stream\n/.exec(
    pdf.toString('latin1', offset, offset + 300),
  )
  if (head === null) throw new Error(`no stream at ${offset}`)
  const start = offset + head[0].length
  const end = start + Number(head[1])
  expect(pdf.toString('latin1', end, end + 18)).toBe('\nendstream\nendobj\n')
  return inflateSync(pdf.subarray(start, end))
}

/** The text of a packed object, with the number that its object stream gives it. */
function packedObject(pdf: Buffer, container: number, index: number): { number: number; body: string } {
  const text = streamAt(pdf, container).toString('latin1')
  const offsets = text.slice(0, text.indexOf('<<')).trim().split(' ').map(Number)
  const first = text.indexOf('<<')
  const end = offsets[index * 2 + 3]
  const body = text.slice(first + (offsets[index * 2 + 1] ?? 0), end === undefined ? undefined : first + end)
  return { number: offsets[index * 2] ?? -1, body: body.trim() }
}

/** The objects that are no streams; throws where the table of places is wrong. */
function objectsOf(pdf: Buffer): string[] {
  const rows = crossReferences(pdf)
  return rows.flatMap(({ kind, place, index }, number) => {
    if (kind === 0) return []
    const found = kind === 2 ? packedObject(pdf, rows[place]?.place ?? -1, index) : streamObject(pdf, place)
    if (found.number !== number) throw new Error(`object ${number} is not in its place`)
    return kind === 2 ? [found.body] : []
  })
}

function streamObject(pdf: Buffer, offset: number): { number: number; body: string } {
  const number = Number(/^(\d+) 0 obj\n/.exec(pdf.toString('latin1', offset, offset + 20))?.[1])
  return { number, body: streamAt(pdf, offset).toString('latin1') }
}

function manyLabels(count: number): LabelItem[] {
  return Array.from({ length: count }, (_, place) => ({
    barcode: `SKU-${10_000 + place}`,
    description: `Part ${place}`,
  }))
}

describe('the file', () => {
  test('lists every object at its place', async () => {
    const objects = objectsOf(await makePdf(manyLabels(250)))
    expect(objects.filter((object) => object.startsWith('<</Type/Page/'))).toHaveLength(250)
    expect(objects.filter((object) => object.startsWith('<</Type/Pages'))).toHaveLength(4)
    expect(objects.filter((object) => object.startsWith('<</Type/Catalog'))).toHaveLength(1)
  })

  test.each(sizes)(
    'has pages of exactly $width x $height in and asks for printing at actual size, on one side',
    async (size) => {
      const objects = objectsOf(await makePdf(manyLabels(1), size.key)).join('\n')
      expect(objects).toContain(`/MediaBox[0 0 ${size.width * 72} ${size.height * 72}]`)
      expect(objects).toContain('/ViewerPreferences<</PrintScaling/None/Duplex/Simplex>>')
    },
  )

  test('has the pages in order, across the groups of the page tree', async () => {
    const texts = await printer.readTexts(await makePdf(manyLabels(205)))
    expect(texts).toHaveLength(205)
    for (const [place, text] of texts.entries()) expect(text).toContain(`Part ${place}\n`)
  })

  test('repeats a label for its copies without growing much', async () => {
    const one = await makePdf([{ barcode: 'A1', description: 'Widget' }])
    const many = await makePdf([{ barcode: 'A1', description: 'Widget', copies: 100 }])
    expect(await printer.readTexts(many)).toHaveLength(100)
    expect(many.length - one.length).toBeLessThan(2000)
  })

  test('embeds only the fonts that it needs', async () => {
    const fontsOf = async (description: string) => {
      const objects = objectsOf(await makePdf([{ barcode: 'A1', description }])).join('\n')
      return Array.from(objects.matchAll(/\/FontName\/[A-Z]{6}\+([\w-]+)/g), ([, name]) => name)
    }
    expect(await fontsOf('Łożysko')).toEqual(['NotoSans-Regular'])
    expect(await fontsOf('Łożysko → ■')).toEqual(['NotoSans-Regular', 'DejaVuSans'])
    expect(await fontsOf('螺栓')).toEqual(['NotoSansSCThin-Regular', 'NotoSans-Regular'])
    expect(await fontsOf('螺栓ボルト')).toEqual(['NotoSansJPThin-Regular', 'NotoSans-Regular'])
  })
})

describe('the text', () => {
  test.each([
    'Łożysko kulkowe źdźbło, ąęść',
    'Подшипник Ёлка їжак',
    'Ρουλεμάν Άλφα ώμέγα ϊΰ',
    'Vòng bi Ấ ộ ữ ẵ Ơ đường',
    'Größe Ø 12 µm ±0.5 ½" €9',
    '← ■ ✓ ♥ ∑',
    '螺栓 六角头 镀锌 M8',
    '六角ボルト M8 亜鉛メッキ 「箱」',
    '육각 볼트 M8 아연 도금',
    '鋼製螺絲釘',
    'Box 📦 🔩 ⚠',
    'Łożysko 轴承 подшипник ベアリング',
  ])('of %j comes out as it went in', async (description) => {
    const [text] = await printer.readTexts(await makePdf([{ barcode: 'A1', description }]))
    expect(text).toBe(`${description}\nA1`)
  })

  test('has the accents composed, however they came', async () => {
    const [text] = await printer.readTexts(
      await makePdf([{ barcode: 'A1', description: 'Vie\u0323\u0302t ca\u0300fe\u0301' }]),
    )
    expect(text).toBe('Việt càfé\nA1')
  })

  test('has a box for what no font has', async () => {
    const [text] = await printer.readTexts(await makePdf([{ barcode: 'A1', description: 'a\u{13000}bကc' }]))
    expect(text).toBe('a□b□c\nA1')
  })

  test.each([
    ['ﾎﾞﾙﾄ M8', 'ボルト M8'],
    ['㈱山田 5㎏ ⑪', '(株)山田 5kg (11)'],
    ['㌔㍻', 'キロ平成'],
  ])('has %j written out, as no font has it', async (description, printed) => {
    const [text] = await printer.readTexts(await makePdf([{ barcode: 'A1', description }]))
    expect(text).toBe(`${printed}\nA1`)
  })

  test.each(['ㄅㄆ', 'A・B', '㊥', '〘1〙', '︵', 'ﾟ', '🏻', '株', '１'])(
    'of %j is the same whatever was printed before',
    async (text) => {
      const fresh = await loadFonts(fontFolder)
      await fresh.prepare([text])
      const drawn = () => fresh.signs(cleanLine(text)).map(({ font, glyph }) => [font.postscriptName, glyph])
      const before = drawn()
      await fresh.prepare(['螺栓 ボルト 볼트 📦'])
      expect(drawn()).toEqual(before)
    },
  )

  test('runs from right to left in Hebrew and Arabic, with joined letters', () => {
    const drawn = (text: string) => fonts.signs(text).map((sign) => sign.text)
    expect(drawn('שלום')).toEqual(['ם', 'ו', 'ל', 'ש'])
    expect(drawn('לא 25')).toEqual(['2', '5', ' ', 'א', 'ל'])
    expect(drawn('سلام')).toEqual(['م', 'لا', 'س'])
    const alone = fonts.signs('ع')[0]?.glyph
    expect(fonts.signs('عع').map((sign) => sign.glyph)).not.toContain(alone)
  })

  test('of any characters at all makes a page', async () => {
    const blocks = Array.from({ length: 1100 }, (_, block) =>
      Array.from({ length: 60 }, (_, place) => String.fromCharCode(block * 60 + place)).join(''),
    )
    const astral = Array.from({ length: 500 }, (_, place) =>
      String.fromCodePoint(0x1_0000 + place * 2000, 0x5d0, place),
    )
    const descriptions = [...blocks, ...astral]
    const pdf = await makePdf(
      descriptions.map((description) => ({ barcode: 'A1', description })),
      '2x1',
    )
    expect(objectsOf(pdf).length).toBeGreaterThan(descriptions.length)
    expect(await printer.readTexts(pdf)).toHaveLength(descriptions.length)
  }, 60_000)
})

/** Barcodes of every length that fits a size: any characters, digits only, and the hardest signs. */
function barcodesFor(size: LabelSizeKey): string[] {
  const { characters, digits } = labelCapacity(size)
  const mixed = (length: number) =>
    Array.from({ length }, (_, place) => String.fromCharCode(33 + ((place * 37 + length * 11) % 94))).join('')
  return ['036000291452', 'A', 'a b', '(01)0950', '%$/+-.', '"\'`\\', '~', '0'].concat(
    Array.from({ length: characters }, (_, place) => mixed(place + 1)),
    Array.from({ length: digits / 2 }, (_, place) => '0918273645'.repeat(7).slice(0, (place + 1) * 2)),
  )
}

describe('the barcode', () => {
  test.each(sizes)(
    'of every length on $key is read by ZXing and ZBar',
    async ({ key }) => {
      const barcodes = barcodesFor(key)
      const pages = await printer.print(
        await makePdf(
          barcodes.map((barcode) => ({ barcode, description: 'Łożysko' })),
          key,
        ),
      )
      const zxing: string[][] = []
      const zbar: string[][] = []
      for (const picture of pages) {
        zxing.push(await decodeWithZxing(picture))
        zbar.push(await decodeWithZbar(picture))
      }
      expect(zxing).toEqual(barcodes.map((barcode) => [barcode]))
      expect(zbar).toEqual(barcodes.map((barcode) => [barcode]))
    },
    60_000,
  )

  test.each(sizes)(
    'on $key prints whole dots, 2 or 3 a module, and quiet zones of 10 modules',
    async ({ key }) => {
      const barcodes = barcodesFor(key)
      const pages = await printer.print(
        await makePdf(
          barcodes.map((barcode) => ({ barcode })),
          key,
        ),
      )
      for (const [place, picture] of pages.entries()) {
        const runs = dotRuns(picture)
        const { widths, modules } = encodeCode128(barcodes[place] ?? '')
        const dots = Math.min(3, Math.floor(picture.width / (modules + 20)))
        expect(runs.slice(1, -1)).toEqual(widths.map((width) => width * dots))
        expect(Math.min(runs[0] ?? 0, runs.at(-1) ?? 0)).toBeGreaterThanOrEqual(10 * dots)
      }
    },
  )
})

describe('the making', () => {
  test('gives the first bytes before it asks for the first label', async () => {
    let asked = 0
    function* labels() {
      asked += 1
      yield { barcode: 'A1' }
    }
    const pieces = labelPdf(labels(), { size: '4x1.5', fonts })
    const first = await pieces.next()
    expect(String(first.value)).toMatch(/^%PDF-1\.7\n/)
    expect(asked).toBe(0)
    await pieces.return()
  })

  test('lets other work in between, so that nothing waits for 10,000 labels', async () => {
    let turns = 0
    const timer = setInterval(() => (turns += 1), 1)
    const pdf = await makePdf(manyLabels(10_000))
    clearInterval(timer)
    expect(turns).toBeGreaterThan(10)
    expect(pdf.length).toBeLessThan(10_000 * 420)
  }, 60_000)

  test('lets other work in between the labels of one page', async () => {
    let turns = 0
    const timer = setInterval(() => (turns += 1), 1)
    function* slowLabels() {
      for (const label of manyLabels(20)) {
        const end = performance.now() + 9
        while (performance.now() < end);
        yield label
      }
    }
    for await (const piece of labelPdf(slowLabels(), { size: '2x1', page: 'a4', fonts })) {
      if (piece.includes('Labels: 20')) break
    }
    clearInterval(timer)
    expect(turns).toBeGreaterThan(10)
  })

  test('asks the fonts only once for a character that none has', () => {
    const font = fonts.signs('A')[0]?.font
    if (font === undefined) throw new Error('no font')
    const lookUp = vi.spyOn(font, 'hasGlyphForCodePoint')
    const text = String.fromCodePoint(0xf1000, 0xf1001, 0xf1002)
    fonts.measure(text)
    expect(lookUp).toHaveBeenCalledTimes(3)
    fonts.signs(text.repeat(100))
    expect(lookUp).toHaveBeenCalledTimes(3)
    lookUp.mockRestore()
  })

  test('stops when the signal aborts', async () => {
    const leaving = new AbortController()
    let asked = 0
    function* labels() {
      for (; asked < 100_000; asked += 1) yield { barcode: `SKU-${asked}` }
    }
    const make = async () => {
      for await (const piece of labelPdf(labels(), { size: '4x1.5', fonts, signal: leaving.signal })) {
        if (asked > 100 && piece.length > 0) leaving.abort(new Error('the client left'))
      }
    }
    await expect(make()).rejects.toThrow('the client left')
    expect(asked).toBeLessThan(100_000)
  })
})

describe('a logo', () => {
  const logo = ['1110', '1010', '1110', '0001']

  test('is printed dot by dot where the preview shows it, once in the file, and the barcode is read', async () => {
    const labels = Array.from({ length: 50 }, (_, index) => ({
      barcode: `SKU-${index}`,
      description: 'Bolt',
    }))
    const pieces: Buffer[] = []
    for await (const piece of labelPdf(labels, { size: '4x1.5', dpi: 300, fonts, logo })) pieces.push(piece)
    const pdf = Buffer.concat(pieces)
    expect(await isSoundPdf(pdf)).toBe(true)
    expect(pdf.toString('latin1').match(/\/Subtype\/Image/g)).toHaveLength(1)
    // At 203 dpi this label is 304 and a half dots high, which PDFium cannot draw.
    const [picture] = await printer.print(pdf, 300)
    if (picture === undefined) throw new Error('no page')
    expect([await decodeWithZxing(picture), await decodeWithZbar(picture)]).toEqual([['SKU-0'], ['SKU-0']])
    const { logo: placed } = layoutLabel(
      { barcode: 'SKU-0', description: 'Bolt' },
      { size: '4x1.5', dpi: 300, measure: fonts.measure, logo },
    )
    if (placed === null) throw new Error('no logo')
    const [left, top] = [placed.x, placed.y].map((points) => Math.round((points / 72) * 300))
    const size = { width: placed.rows[0]?.length ?? 0, height: placed.rows.length }
    const { data } = cut(picture, { left: left ?? 0, top: top ?? 0, ...size })
    const printed = Array.from({ length: size.height }, (_, row) =>
      Array.from({ length: size.width }, (__, dot) =>
        data[(row * size.width + dot) * 4] === 0 ? '1' : '0',
      ).join(''),
    )
    expect(printed).toEqual(placed.rows)
  })
})
