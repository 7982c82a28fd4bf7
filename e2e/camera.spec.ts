import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PDFiumLibrary } from '@hyzyla/pdfium'
import type { Locator, Page } from '@playwright/test'
import bwip from 'bwip-js/node'
import { cut, expect, goTo, importRows, test } from './fixtures.ts'
import config from './playwright.config.ts'

/** The browser's camera shows this film; it is made of a printed label before the camera is opened. */
const film = join(tmpdir(), `inventory-manager-label-${process.pid}.y4m`)
const launch = config.use?.launchOptions ?? {}

test.use({
  permissions: ['camera'],
  launchOptions: {
    ...launch,
    args: [
      ...(launch.args ?? []),
      '--use-fake-ui-for-media-stream',
      '--use-fake-device-for-media-stream',
      `--use-file-for-fake-video-capture=${film}`,
    ],
  },
})

const size = { width: 1280, height: 720 }
const [white, grey] = [235, 128]

type Shades = { width: number; height: number; data: Uint8Array }

/** The first page of a PDF as a printer would print it, in shades of grey. */
async function printed(pdf: Buffer): Promise<Shades> {
  const pdfium = await PDFiumLibrary.init()
  const document = await pdfium.loadDocument(pdf)
  const page = document.getPage(0)
  const { originalWidth, originalHeight } = page.getOriginalSize()
  const scale = Math.min((size.width * 0.8) / originalWidth, (size.height * 0.8) / originalHeight)
  const width = Math.round(originalWidth * scale)
  const height = Math.round(originalHeight * scale)
  const { data } = await page.render({ width, height, render: 'bitmap' })
  document.destroy()
  pdfium.destroy()
  return {
    width,
    height,
    data: Uint8Array.from({ length: width * height }, (_, dot) => data[dot * 4] ?? white),
  }
}

/** One picture of the film: the label on a wall, or the wall alone (YUV4MPEG2, 4:2:0). */
function frame(label: Shades | null): Buffer {
  const picture = Buffer.alloc(size.width * size.height * 1.5, grey)
  picture.fill(white - 40, 0, size.width * size.height)
  if (label !== null) {
    const left = Math.floor((size.width - label.width) / 2)
    const top = Math.floor((size.height - label.height) / 2)
    for (let row = 0; row < label.height; row += 1) {
      const shades = label.data.subarray(row * label.width, (row + 1) * label.width)
      picture.set(shades, (top + row) * size.width + left)
    }
  }
  return Buffer.concat([Buffer.from('FRAME\n'), picture])
}

async function makeFilm(label: Shades | null): Promise<void> {
  const head = Buffer.from(`YUV4MPEG2 W${size.width} H${size.height} F10:1 Ip A1:1 C420jpeg\n`)
  const pictures = [
    ...Array.from({ length: 20 }, () => frame(label)),
    ...Array.from({ length: 20 }, () => frame(null)),
  ]
  await writeFile(film, Buffer.concat([head, ...pictures]))
}

/** A label of this product, as its own label screen downloads it. */
async function labelOf(page: Page, code: string): Promise<Buffer> {
  const token = await page.evaluate(() => localStorage.getItem('jwt_token'))
  const response = await fetch(new URL('/api/generate-labels', page.url()), {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ components: [{ barcode: code, description: 'Bearing 6204' }] }),
  })
  expect(response.status).toBe(200)
  return Buffer.from(await response.arrayBuffer())
}

test.afterAll(() => rm(film, { force: true }))

/** What looks is loaded first, and a label is shown for two of four seconds. */
const seenSoon = { timeout: 30_000 }

test('the camera reads a printed label, once for each time it is shown, and is remembered', async ({
  staff: page,
}) => {
  await goTo(page, 'Generate Labels')
  await page.getByLabel('Manual entry').fill('CAM-0001,Bearing 6204,3')
  await page.getByRole('button', { name: 'Generate Labels & Sync' }).click()
  await expect(page.getByText('✅ Success! Generated 1 labels')).toBeVisible()
  await makeFilm(await printed(await labelOf(page, 'CAM-0001')))

  await goTo(page, 'Monthly Count')
  await page.getByRole('button', { name: 'Start Monthly Count' }).click()
  await page.getByRole('button', { name: 'Camera', exact: true }).click()
  await expect(page.getByLabel('Barcode')).toHaveValue('CAM-0001', seenSoon)
  await page.getByLabel('Quantity').fill('3')
  await page.getByRole('button', { name: 'Submit', exact: true }).click()
  await expect(page.getByText('✓ Bearing 6204 - Quantity matches!')).toBeVisible()
  await expect(page.getByText('1 scan stored')).toBeVisible()

  // The film shows it for two of four seconds: it comes up again when it was gone, not before, and is taken once.
  await expect(page.getByLabel('Barcode')).toHaveValue('CAM-0001', seenSoon)
  await expect(page.getByText('CAM-0001 was scanned again. It is taken once.')).toBeVisible(seenSoon)

  await page.reload()
  await expect(page.getByRole('region', { name: 'Camera' })).toBeVisible()
  await page.getByRole('button', { name: 'Close camera' }).click()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Camera', exact: true })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Camera' })).toHaveCount(0)

  // Where nothing is counted, it looks up what it reads.
  await goTo(page, 'Components')
  await page.getByRole('button', { name: 'Scan with the camera' }).press('Enter')
  await expect(page.getByRole('heading', { name: 'CAM-0001', level: 1 })).toBeVisible(seenSoon)
  await page.goBack()
  await expect(page.getByLabel('Search')).toHaveValue('CAM-0001')
  await expect(page.getByRole('link', { name: /CAM-0001 Bearing 6204/ })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Camera' })).toHaveCount(0)
})

/** Bars as they stand on goods: 3 dots wide at the least, with room around them. */
function barsOf(bcid: string, text: string): Shades {
  const [symbol] = bwip.raw({ bcid, text })
  if (symbol === undefined || !('sbs' in symbol)) throw new Error('Bars were expected.')
  const module = 3
  const room = Array.from({ length: 10 * module }, () => white)
  const row = [
    ...room,
    ...symbol.sbs.flatMap((width, place) =>
      Array.from({ length: width * module }, () => (place % 2 === 0 ? 16 : white)),
    ),
    ...room,
  ]
  const height = 200
  return {
    width: row.length,
    height,
    data: Uint8Array.from(Array.from({ length: height }, () => row).flat()),
  }
}

test('the camera reads GS1 DataBar as fresh and small goods carry it', async ({ staff: page }) => {
  await importRows(page, [{ barcode: '4006381333931', description: 'Bearing 6204' }])
  for (const { bcid, text } of [
    { bcid: 'databaromni', text: '(01)04006381333931' },
    { bcid: 'databarlimited', text: '(01)04006381333931' },
    { bcid: 'databarexpanded', text: '(01)04006381333931(10)L7' },
  ]) {
    await makeFilm(barsOf(bcid, text))
    await goTo(page, 'Components')
    await page.getByRole('button', { name: 'Scan with the camera' }).click()
    const found = page.getByRole('heading', { name: '4006381333931', level: 1 })
    await expect(found, bcid).toBeVisible(seenSoon)
  }
})

test('a camera that looks up is closed by its button, and by a dialog before it', async ({ staff: page }) => {
  await makeFilm(null)
  await goTo(page, 'Components')
  const lookUp = page.getByRole('button', { name: 'Scan with the camera' })
  await lookUp.click()
  await page.getByRole('button', { name: 'Close camera' }).click()
  await expect(lookUp).toBeFocused()
  await lookUp.press('Enter')
  await expect(page.getByRole('region', { name: 'Camera' })).toBeVisible()
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keys' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Camera' })).toHaveCount(0)
})

test('whoever closes a camera that looks up is not led away by what it sees last', async ({
  staff: page,
}) => {
  await importRows(page, [{ barcode: 'CAM-0001', description: 'Bearing 6204', primary_quantity: 3 }])
  await makeFilm(await printed(await labelOf(page, 'CAM-0001')))
  await goTo(page, 'Components')
  await page.evaluate(() => {
    const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices)
    navigator.mediaDevices.getUserMedia = async (wish) => {
      const stream = await open(wish)
      const [track] = stream.getTracks()
      const stop = track?.stop.bind(track)
      if (track !== undefined) {
        track.stop = () => {
          stop?.()
          document.title = 'Camera ended'
        }
      }
      return stream
    }
    // Closed while the first picture is read, the camera looks once more, and is let go after that.
    for (const { prototype } of [CanvasRenderingContext2D, OffscreenCanvasRenderingContext2D]) {
      const usual = Object.getOwnPropertyDescriptor(prototype, 'getImageData') ?? {}
      Object.defineProperty(prototype, 'getImageData', {
        ...usual,
        value(this: CanvasRenderingContext2D, ...area: [number, number, number, number]) {
          Object.defineProperty(prototype, 'getImageData', usual)
          const buttons = [...document.querySelectorAll('button')]
          buttons.find((each) => each.textContent === 'Close camera')?.click()
          return this.getImageData(...area)
        },
      })
    }
  })
  await page.getByRole('button', { name: 'Scan with the camera' }).click()
  await expect(page).toHaveTitle('Camera ended', seenSoon)
  await expect(page.getByLabel('Search')).toHaveValue('')
  await expect(page.getByRole('heading', { name: 'Components', level: 1 })).toBeVisible()
})

/** How much of what is used in turn, picture, result and fields, a phone does not show: above, behind the bar, and below. */
async function hiddenOf(page: Page): Promise<{ above: number; below: number }> {
  const boxOf = async (shown: Locator) => {
    const { y = 0, height = 0 } = (await shown.boundingBox()) ?? {}
    return { top: y, bottom: y + height }
  }
  const bar = await boxOf(page.getByRole('banner'))
  const seen = await boxOf(page.getByLabel('What the camera sees'))
  const submit = await boxOf(page.getByRole('button', { name: 'Submit', exact: true }))
  return { above: Math.max(0, bar.bottom - seen.top), below: Math.max(0, submit.bottom - 640) }
}

test('on a phone the picture of the camera is in view together with the result and the fields, from one code to the next', async ({
  staff: page,
}) => {
  await page.setViewportSize({ width: 360, height: 640 })
  await importRows(page, [{ barcode: 'CAM-0001', description: 'Bearing 6204', primary_quantity: 3 }])
  await makeFilm(await printed(await labelOf(page, 'CAM-0001')))
  await goTo(page, 'Monthly Count')
  await page.getByRole('button', { name: 'Start Monthly Count' }).click()
  await page.getByRole('button', { name: 'Camera', exact: true }).click()
  await expect(page.getByLabel('Barcode')).toHaveValue('CAM-0001', seenSoon)
  await expect.poll(() => hiddenOf(page)).toEqual({ above: 0, below: 0 })
  await page.getByLabel('Quantity').fill('3')
  await page.getByRole('button', { name: 'Submit', exact: true }).click()
  await expect(page.getByText('✓ Bearing 6204 - Quantity matches!')).toBeVisible()
  await expect.poll(() => hiddenOf(page)).toEqual({ above: 0, below: 0 })

  // From further down the page, to which the browser keeps when something is put in above.
  await page.getByRole('button', { name: 'Close camera' }).click()
  await page.getByRole('button', { name: 'Camera', exact: true }).evaluate((button: HTMLElement) => {
    button.scrollIntoView({ block: 'start', behavior: 'instant' })
    button.click()
  })
  await expect(page.getByLabel('What the camera sees')).toBeVisible()
  await expect.poll(async () => (await hiddenOf(page)).above).toBe(0)
})

test('the camera goes on where one picture could not be read', async ({ staff: page }) => {
  await importRows(page, [{ barcode: 'CAM-0001', description: 'Bearing 6204', primary_quantity: 3 }])
  await makeFilm(await printed(await labelOf(page, 'CAM-0001')))
  await goTo(page, 'Overview')
  await page.evaluate(() => {
    // It is reported, which is what this test waits for.
    globalThis.reportError = () => {
      document.title = 'A picture failed'
    }
    const restore: (() => void)[] = []
    const fail = (): never => {
      for (const each of restore) each()
      throw new DOMException('No picture.', 'SecurityError')
    }
    for (const { prototype } of [CanvasRenderingContext2D, OffscreenCanvasRenderingContext2D]) {
      const usual = Object.getOwnPropertyDescriptor(prototype, 'getImageData') ?? {}
      Object.defineProperty(prototype, 'getImageData', { ...usual, value: fail })
      restore.push(() => Object.defineProperty(prototype, 'getImageData', usual))
    }
  })
  await goTo(page, 'Monthly Count')
  await page.getByRole('button', { name: 'Start Monthly Count' }).click()
  await page.getByRole('button', { name: 'Camera', exact: true }).click()
  await expect(page).toHaveTitle('A picture failed', seenSoon)
  await expect(page.getByLabel('Barcode')).toHaveValue('CAM-0001', seenSoon)
})

test('a camera that the device takes away is said to be gone, and can be opened again', async ({
  staff: page,
}) => {
  await importRows(page, [{ barcode: 'CAM-0001', description: 'Bearing 6204', primary_quantity: 3 }])
  await makeFilm(null)
  await goTo(page, 'Monthly Count')
  await page.getByRole('button', { name: 'Start Monthly Count' }).click()
  await page.getByRole('button', { name: 'Camera', exact: true }).click()
  const seen = page.getByLabel('What the camera sees')
  await expect.poll(() => seen.evaluate((video: HTMLVideoElement) => video.readyState), seenSoon).toBe(4)
  await seen.evaluate((video: HTMLVideoElement) => {
    const { srcObject } = video
    if (srcObject instanceof MediaStream) srcObject.getTracks()[0]?.dispatchEvent(new Event('ended'))
  })
  await expect(page.getByRole('alert')).toHaveText(
    'The camera stopped: another program may have taken it. Close it here and open it again.',
  )
  await page.getByRole('button', { name: 'Close camera' }).click()
  await page.getByRole('button', { name: 'Camera', exact: true }).click()
  await expect(seen).toBeVisible()
})

test('a camera whose pictures cannot be read is closed again', async ({ staff: page }) => {
  await makeFilm(null)
  await goTo(page, 'Overview')
  await page.evaluate(() => {
    // What the decoder says of itself is no word of this program.
    // oxlint-disable-next-line no-console
    console.error = () => undefined
    const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices)
    navigator.mediaDevices.getUserMedia = async (wish) => {
      const stream = await open(wish)
      const [track] = stream.getTracks()
      document.title = 'Camera open'
      const stop = track?.stop.bind(track)
      if (track !== undefined) {
        track.stop = () => {
          stop?.()
          document.title = `Camera ${track.readyState}`
        }
      }
      return stream
    }
  })
  // Before the count, which loads it as soon as there is time.
  await cut(page, '/**/*.wasm')
  await goTo(page, 'Monthly Count')
  await page.getByRole('button', { name: 'Start Monthly Count' }).click()
  await page.getByRole('button', { name: 'Camera', exact: true }).click()
  await expect(page.getByText('The camera could not be opened.')).toBeVisible(seenSoon)
  await expect(page).toHaveTitle('Camera ended')
})
