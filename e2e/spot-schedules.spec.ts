import { barriersOf } from './accessibility.ts'
import { dayIn, daysFrom, said } from './days.ts'
import { expect, goTo, importRows, test } from './fixtures.ts'
import { goOn } from './people.ts'

const rows = ['A-1', 'A-2', 'A-3', 'A-4'].map((barcode) => ({ barcode, primary_quantity: 3 }))

const today = () => dayIn('Europe/Berlin')

/** The name of the weekday of a day. */
const weekdayOf = (day: string) =>
  new Date(`${day}T00:00:00Z`).toLocaleDateString('en-US', { weekday: 'long', timeZone: 'UTC' })

test('a spot count recurs on days of the week, and asks at once where today is one of them', async ({
  admin: page,
  openElsewhere,
  program,
  sam,
}) => {
  await importRows(page, rows)
  await goTo(page, 'Live Count Room')
  const primary = page.getByRole('region', { name: 'Primary Warehouse' })
  await primary.getByRole('button', { name: 'Plan' }).click()
  const dialog = page.getByRole('dialog', { name: 'Spot counts of Primary Warehouse' })
  await dialog.getByLabel('What to count').selectOption('Most likely wrong, weekly')
  await expect(dialog.getByRole('list', { name: 'Suggested SKUs' })).toHaveCount(0)
  await expect(dialog.getByLabel('Count by')).toHaveCount(0)
  const days = dialog.getByRole('group', { name: 'Days' })
  await expect(days.getByRole('checkbox', { checked: true })).toHaveCount(5)
  for (const day of ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday']) {
    await days.getByLabel(day).uncheck()
  }
  await dialog.getByRole('button', { name: 'Ask every week' }).click()
  await expect(dialog.getByText('Choose at least one day.')).toBeVisible()
  await expect(days.getByLabel('Monday')).toBeFocused()
  expect(await barriersOf(page)).toEqual([])

  await days.getByLabel(weekdayOf(today())).check()
  await expect(dialog.getByText('Choose at least one day.')).toHaveCount(0)
  await dialog.getByLabel('Minutes').fill('1')
  await expect(
    dialog.getByText(
      'At the start of each of these days, up to 2 SKUs are requested, at 30 seconds a SKU, until it is measured here: what is most likely wrong by then, in place of what was left the time before. Today is one of them, so its request is made at once.',
    ),
  ).toBeVisible()
  await dialog.getByLabel('Person').selectOption('Sam Staff')
  await dialog.getByRole('button', { name: 'Ask every week' }).click()
  const weekday = weekdayOf(today())
  await expect(
    dialog.getByText(`From now on, SKUs are asked for on ${weekday}. Today's request covers 2 SKUs.`),
  ).toBeVisible()
  const day = said(today(), 'short')
  const next = said(daysFrom(today(), 7), 'short')
  const recurring = dialog.getByRole('list', { name: 'Recurring spot counts' }).getByRole('listitem')
  await expect(recurring).toHaveText([`${weekday}Sam Staff, 1 minute2 SKUs on ${day}, next on ${next}End`])
  const already = dialog.getByRole('list', { name: 'Asked for already' }).getByRole('listitem')
  await expect(already).toHaveText([`0 of 2 SKUsSam Staff, by ${day}A-1, A-2Count sheetWithdraw`])
  expect(await barriersOf(page)).toEqual([])

  const ofSam = await openElsewhere()
  await goOn(ofSam, program, sam)
  await expect(ofSam.getByRole('list', { name: 'What you are asked to count' })).toContainText(
    'You are asked to count 2 SKUs at Primary Warehouse',
  )

  // Another, of a day that is not today, and of nobody.
  await dialog.getByLabel('What to count').selectOption('Most likely wrong, weekly')
  await days.getByLabel(weekday).uncheck()
  const tomorrow = daysFrom(today(), 1)
  await days.getByLabel(weekdayOf(tomorrow)).check()
  await dialog.getByLabel('People').fill('2')
  await dialog.getByLabel('Person').selectOption('Whoever counts here')
  await dialog.getByRole('button', { name: 'Ask every week' }).click()
  await expect(
    dialog.getByText(
      `From now on, SKUs are asked for on ${weekdayOf(tomorrow)}. The first time is ${said(tomorrow, 'long')}.`,
    ),
  ).toBeVisible()
  await expect(recurring.nth(1)).toHaveText(
    `${weekdayOf(tomorrow)}whoever counts here, 1 minute of 2 peoplenext on ${said(tomorrow, 'short')}End`,
  )

  await dialog.getByRole('button', { name: `End ${weekday}, Sam Staff, 1 minute` }).click()
  await expect(
    dialog.getByText(
      `What was asked for on ${weekday} (Sam Staff, 1 minute) no longer recurs. Its last request still stands.`,
    ),
  ).toBeVisible()
  await expect(recurring).toHaveCount(1)
  await expect(dialog.getByRole('list', { name: 'Recurring spot counts' })).toBeFocused()
  await dialog.getByRole('button', { name: `End ${weekdayOf(tomorrow)}` }).click()
  await expect(recurring).toHaveCount(0)
  await expect(dialog.getByRole('heading', { name: 'Spot counts of Primary Warehouse' })).toBeFocused()
  await expect(already).toHaveCount(1)
  await page.keyboard.press('Escape')
  await goTo(page, 'Audit Trail')
  await expect(
    page.getByText(
      `Recurring spot count set up, Primary Warehouse, Sam Staff, ${weekday}, 1 minute, 1 person`,
    ),
  ).toBeVisible()
  await expect(
    page.getByText(
      `Recurring spot count ended, Primary Warehouse, Sam Staff, ${weekday}, 1 minute, 1 person`,
    ),
  ).toBeVisible()
})
