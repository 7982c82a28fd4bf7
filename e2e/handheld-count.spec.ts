import type { Locator, Page } from '@playwright/test'
import {
  dayOf,
  divert,
  expect,
  goTo,
  hold,
  importRows,
  postFrom,
  pressInBar,
  showList,
  showMore,
  stopClock,
  test,
} from './fixtures.ts'
import { pauseOfHand, scanLines } from './scanner.ts'
import { startMonth } from './started-count.ts'

const rows = [
  { barcode: 'P-0014', description: 'Pallet jack', primary_quantity: 42 },
  { barcode: 'P-0015', description: 'Hand truck', primary_quantity: 45 },
  { barcode: 'P-0016', description: 'Strapping', primary_quantity: 48 },
  { barcode: '036000291452', description: 'Gloves', primary_quantity: 24 },
]

const many = Array.from({ length: 30 }, (_, index) => ({
  barcode: `X-${String(index).padStart(2, '0')}`,
  description: `Bolt ${index}`,
  primary_quantity: 3,
}))

/** Passes over the code in the fields, and those that wait behind it. */
async function passOver(page: Page): Promise<void> {
  await expect(async () => {
    await page.getByRole('button', { name: 'Next Item' }).tap()
    await expect(page.getByLabel('Barcode')).toHaveValue('', { timeout: 500 })
  }).toPass()
}

/** Plans the items for Wednesday as an administrator and starts its count. */
async function startWednesday(page: Page): Promise<void> {
  await importRows(page, rows)
  const status = await page.evaluate(
    async (barcodes) => {
      const headers = {
        'content-type': 'application/json',
        authorization: `Bearer ${localStorage.getItem('jwt_token')}`,
      }
      const body = JSON.stringify({ barcodes, day: 'Wednesday', location: 'PRIMARY', action: 'add' })
      return (await fetch('/api/components/bulk-high-volume', { method: 'POST', headers, body })).status
    },
    rows.map(({ barcode }) => barcode),
  )
  expect(status).toBe(200)
  await goTo(page, 'Weekly Count')
  await dayOf(page).selectOption('Wednesday')
  await page.getByRole('button', { name: 'Start Count' }).click()
  await expect(page.getByLabel('Barcode')).toBeFocused()
}

const panel = (page: Page): Locator => page.getByRole('status')

/** Keys as a person types them. */
async function typeSlowly(page: Page, keys: string): Promise<void> {
  await pauseOfHand(page)
  await page.keyboard.type(keys, { delay: 200 })
  await page.keyboard.press('Enter')
}

test('a code scanned twice is taken once, and each quantity is of its own code', async ({ staff: page }) => {
  await startMonth(page, rows)
  await scanLines(page, ['P-0014'])
  await page.waitForTimeout(900)
  await scanLines(page, ['P-0014'])
  await expect(page.getByText('P-0014 was scanned again. It is taken once.')).toBeInViewport({ ratio: 1 })
  await typeSlowly(page, '42')
  for (const [code, quantity] of [
    ['P-0015', '45'],
    ['P-0016', '48'],
  ] as const) {
    await scanLines(page, [code])
    await typeSlowly(page, quantity)
  }
  await expect(page.getByText('3 of 4 counted, 75% complete')).toBeVisible()
  await expect(page.getByText('All 3 scans stored')).toBeVisible()
})

/** Notes the last tone that is played, by its wave and its frequency in hertz, and what is spoken last. */
async function listenToSounds(page: Page): Promise<void> {
  await page.addInitScript(() => {
    localStorage.setItem('count_speech', 'on')
    SpeechSynthesis.prototype.speak = ({ text }) => {
      document.documentElement.dataset['spoken'] = text
    }
    OscillatorNode.prototype.start = function () {
      document.documentElement.dataset['sounded'] = `${this.type} ${this.frequency.value}`
    }
    OscillatorNode.prototype.stop = () => undefined
  })
}

test('codes that wait for their quantity are seen over the fields, and heard', async ({ staff: page }) => {
  await listenToSounds(page)
  await startMonth(page, rows)
  await scanLines(page, ['P-0014', 'P-0015'])
  await expect(page.getByText('1 scanned, waiting for its quantity')).toBeInViewport({ ratio: 1 })
  await expect(page.locator('html')).toHaveAttribute('data-sounded', 'triangle 523')
  await expect(page.locator('html')).toHaveAttribute('data-spoken', 'Enter the quantity of P-0014 first.')
  await scanLines(page, ['GHOST-7'])
  await expect(page.getByText('2 scanned, waiting for their quantity')).toBeInViewport({ ratio: 1 })
  await expect(page.getByText('GHOST-7 (unknown)')).toBeInViewport({ ratio: 1 })
  await scanLines(page, ['GHOST-7'])
  await expect(page.getByText('2 scanned, waiting for their quantity')).toBeVisible()
  await expect(page.getByText('GHOST-7 was scanned again. It is taken once.')).toBeInViewport({ ratio: 1 })
  await page.getByLabel('Quantity').fill('42')
  await pauseOfHand(page)
  await scanLines(page, ['P-0016'])
  await expect(page.locator('html')).toHaveAttribute('data-spoken', 'Submit P-0014 first.')
})

test('a scan names its item at once, without a quantity, and not by the result before', async ({
  staff: page,
}) => {
  await startMonth(page, rows)
  await scanLines(page, ['P-0014', '42'])
  await expect(page.getByText('✓ Pallet jack - Quantity matches!')).toBeVisible()
  await scanLines(page, ['P-0015'])
  await expect(panel(page).filter({ hasText: 'Hand truck' })).toBeInViewport({ ratio: 1 })
  await expect(panel(page).filter({ hasText: 'Hand truck' })).toHaveText('Hand truckP-0015Enter its quantity')
})

test('an unknown code is said at the scan, before its shelf is counted, and sounds unlike what is wrong or recorded', async ({
  staff: page,
}) => {
  await listenToSounds(page)
  await startMonth(page, rows)
  await scanLines(page, ['P-0014', '43'])
  await expect(page.locator('html')).toHaveAttribute('data-sounded', 'square 220')
  await scanLines(page, ['P-0014', '43'])
  await expect(page.locator('html')).toHaveAttribute('data-sounded', 'sine 587')
  await scanLines(page, ['GHOST-7'])
  await expect(page.getByText('Unknown code', { exact: true })).toBeInViewport({ ratio: 1 })
  await expect(page.getByText('Component with barcode GHOST-7 not found.')).toBeInViewport({ ratio: 1 })
  await expect(page.locator('html')).toHaveAttribute('data-sounded', 'square 330')
})

test('what plays sounds is made ready when a count starts, so that the first result does not wait for it', async ({
  staff: page,
}) => {
  await page.addInitScript(() => {
    AudioContext.prototype.createOscillator = () => {
      document.documentElement.dataset['prepared'] = 'yes'
      return new OscillatorNode(new AudioContext())
    }
  })
  await startMonth(page, rows)
  await expect(page.locator('html')).toHaveAttribute('data-prepared', 'yes')
})

test('a count asks the browser to keep what waits on the device when its disk is full', async ({
  staff: page,
}) => {
  await page.addInitScript(() => {
    StorageManager.prototype.persist = () => {
      document.documentElement.dataset['kept'] = 'asked'
      return Promise.resolve(false)
    }
  })
  await goTo(page, 'Overview')
  await expect(page.locator('html')).not.toHaveAttribute('data-kept', 'asked')
  await startMonth(page, rows)
  await expect(page.locator('html')).toHaveAttribute('data-kept', 'asked')
})

test('what plays sounds rests while nothing is scanned, and is heard with the next result', async ({
  staff: page,
}) => {
  await page.addInitScript(() => {
    const Device = AudioContext
    window.AudioContext = class extends Device {
      constructor() {
        super()
        this.addEventListener('statechange', () => (document.documentElement.dataset['sound'] = this.state))
      }
    }
  })
  await goTo(page, 'Overview')
  await page.clock.install()
  await startMonth(page, rows)
  const sound = page.locator('html')
  await expect(sound).toHaveAttribute('data-sound', 'running')
  await page.clock.runFor(31_000)
  await expect(sound).toHaveAttribute('data-sound', 'suspended')
  await scanLines(page, ['P-0014', '42'])
  await expect(page.getByText('Pallet jack - Quantity matches!')).toBeVisible()
  await expect(sound).toHaveAttribute('data-sound', 'running')
})

test('whether to count again is asked beside the scanning, and no scan answers it', async ({
  admin: page,
}) => {
  await startWednesday(page)
  await scanLines(page, ['P-0014', '42'])
  await expect(page.getByText('✓ Pallet jack - Quantity matches!')).toBeVisible()
  await scanLines(page, ['P-0014', '42'])
  const question = page.getByRole('dialog', { name: 'Count again?' })
  await expect(question).toBeInViewport({ ratio: 1 })
  await scanLines(page, ['P-0015'])
  await expect(page.getByLabel('Barcode')).toHaveValue('P-0015')
  await typeSlowly(page, '45')
  await expect(page.getByText('✓ Hand truck - Quantity matches!')).toBeVisible()
  await expect(question).toBeVisible()
  await question.getByRole('button', { name: 'Count again' }).tap()
  await expect(question).toBeHidden()
  await expect(page.getByLabel('Barcode')).toBeFocused()
  await expect(page.getByText('All 3 scans stored')).toBeVisible()
})

test('a scan and its result are in view wherever the screen was scrolled to', async ({ staff: page }) => {
  await startMonth(page, [...rows, ...many])
  await scanLines(
    page,
    many.slice(0, 12).flatMap(({ barcode }) => [barcode, '3']),
  )
  await expect(page.getByText('All 12 scans stored')).toBeVisible()
  const scrollAway = async () => {
    await page.evaluate(() => scrollTo({ top: 1_500, behavior: 'instant' }))
    await expect(page.getByLabel('Barcode')).not.toBeInViewport()
  }
  await scrollAway()
  await scanLines(page, ['P-0014'])
  await expect(page.getByText('Pallet jack').first()).toBeInViewport({ ratio: 1 })
  const bar = await page.getByRole('banner').boundingBox()
  const top = await panel(page).filter({ hasText: 'Pallet jack' }).boundingBox()
  expect(top?.y).toBeGreaterThanOrEqual(bar?.height ?? 640)
  await expect(page.getByRole('button', { name: 'Submit' })).toBeInViewport({ ratio: 1 })
  await scrollAway()
  await scanLines(page, ['41'])
  await expect(page.getByText('Incorrect quantity for Pallet jack')).toBeInViewport({ ratio: 1 })
  await expect(page.getByLabel('Barcode')).toBeInViewport({ ratio: 1 })
  await showMore(page)
  await page.getByLabel('Each scan counts one').check()
  await scrollAway()
  await scanLines(page, ['02000360002914523724'])
  await expect(page.getByText('Not counted: the label of a whole pallet.')).toBeInViewport({ ratio: 1 })
})

test('the list of a count lies in a sheet over it, and a scan leaves it for what was scanned', async ({
  staff: page,
}) => {
  await startMonth(page, [...rows, ...many])
  const open = page.getByRole('button', { name: 'List', exact: true })
  await expect(open).toBeInViewport({ ratio: 0.9 })
  await open.tap()
  const sheet = page.getByRole('dialog', { name: 'Components' })
  await expect(sheet.getByRole('heading', { name: 'Components' })).toBeFocused()
  const list = sheet.getByRole('list', { name: 'Components to count' })
  await expect(list.getByRole('listitem').first()).toHaveAttribute('aria-setsize', '34')
  await sheet.getByLabel('Find in the list').fill('hand')
  await list.getByText('P-0015').tap()
  const history = page.getByRole('dialog', { name: 'Count history of P-0015' })
  await expect(history).toBeInViewport({ ratio: 1 })
  await history.getByRole('button', { name: 'Close', exact: true }).tap()
  await expect(sheet.getByLabel('Find in the list')).toHaveValue('hand')
  await pauseOfHand(page)
  await scanLines(page, ['P-0014'])
  await expect(sheet).toBeHidden()
  await expect(page.getByLabel('Quantity')).toBeFocused()
  await expect(panel(page).filter({ hasText: 'Pallet jack' })).toBeInViewport({ ratio: 1 })

  await open.tap()
  await pauseOfHand(page)
  await scanLines(page, ['P-0015'])
  await expect(sheet).toBeHidden()
  await expect(page.getByText('1 scanned, waiting for its quantity')).toBeInViewport({ ratio: 1 })
  await expect(page.getByLabel('Quantity')).toBeFocused()

  await open.tap()
  await sheet.getByRole('button', { name: 'Close dialog' }).tap()
  await expect(sheet).toBeHidden()
  await expect(page.getByLabel('Quantity')).toBeFocused()
})

test('the label of a bin shows what of the list lies there, and the next scan leaves it', async ({
  admin: page,
}) => {
  await importRows(page, [...rows, ...many])
  const components = [
    { barcode: 'P-0014', bin: 'R-1' },
    { barcode: 'P-0015', bin: 'R-10' },
    { barcode: 'P-0016', bin: 'R-10' },
  ]
  await postFrom(page, '/api/components/place', { location: 'PRIMARY', components })
  await goTo(page, 'Monthly Count')
  await page.getByRole('button', { name: 'Start Admin View' }).click()
  await expect(page.getByLabel('Barcode')).toBeFocused()
  const sheet = page.getByRole('dialog')
  const listed = sheet.getByRole('list', { name: 'SKUs to count' }).getByRole('listitem')
  await scanLines(page, ['R-1'])
  await expect(listed).toHaveText([/^P-0014/])
  await pauseOfHand(page)
  await scanLines(page, ['r-10'])
  await expect(listed).toHaveText([/^P-0015/, /^P-0016/])
  await expect(sheet.getByLabel('Find in the list')).toHaveValue('R-10')
  await pauseOfHand(page)
  await scanLines(page, ['P-0016'])
  await expect(sheet).toBeHidden()
  await expect(page.getByLabel('Quantity')).toBeFocused()
  await scanLines(page, ['48'])
  await expect(page.getByText('1 of 34 counted, 2% complete')).toBeVisible()

  await page.getByRole('button', { name: 'List', exact: true }).tap()
  await expect(sheet.getByLabel('Find in the list')).toHaveValue('')
})

test('an answer that comes late does not pull away from what somebody looks at meanwhile', async ({
  staff: page,
}) => {
  await startMonth(page, [...rows, ...many])
  await scanLines(
    page,
    many.slice(0, 12).flatMap(({ barcode }) => [barcode, '3']),
  )
  await expect(page.getByText('All 12 scans stored')).toBeVisible()
  const result = page.getByText('Incorrect quantity for Pallet jack')
  const scanUnanswered = async () => {
    const letThrough = await hold(page, '/api/components/update-with-tracking')
    await scanLines(page, ['P-0014', '40'])
    await expect(panel(page).filter({ hasText: 'Pallet jack' })).toBeInViewport({ ratio: 1 })
    return letThrough
  }
  let letThrough = await scanUnanswered()
  await page.mouse.wheel(0, 1_500)
  await expect(page.getByLabel('Barcode')).not.toBeInViewport()
  letThrough()
  await expect(result).toBeVisible()
  await expect(page.getByText('All 13 scans stored, 1 to count again')).toBeVisible()
  await expect(page.getByLabel('Barcode')).not.toBeInViewport()

  await scanLines(page, ['IM:UNDO'])
  await expect(page.getByText('All 12 scans stored')).toBeVisible()
  letThrough = await scanUnanswered()
  await page.getByRole('button', { name: 'List', exact: true }).tap()
  const field = page.getByRole('dialog').getByLabel('Find in the list')
  await field.focus()
  letThrough()
  await expect(page.getByText('All 13 scans stored, 1 to count again')).toBeVisible()
  await expect(field).toBeFocused()
})

test('what to do about a wrong quantity is read in one line, and moves no field; a second one is recorded, and nobody is asked to count again', async ({
  staff: page,
}) => {
  await importRows(page, [
    { barcode: '4006381000376', description: 'Hex nut M4, zinc plated', primary_quantity: 3 },
  ])
  await goTo(page, 'Monthly Count')
  await page.getByRole('button', { name: 'Start Monthly Count' }).click()
  await expect(page.getByLabel('Barcode')).toBeFocused()
  const field = async () => (await page.getByLabel('Barcode').boundingBox())?.y
  const before = await field()
  const enter = async () => {
    await scanLines(page, ['4006381000376'])
    await page.getByLabel('Quantity').fill('99999')
    await pauseOfHand(page)
    await page.keyboard.press('Enter')
  }
  await enter()
  await expect(page.getByText('Incorrect quantity for Hex nut M4, zinc plated')).toBeVisible()
  const next = page.getByText('Scan it again, then count.')
  await expect(next).toBeVisible()
  expect((await next.boundingBox())?.height).toBeLessThan(30)
  await expect.poll(field).toBe(before)

  await enter()
  await expect(
    page.getByText(
      'Incorrect quantity for Hex nut M4, zinc plated. It is recorded, and an administrator decides. Go on.',
    ),
  ).toBeVisible()
})

test('Submit stays in view and where it is through a weekly count, and the place is readable', async ({
  admin: page,
}) => {
  await startWednesday(page)
  const submit = page.getByRole('button', { name: 'Submit' })
  await expect(submit).toBeInViewport({ ratio: 1 })
  const placeOf = async () => (await submit.boundingBox())?.y
  const first = await placeOf()
  const steps: [string[], string][] = [
    [['P-0014'], 'Pallet jack'],
    [['42'], '✓ Pallet jack - Quantity matches!'],
    [['P-0015', '44'], 'Incorrect quantity for Hand truck'],
    [['GHOST-7', '3'], 'Component with barcode GHOST-7 not found.'],
    [['P-0015', '45'], '✓ Hand truck - Quantity matches!'],
    [['P-0016', '48'], '✓ Strapping - Quantity matches!'],
    [['036000291452', '24'], '✓ Gloves - Quantity matches!'],
    [[], 'Every SKU of Wednesday is counted.'],
    [['P-0014', '42'], 'was already counted today'],
  ]
  for (const [lines, said] of steps) {
    await scanLines(page, lines)
    await expect(page.getByText(said).first()).toBeVisible()
    expect(await placeOf(), said).toBe(first)
  }
  const place = page.getByRole('banner').getByText('Primary Warehouse')
  expect(await place.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0)
  await expect(page.getByRole('banner').getByText('Nordlager AG')).toBeInViewport({ ratio: 1 })
})

test('what is set once, and what clears a count for everybody, stands behind More', async ({
  staff: page,
}) => {
  await startMonth(page, rows)
  const more = page.getByRole('button', { name: 'More' })
  const pieces = page.getByLabel('Each scan counts one')
  const reset = page.getByRole('button', { name: 'Reset Count' })
  await expect(pieces).toBeHidden()
  await expect(reset).toBeHidden()
  await more.tap()
  await pieces.check()
  await expect(page.getByLabel('Barcode')).toHaveAttribute('inputmode', 'text')
  await page.getByLabel('No screen keyboard for codes').check()
  await expect(page.getByLabel('Barcode')).toHaveAttribute('inputmode', 'none')
  await expect(page.getByLabel('Quantity')).toHaveAttribute('inputmode', 'numeric')
  await expect(reset).toBeVisible()
  await more.tap()
  await expect(pieces).toBeHidden()
  // Where the keyboard was taken to does not matter to a scanner.
  await page.waitForTimeout(900)
  await scanLines(page, ['P-0014'])
  await page.waitForTimeout(900)
  await scanLines(page, ['P-0014'])
  await expect(panel(page).getByText('2', { exact: true })).toBeVisible()
})

test('the barcode of a scan without a network is read whole beside its bin', async ({ admin: page }) => {
  const washers = [{ barcode: '4006381000741', description: 'Washer', primary_quantity: 183 }]
  await importRows(page, washers)
  const components = [{ barcode: '4006381000741', bin: 'A-01-2' }]
  await postFrom(page, '/api/components/place', { location: 'PRIMARY', components })
  await startMonth(page, washers)
  await divert(page, '**/api/components/update-with-tracking', (route) => route.abort('internetdisconnected'))
  await scanLines(page, ['4006381000741', '183'])
  const kept = page.locator('[role=status]').filter({ hasText: 'Kept on this device.' })
  await expect(kept.getByText('Bin A-01-2')).toBeVisible()
  const code = kept.getByText('4006381000741', { exact: true })
  expect(await code.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0)
})

test('a message goes with the next result and covers none', async ({ admin: page }) => {
  await startMonth(page, rows)
  // No message goes by itself here.
  await stopClock(page)
  /** Lets just enough time pass for a result to come. */
  async function come(result: Locator) {
    await expect(async () => {
      await page.clock.runFor(100)
      await expect(result).toBeVisible({ timeout: 100 })
    }).toPass({ timeout: 10_000 })
  }
  await scanLines(page, ['P-0014', '42'])
  const matches = page.getByText('✓ Pallet jack - Quantity matches!')
  await come(matches)
  const message = page.getByText('Successfully counted P-0014 at Primary Warehouse!')
  await come(message)
  const [result, said] = await Promise.all([matches.boundingBox(), message.boundingBox()])
  expect((result?.y ?? 0) + (result?.height ?? 640)).toBeLessThanOrEqual(said?.y ?? 0)
  await scanLines(page, ['P-0015', '44'])
  await come(page.getByText(/^Quantity mismatch/))
  expect(await message.isVisible()).toBe(false)
})

test('a barcode of digits in the quantity is asked about until somebody answers', async ({ staff: page }) => {
  await startMonth(page, rows)
  await scanLines(page, ['P-0014', '036000291452'])
  const question = page.getByText('Is 036000291452 a quantity or a barcode?')
  await expect(question).toBeInViewport({ ratio: 1 })
  await expect(page.getByLabel('Quantity')).toHaveValue('')
  await scanLines(page, ['P-0015'])
  await expect(question).toBeVisible()
  await typeSlowly(page, '42')
  await expect(page.getByLabel('Quantity')).toHaveValue('42')
  await expect(question).toBeVisible()
  await page.getByRole('button', { name: 'Barcode', exact: true }).tap()
  await expect(page.getByText('2 scanned, waiting for their quantity')).toBeVisible()
  await page.getByRole('button', { name: 'Submit' }).tap()
  await expect(page.getByText('✓ Pallet jack - Quantity matches!')).toBeVisible()
  await expect(page.getByLabel('Barcode')).toHaveValue('P-0015')
})

test('nothing of a code stays in the quantity it was scanned into', async ({ staff: page }) => {
  await startMonth(page, rows)
  for (const code of ['SHELF-9', '1042-A', 'IM:LOC:NOWHERE', 'IM:UNDO']) {
    await scanLines(page, ['P-0014', '036000291452'])
    await expect(page.getByText('Is 036000291452 a quantity or a barcode?')).toBeVisible()
    await scanLines(page, [code])
    await typeSlowly(page, '42')
    await expect(page.getByLabel('Quantity')).toHaveValue('42')
    await passOver(page)
  }
})

test('a quantity that is none is told from one that is missing', async ({ staff: page }) => {
  await startMonth(page, rows)
  for (const quantity of ['2.5', '-5']) {
    await page.getByLabel('Barcode').fill('P-0014')
    await pauseOfHand(page)
    await page.getByLabel('Quantity').fill(quantity)
    await page.getByRole('button', { name: 'Submit' }).tap()
    await expect(
      page.getByText('Type the quantity in digits only, without sign, point, comma or space.'),
    ).toBeInViewport({ ratio: 1 })
    await passOver(page)
  }
})

test('one of the recent scans is taken back by a thumb', async ({ staff: page }) => {
  await startMonth(page, rows)
  await scanLines(page, ['P-0014', '42', 'P-0015', '45'])
  await expect(page.getByText('All 2 scans stored')).toBeVisible()
  const button = page.getByRole('button', { name: 'Take back P-0014' })
  const box = await button.boundingBox()
  expect([box?.width, box?.height]).toEqual([48, 48])
  await button.tap()
  await expect(page.getByText('Took back: P-0014.').first()).toBeAttached()
  await expect(page.getByRole('list', { name: 'Recent scans' }).getByText('Undone')).toHaveCount(1)
})

test('who logs out while scans are to decide is told that they wait', async ({ staff: page }) => {
  await startMonth(page, rows)
  await scanLines(page, ['GHOST-1', '42', 'GHOST-2', '45'])
  await expect(page.getByRole('list', { name: 'Scans to decide' }).getByRole('listitem')).toHaveCount(2)
  await pressInBar(page, 'Logout')
  const warning = page.getByRole('dialog', { name: 'Log out?' })
  await expect(
    warning.getByText(
      '2 scans were not taken and are still to decide. They wait on this device until you sign in here again.',
    ),
  ).toBeVisible()
  await warning.getByRole('button', { name: 'Log out' }).tap()
  await expect(page).toHaveURL(/\/login$/)
})

test('who logs out while scans wait is told when they are sent, even where other parts of the program have not arrived', async ({
  staff: page,
  context,
}) => {
  await context.route('**/assets/queue-sign-*.js', (route) => route.abort('connectionreset'))
  await startMonth(page, rows)
  await context.setOffline(true)
  await scanLines(page, ['P-0014', '42'])
  await expect(page.getByText('1 scanned, 0 stored, 1 waiting')).toBeVisible()
  await pressInBar(page, 'Logout')
  const warning = page.getByRole('dialog', { name: 'Log out?' })
  await expect(
    warning.getByText('1 scan waits on this device. It is sent after you sign in here again.'),
  ).toBeVisible()
  await warning.getByRole('button', { name: 'Stay here' }).tap()
  await scanLines(page, ['P-0015', '45'])
  await expect(page.getByText('2 scanned, 0 stored, 2 waiting')).toBeVisible()
  await pressInBar(page, 'Logout')
  await expect(
    warning.getByText('2 scans wait on this device. They are sent after you sign in here again.'),
  ).toBeVisible()
  await warning.getByRole('button', { name: 'Log out' }).tap()
  await expect(page).toHaveURL(/\/login$/)
})

test('that a list is from before moves neither what is being pressed nor the fields of a count', async ({
  staff: page,
  context,
}) => {
  await importRows(page, rows)
  await goTo(page, 'Monthly Count')
  const start = page.getByRole('button', { name: 'Start Monthly Count' })
  await expect(start).toBeVisible()
  const lists = '**/api/components/to-count*'
  const notice = page.getByText('The server cannot be reached. This list is from')
  const askAgain = async () => {
    await context.setOffline(true)
    await context.setOffline(false)
  }
  await divert(page, lists, (route) => route.abort('connectionreset'))
  await start.hover()
  await page.mouse.down()
  await askAgain()
  await expect(notice).toBeVisible()
  await page.mouse.up()
  await expect(page.getByLabel('Barcode')).toBeFocused()

  const fields = [page.getByLabel('Barcode'), page.getByRole('button', { name: /^Submit/ })]
  const boxes = () => Promise.all(fields.map((field) => field.boundingBox()))
  await page.unroute(lists)
  await expect(notice).toBeHidden({ timeout: 20_000 })
  const before = await boxes()
  await divert(page, lists, (route) => route.abort('connectionreset'))
  await askAgain()
  await expect(notice).toBeVisible()
  expect(await boxes()).toEqual(before)
})

/** Puts a whole code into whatever has the focus and ends it with Enter, as handhelds do whose scanner is their keyboard. */
async function insertCode(page: Page, code: string): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const unnamed = { key: 'Unidentified', windowsVirtualKeyCode: 229 }
  const enter = { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 13 }
  // When a scanner wrote it, however busy the machine is.
  const at = Date.now() / 1000
  await Promise.all([
    session.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', timestamp: at, ...unnamed }),
    session.send('Input.insertText', { text: code }),
    session.send('Input.dispatchKeyEvent', { type: 'keyUp', ...unnamed }),
    session.send('Input.dispatchKeyEvent', { type: 'keyDown', timestamp: at + 0.001, ...enter, text: '\r' }),
    session.send('Input.dispatchKeyEvent', { type: 'keyUp', ...enter }),
  ])
  await session.detach()
}

test('codes that a handheld puts in as whole texts are codes in every field, as if keys had typed them', async ({
  staff: page,
}) => {
  await startMonth(page, rows)
  await insertCode(page, 'P-0014')
  await expect(page.getByLabel('Quantity')).toBeFocused()
  await insertCode(page, 'P-0015')
  await expect(page.getByLabel('Barcode')).toHaveValue('P-0014')
  await expect(page.getByLabel('Quantity')).toHaveValue('')
  await typeSlowly(page, '42')
  await expect(page.getByText('✓ Pallet jack - Quantity matches!')).toBeVisible()
  await expect(page.getByLabel('Barcode')).toHaveValue('P-0015')

  await page.getByLabel('Barcode').focus()
  await insertCode(page, 'P-0016')
  await expect(page.getByLabel('Barcode')).toHaveValue('P-0015')
  await showList(page)
  await page.getByLabel('Find in the list').focus()
  await insertCode(page, '036000291452')
  await expect(page.getByLabel('Find in the list')).toBeHidden()
  await page.getByLabel('Quantity').focus()
  await typeSlowly(page, '45')
  await expect(page.getByLabel('Barcode')).toHaveValue('P-0016')
  await typeSlowly(page, '48')
  await expect(page.getByLabel('Barcode')).toHaveValue('036000291452')
  await insertCode(page, '24')
  await expect(page.getByText('4 of 4 counted, 100% complete')).toBeVisible()

  // Some put the end of a line in with the code, of which browsers make nothing.
  await page.keyboard.insertText('P-0014\n')
  await expect(page.getByLabel('Quantity')).toBeFocused()
  await page.keyboard.insertText('P-0015\r\n')
  await page.keyboard.insertText('42\n')
  await expect(page.getByLabel('Barcode')).toHaveValue('P-0015')
  await expect(page.getByLabel('Quantity')).toHaveValue('')
  await page.keyboard.insertText('45\n')
  await expect(page.getByLabel('Barcode')).toHaveValue('')

  await showMore(page)
  await page.getByLabel('Each scan counts one').check()
  for (const code of ['P-0014', '036000291452', '036000291452']) await insertCode(page, code)
  await expect(page.getByLabel('Barcode')).toHaveValue('036000291452')
  await expect(page.getByLabel('Quantity')).toHaveValue('2')
  await page.getByLabel('Quantity').focus()
  await page.keyboard.insertText('24\n')
  await expect(page.getByLabel('Barcode')).toHaveValue('')
})
