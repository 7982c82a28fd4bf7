import { barriersOf } from './accessibility.ts'
import { dayIn, daysFrom, endOfMonth, said } from './days.ts'
import {
  asTimePasses,
  cut,
  divert,
  expect,
  goTo,
  hold,
  importRows,
  postFrom,
  test,
  type Company,
} from './fixtures.ts'
import { askAs, beginSession, closedAt, goOn } from './people.ts'
import type { Program } from './program.ts'

/** Takes the company to where a month has not just begun, so that yesterday was in it, and says which day it is there. */
async function moveAway(program: Program, company: Company): Promise<string> {
  const zone = dayIn('Pacific/Niue').endsWith('-01') ? 'Pacific/Kiritimati' : 'Pacific/Niue'
  await askAs(program, company, { path: '/api/company/settings', body: { time_zone: zone } })
  return dayIn(zone)
}

async function idOf(program: Program, person: { email: string; password: string }): Promise<string> {
  const { user } = await beginSession(program, person)
  return String(Reflect.get(user, 'id'))
}

/** As it stands when the day has passed. */
async function passDay(program: Program, company: Company): Promise<void> {
  await program.sql(
    `update count_assignments set due_on = due_on - 1
     where tenant_id = (select tenant_id from users where email = $1)`,
    [company.email],
  )
}

const countAs = (program: Program, person: { email: string; password: string }, barcode: string) =>
  askAs(program, person, {
    path: '/api/components/update-with-tracking',
    body: {
      barcode,
      quantity: 3,
      location: 'PRIMARY',
      session: 's',
      timestamp: new Date().toISOString(),
    },
  })

const twoComponents = ['A-1', 'A-2'].map((barcode) => ({ barcode, primary_quantity: 3 }))

test('an administrator says in the count room who counts and by when, which that person reads first on the overview, and both see it overdue and done', async ({
  admin: page,
  openElsewhere,
  program,
  company,
  sam,
}) => {
  const today = await moveAway(program, company)
  const end = endOfMonth(today)
  await importRows(page, twoComponents)
  const ofSam = await openElsewhere()
  await ofSam.clock.install()
  await page.clock.install()
  await goOn(ofSam, program, sam)
  await expect(ofSam.getByText('0 of 2 counted at Primary Warehouse')).toBeVisible()
  await goTo(page, 'Overview')
  await goTo(page, 'Live Count Room')
  const primary = page.getByRole('region', { name: 'Primary Warehouse' })
  await expect(primary.getByText('Nobody is asked to count')).toBeVisible()
  expect(await barriersOf(page)).toEqual([])

  await primary.getByRole('button', { name: 'Assign' }).click()
  const dialog = page.getByRole('dialog', { name: 'Who counts Primary Warehouse' })
  const day = dialog.getByLabel('Count by')
  const assign = dialog.getByRole('button', { name: 'Assign' })
  await expect(day).toHaveValue(end)
  await day.fill(daysFrom(end, 1))
  await assign.click()
  await expect(dialog.getByText('Choose a person.')).toBeVisible()
  await expect(dialog.getByText('Choose a day from today to the end of this month.')).toBeVisible()
  await expect(dialog.getByLabel('Person')).toBeFocused()
  expect(await barriersOf(page)).toEqual([])
  await dialog.getByLabel('Person').selectOption('Sam Staff')
  await day.fill(end)
  await assign.click()
  await expect(
    dialog.getByText(`Sam Staff is asked to count Primary Warehouse by ${said(end, 'long')}.`),
  ).toBeVisible()
  await expect(
    dialog.getByText(`Already asked to count by ${said(end, 'short')}. Assign again to change the day.`),
  ).toBeVisible()
  await day.fill(today)
  await assign.click()
  const already = dialog.getByRole('list', { name: 'Asked already' }).getByRole('listitem')
  await expect(already).toHaveText([`Sam Staffby ${said(today, 'short')}Withdraw`])
  expect(await barriersOf(page)).toEqual([])
  await page.keyboard.press('Escape')
  const asked = primary.getByRole('list', { name: 'Who is asked to count Primary Warehouse' })
  await expect(asked).toHaveText(`Sam Staffby ${said(today, 'short')}`)

  const task = ofSam.getByRole('list', { name: 'What you are asked to count' }).getByRole('listitem')
  const sentence = (due: string) => `You are asked to count Primary Warehouse by ${said(due, 'long')}`
  const hears = (...tasks: string[]) =>
    asTimePasses(ofSam, 5_000, (soon) => expect(task).toHaveText(tasks, soon))
  await hears(`${sentence(today)}: 2 left.Count`)
  await task.getByRole('link', { name: 'Count' }).click()
  await expect(ofSam).toHaveURL(/\/monthly-count$/)
  await countAs(program, sam, 'A-1')
  await passDay(program, company)
  await goOn(ofSam, program, sam)
  const yesterday = daysFrom(today, -1)
  await expect(task).toHaveText(`${sentence(yesterday)}: 1 left.OverdueCount`)
  expect(await barriersOf(ofSam)).toEqual([])
  await page.reload()
  await expect(asked).toHaveText(`Sam Staffby ${said(yesterday, 'short')}, overdue`)
  expect(await barriersOf(page)).toEqual([])
  await countAs(program, sam, 'A-2')
  await hears(`${sentence(yesterday)}.Done`)
  const done = `Sam Staffby ${said(yesterday, 'short')}`
  await asTimePasses(page, 5_000, (soon) => expect(asked).toHaveText(done, soon))

  await primary.getByRole('button', { name: 'Assign' }).click()
  await dialog.getByRole('button', { name: 'Withdraw the request to Sam Staff' }).click()
  await expect(dialog.getByText('Sam Staff is no longer asked to count here.')).toBeVisible()
  await expect(already).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(primary.getByText('Nobody is asked to count')).toBeVisible()
  await hears()
  await goTo(page, 'Audit Trail')
  await expect(
    page.getByText(`No longer asked to count, Primary Warehouse, Sam Staff, by ${said(yesterday, 'short')}`),
  ).toBeVisible()
})

test('whoever is asked to count elsewhere reads that the location has to be changed, and administrators see their own alone @handheld', async ({
  admin: page,
  program,
  company,
  sam,
}) => {
  await importRows(page, twoComponents)
  const end = endOfMonth(dayIn('Europe/Berlin'))
  const asking = { location: 'SECONDARY', due_on: end }
  for (const person of [company, sam]) {
    const body = { ...asking, user_id: await idOf(program, person) }
    await postFrom(page, '/api/counting/assignments', body)
  }
  await goTo(page, 'Overview')
  const task = page.getByRole('list', { name: 'What you are asked to count' }).getByRole('listitem')
  await expect(task).toHaveText(
    `You are asked to count Secondary Warehouse by ${said(end, 'long')}: 2 left.To count there, change your location.`,
  )
  await expect(task.getByRole('link')).toHaveCount(0)
  await page.evaluate(() => localStorage.setItem('selectedLocation', 'SECONDARY'))
  await page.reload()
  await expect(task.getByRole('link', { name: 'Count' })).toBeInViewport({ ratio: 1 })
  const isWithin = () => page.evaluate(() => document.body.scrollWidth <= innerWidth)
  expect(await isWithin()).toBe(true)
})

test('that nobody could be asked for want of a network is said at once, before the list is asked for again', async ({
  admin: page,
}) => {
  await importRows(page, twoComponents)
  await goTo(page, 'Live Count Room')
  const primary = page.getByRole('region', { name: 'Primary Warehouse' })
  await primary.getByRole('button', { name: 'Assign' }).click()
  const dialog = page.getByRole('dialog', { name: 'Who counts Primary Warehouse' })
  await dialog.getByLabel('Person').selectOption('Ada Admin')
  await cut(page, '/api/events*')
  let isAskedAgain = false
  // The list never comes.
  await divert(page, '**/api/counting/assignments', async (route) => {
    if (route.request().method() === 'POST') return await route.abort('internetdisconnected')
    isAskedAgain = true
  })
  const assign = dialog.getByRole('button', { name: 'Assign' })
  await assign.click()
  await expect(dialog.getByRole('alert')).toHaveText('The server cannot be reached.')
  await expect(assign).toBeEnabled()
  await expect.poll(() => isAskedAgain).toBe(true)
})

test('what somebody is asked to count comes with the rest of the overview, and moves nothing that is there to be pressed', async ({
  staff: page,
  program,
  company,
  sam,
}) => {
  await importRows(page, twoComponents)
  const body = { location: 'PRIMARY', due_on: endOfMonth(dayIn('Europe/Berlin')) }
  const path = '/api/counting/assignments'
  await askAs(program, company, { path, body: { ...body, user_id: await idOf(program, sam) } })
  const letThrough = await hold(page, path)
  const figures = page.waitForResponse(/\/api\/dashboard$/)
  await goTo(page, 'Overview')
  await figures
  const press = page.getByRole('link', { name: 'Start Monthly Count' })
  await expect(page.getByRole('status').filter({ hasText: 'Loading...' })).toBeVisible()
  await expect(press).toBeHidden()
  letThrough()
  await expect(page.getByRole('list', { name: 'What you are asked to count' })).toBeVisible()
  await expect(press).toBeVisible()

  // That it does not come holds up nothing, nor do the tries that follow.
  await page.goto(closedAt)
  let tries = 0
  await divert(page, `**${path}`, async (route) => {
    tries += 1
    if (tries === 1) await route.abort('connectionreset')
  })
  await goTo(page, 'Overview')
  await expect(press).toBeVisible()
})
