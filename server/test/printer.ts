import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { PDFiumLibrary, type PDFiumPage } from '@hyzyla/pdfium'
import { scanRGBABuffer } from '@undecaf/zbar-wasm'
import { prepareZXingModule, readBarcodes, type ReaderOptions } from 'zxing-wasm/reader'

/** What a printer without shades prints: four bytes a dot, each 0 or 255. */
export interface Picture {
  width: number
  height: number
  data: Uint8Array
}

export interface Printer {
  /** The texts of the pages. */
  readTexts: (pdf: Buffer) => Promise<string[]>
  /** The pages as a printer of 203 or 300 dpi prints them at actual size. */
  print: (pdf: Buffer, dpi?: number) => Promise<Picture[]>
  close: () => void
}

/** Opens files with PDFium, which Chrome also shows and prints with, and gets ZXing ready to read. */
export async function openPrinter(): Promise<Printer> {
  const pdfium = await PDFiumLibrary.init()
  const wasm = await readFile(createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm'))
  await prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(wasm).buffer }, fireImmediately: true })

  async function withPages<Result>(
    pdf: Buffer,
    read: (page: PDFiumPage) => Result,
  ): Promise<Awaited<Result>[]> {
    const document = await pdfium.loadDocument(pdf)
    const results: Awaited<Result>[] = []
    for (const page of document.pages()) results.push(await read(page))
    document.destroy()
    return results
  }

  return {
    readTexts: (pdf) => withPages(pdf, (page) => page.getText().replaceAll('\r\n', '\n')),
    print: (pdf, dpi = 203) =>
      withPages(pdf, async (page) => {
        const { originalWidth, originalHeight } = page.getOriginalSize()
        const width = Math.round((originalWidth / 72) * dpi)
        const height = Math.round((originalHeight / 72) * dpi)
        const { data } = await page.render({ width, height, render: 'bitmap' })
        return { width, height, data: data.map((shade) => (shade < 128 ? 0 : 255)) }
      }),
    close: () => pdfium.destroy(),
  }
}

type Formats = NonNullable<ReaderOptions['formats']>

/** What ZXing reads on a picture. */
export async function decodeWithZxing(picture: Picture, formats: Formats = ['Code128']): Promise<string[]> {
  const { data, width, height } = picture
  const image = { data: new Uint8ClampedArray(data), width, height, colorSpace: 'srgb' }
  const results = await readBarcodes(image, {
    formats,
    maxNumberOfSymbols: 255,
  })
  return results.map((result) => result.text)
}

/** What ZBar reads on a picture: bars and QR codes. */
export async function decodeWithZbar({ data, width, height }: Picture): Promise<string[]> {
  const symbols = await scanRGBABuffer(new Uint8Array(data).buffer, width, height)
  return symbols.map((symbol) => symbol.decode())
}

/** Lengths in dots of white and black in turn along a row, from the left edge; the middle one unless told. */
export function dotRuns({ data, width, height }: Picture, at = Math.floor(height / 2)): number[] {
  const runs: number[] = []
  const row = at * width * 4
  for (let start = 0, end = 0; start < width; start = end) {
    while (end < width && data[row + end * 4] === data[row + start * 4]) end += 1
    runs.push(end - start)
  }
  return runs
}

/** A part of a picture, in dots. */
export function cut(
  picture: Picture,
  part: { left: number; top: number; width: number; height: number },
): Picture {
  const data = new Uint8Array(part.width * part.height * 4)
  for (let row = 0; row < part.height; row += 1) {
    const start = ((part.top + row) * picture.width + part.left) * 4
    data.set(picture.data.subarray(start, start + part.width * 4), row * part.width * 4)
  }
  return { width: part.width, height: part.height, data }
}
