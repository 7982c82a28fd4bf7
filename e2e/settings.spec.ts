import { barriersOf } from './accessibility.ts'
import { cut, expect, goTo, importRows, test } from './fixtures.ts'
import { askAs, goOn } from './people.ts'
import { scanLines } from './scanner.ts'

const onePixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
)

test('name, time zone, currency, tolerance, mails of low stock and scanners are saved and stay, and the trail says what was changed', async ({
  admin: page,
}) => {
  await page.goto('/settings')
  const card = (title: string) =>
    page.locator('section').filter({ has: page.getByRole('heading', { name: title, exact: true }) })
  await card('Company').getByLabel('Company name').fill('Nordlager GmbH')
  await card('Company').getByLabel('Time zone').selectOption('Pacific/Auckland')
  await expect(card('Company').getByLabel('Currency')).toHaveValue('USD')
  await card('Company').getByLabel('Currency').selectOption('EUR – Euro')
  await card('Company').getByRole('button', { name: 'Save' }).click()
  await expect(card('Company').getByText('Saved.')).toBeVisible()
  await expect(page.getByRole('banner')).toContainText('Nordlager GmbH')
  await card('Company').getByLabel('Company name').fill('Nordlager SE')
  await expect(card('Company').getByText('Saved.')).toBeHidden()

  await card('Counting').getByLabel('Tolerance in pieces').fill('0')
  await expect(page.getByText('A whole number from 1 to 1,000,000, or nothing.')).toBeVisible()
  await card('Counting').getByLabel('Tolerance in pieces').fill('2')
  await card('Counting').getByLabel('Strict blind counts').check()
  await card('Counting').getByRole('button', { name: 'Save' }).click()
  await expect(card('Counting').getByText('Saved.')).toBeVisible()

  const lowStockMail = page.getByLabel('Mail administrators when components fall below their minimum')
  await expect(lowStockMail).toBeChecked()
  await expect(lowStockMail).toHaveAccessibleDescription(/^Once a day at the most/)
  await lowStockMail.uncheck()
  await card('Low stock').getByRole('button', { name: 'Save' }).click()
  await expect(card('Low stock').getByText('Saved.')).toBeVisible()

  await card('Scanners').getByLabel('Before the code').fill(']C1')
  await card('Scanners').getByRole('button', { name: 'Save' }).click()
  await expect(card('Scanners').getByText('Saved.')).toBeVisible()

  await page.reload()
  await expect(page.getByLabel('Time zone')).toHaveValue('Pacific/Auckland')
  await expect(page.getByLabel('Tolerance in pieces')).toHaveValue('2')
  await expect(page.getByLabel('Strict blind counts')).toBeChecked()
  await expect(lowStockMail).not.toBeChecked()
  await expect(page.getByLabel('Before the code')).toHaveValue(']C1')
  await expect(page.getByLabel('Currency')).toHaveValue('EUR')
  await goTo(page, 'Audit Trail')
  await expect(page.getByText('currency: USD → EUR')).toBeVisible()
})

test('a setting that another administrator changed meanwhile is shown, and is not undone by saving another one', async ({
  admin: page,
  program,
  company,
}) => {
  const change = (body: object) => askAs(program, company, { path: '/api/company/settings', body })
  await page.goto('/settings')
  await expect(page.getByLabel('Time zone')).toHaveValue('Europe/Berlin')
  // Nothing arrives from here on but the answers to what this page asks.
  await cut(page, '/api/events*')
  await page.reload()
  await expect(page.getByLabel('Time zone')).toHaveValue('Europe/Berlin')
  await page.getByLabel('Company name').fill('Nordlager GmbH')
  await page.getByLabel('Tolerance in pieces').fill('3')
  await change({
    time_zone: 'Pacific/Auckland',
    currency: 'JPY',
    count_tolerance_percent: 5,
    strict_blind_counts: true,
  })
  for (const title of ['Company', 'Counting']) {
    const card = page
      .locator('section')
      .filter({ has: page.getByRole('heading', { name: title, exact: true }) })
    await card.getByRole('button', { name: 'Save' }).click()
    await expect(card.getByText('Saved.')).toBeVisible()
  }
  await expect(page.getByLabel('Company name')).toHaveValue('Nordlager GmbH')
  await expect(page.getByLabel('Time zone')).toHaveValue('Pacific/Auckland')
  await expect(page.getByLabel('Currency')).toHaveValue('JPY')
  await expect(page.getByLabel('Tolerance in pieces')).toHaveValue('3')
  await expect(page.getByLabel('Tolerance in %')).toHaveValue('5')
  await expect(page.getByLabel('Strict blind counts')).toBeChecked()

  await goTo(page, 'Overview')
  await change({ name: 'Nordlager SE', scanner_suffix: '#' })
  await page.goBack()
  await expect(page.getByLabel('After the code')).toHaveValue('#')
  await page.getByLabel('Before the code').fill(']C1')
  const scanners = page.locator('section').filter({ hasText: 'What your scanners are set to send' })
  await scanners.getByRole('button', { name: 'Save' }).click()
  await expect(scanners.getByText('Saved.')).toBeVisible()
  await page.reload()
  await expect(page.getByLabel('Company name')).toHaveValue('Nordlager SE')
  await expect(page.getByLabel('Before the code')).toHaveValue(']C1')
  await expect(page.getByLabel('After the code')).toHaveValue('#')
})

test('on a phone what of a time zone or a currency has no room in its field is seen to be cut, and no screen is wider for it', async ({
  admin: page,
}) => {
  await page.setViewportSize({ width: 360, height: 640 })
  await page.goto('/settings')
  await page.getByLabel('Time zone').selectOption('America/North_Dakota/New_Salem')
  await page.getByLabel('Currency').selectOption('BAM')
  for (const label of ['Time zone', 'Currency']) {
    await expect(page.getByLabel(label)).toHaveCSS('text-overflow', 'ellipsis')
    await expect(page.getByLabel(label)).toBeInViewport({ ratio: 1 })
  }
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
})

test('a device shows and follows what the company set for its scanners, until it is set itself', async ({
  admin: page,
}) => {
  await page.goto('/settings')
  await page.getByLabel('Before the code').fill(']C1')
  const card = page.locator('section').filter({ hasText: 'What your scanners are set to send' })
  await card.getByRole('button', { name: 'Save' }).click()
  await expect(card.getByText('Saved.')).toBeVisible()
  await importRows(page, [{ barcode: 'A-1', description: 'Bolt' }])
  await goTo(page, 'Monthly Count')
  await page.getByRole('button', { name: 'Start Admin View' }).click()

  const dialog = page.getByRole('dialog', { name: 'Scanner' })
  const own = dialog.getByRole('button', { name: 'Use the company’s setting' })
  await page.getByRole('button', { name: 'Scanner' }).click()
  await expect(dialog.getByLabel('Before the code')).toHaveValue(']C1')
  await expect(own).toBeHidden()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByLabel('Barcode').focus()
  await scanLines(page, [']C1A-1'])
  await expect(page.getByLabel('Barcode')).toHaveValue('A-1')
  await page.getByRole('button', { name: 'Next Item' }).click()

  await page.getByRole('button', { name: 'Scanner' }).click()
  await dialog.getByLabel('Before the code').fill('#')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Scanner' }).click()
  await expect(dialog.getByLabel('Before the code')).toHaveValue('#')
  expect(await barriersOf(page)).toEqual([])
  await own.click()
  await page.getByLabel('Barcode').focus()
  await scanLines(page, [']C1A-1'])
  await expect(page.getByLabel('Barcode')).toHaveValue('A-1')
})

test('logo and colour are worn on other screens and by staff, too; a colour too light is refused', async ({
  admin: page,
  openElsewhere,
  program,
  sam,
}) => {
  await page.goto('/settings')
  await page.getByLabel('Choose a file').setInputFiles({
    name: 'page.svg',
    mimeType: 'image/svg+xml',
    buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
  })
  await expect(page.getByRole('alert')).toContainText('page.svg: This SVG holds more than plain shapes.')
  await expect(page.getByLabel('Choose a file')).toHaveValue('')
  await page
    .getByLabel('Choose a file')
    .setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: onePixel })
  await expect(page.getByRole('img', { name: 'Your logo' })).toBeVisible()
  await expect(page.getByRole('banner').locator('img')).toHaveAttribute('src', /^data:image\/png;base64,/)

  await page.getByLabel('Our own colour for buttons and links').check()
  await page.getByLabel('Colour', { exact: true }).fill('#ffff00')
  await expect(page.getByText('This colour is too light for white text.')).toBeVisible()
  await page.getByLabel('Colour', { exact: true }).fill('#7c3aed')
  const card = page.locator('section').filter({ hasText: 'Our own colour' })
  await card.getByRole('button', { name: 'Save' }).click()
  await expect(card.getByText('Saved.')).toBeVisible()
  await expect(card.getByRole('button', { name: 'Save' })).toHaveCSS('background-color', 'rgb(124, 58, 237)')
  const ofSam = await openElsewhere()
  await goOn(ofSam, program, sam)
  for (const [screen, button] of [
    [page, 'Start Admin View'],
    [ofSam, 'Start Monthly Count'],
  ] as const) {
    await goTo(screen, 'Monthly Count')
    await expect(screen.getByRole('banner').locator('img')).toHaveAttribute('src', /^data:image\/png;base64,/)
    await expect(screen.getByRole('button', { name: button })).toHaveCSS(
      'background-color',
      'rgb(124, 58, 237)',
    )
  }
})

test('the logo is printed on labels, as the preview shows', async ({ admin: page }) => {
  await page.goto('/settings')
  const picture =
    '<svg xmlns="http://www.w3.org/2000/svg" width="120" height="40"><rect x="10" y="5" width="30" height="30"/><circle cx="80" cy="20" r="15"/></svg>'
  await page
    .getByLabel('Choose a file')
    .setInputFiles({ name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(picture) })
  const onLabels = page.getByLabel('Also on labels')
  // It changes when the server has said so.
  await onLabels.click()
  await expect(onLabels).toBeChecked()
  await expect(page.getByRole('img', { name: 'Your logo as labels print it' })).toBeVisible()
  await page.goto('/generate-labels')
  await page.getByLabel('Manual entry').fill('A-1,Bolt,3')
  const label = page.getByRole('img', { name: 'Label of A-1' })
  // The bars alone are 30 to 40 rectangles; the rest are the rows of the logo.
  await expect.poll(() => label.locator('rect').count()).toBeGreaterThan(80)
  await page.goto('/settings')
  await onLabels.click()
  await expect(onLabels).not.toBeChecked()
  await expect(page.getByRole('img', { name: 'Your logo as labels print it' })).toBeHidden()
})
