import { barriersOf, coveredOf, crampedOf, forcedSurfacesOf } from './accessibility.ts'
import {
  chooseLocation,
  dayOf,
  expect,
  goTo,
  hideList,
  importRows,
  register,
  showList,
  showMore,
  signIn,
  test,
} from './fixtures.ts'

test('signed out, nothing stands in the way of anybody', async ({ page }) => {
  await page.goto('/login')
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page.getByText('Please enter both email and password.')).toBeVisible()
  expect(await barriersOf(page)).toEqual([])
  await page.goto('/register')
  const said = page.locator('p[aria-live=polite]').first()
  await expect(said).toBeEmpty()
  await page.getByRole('button', { name: 'Start Free Trial' }).click()
  await expect(said).toHaveText('Company name is required')
  await expect(page.getByLabel('Company name')).toBeFocused()
  expect(await barriersOf(page)).toEqual([])
})

test('signed in, nothing stands in the way of anybody', async ({ page, program }) => {
  await signIn(page, await register(program))
  await expect(page.getByText('Select your location')).toBeVisible()
  expect(await barriersOf(page)).toEqual([])
  await chooseLocation(page, 'Primary Warehouse')
  await expect(page.getByRole('heading', { name: 'Recent Activity' })).toBeVisible()
  expect(await barriersOf(page)).toEqual([])

  await goTo(page, 'Generate Labels')
  await page.getByLabel('Manual entry').fill('A-1,Bolt,3\nB-2,Nut,x')
  await expect(page.getByText('1 line cannot be taken:')).toBeVisible()
  expect(await barriersOf(page)).toEqual([])
  await page.getByLabel('Manual entry').fill('A-1,Bolt,3')
  await page.getByRole('button', { name: 'Generate Labels & Sync' }).click()
  await expect(page.getByText('✅ Success! Generated 1 labels')).toBeVisible()
  expect(await barriersOf(page)).toEqual([])

  await goTo(page, 'Print Labels')
  await page.getByRole('checkbox', { name: 'Select A-1' }).check()
  expect(await barriersOf(page)).toEqual([])

  await goTo(page, 'Monthly Count')
  await page.getByRole('button', { name: 'Start Admin View' }).click()
  await page.getByLabel('Barcode').fill('A-1')
  await page.getByLabel('Quantity').fill('3')
  await page.getByRole('button', { name: 'Submit Count' }).click()
  await expect(page.getByText('✓ Bolt - Quantity matches!')).toBeVisible()
  expect(await barriersOf(page)).toEqual([])
  const bar = page.getByRole('progressbar')
  const fillings = await forcedSurfacesOf(page, bar.locator('*'))
  const [ground] = await forcedSurfacesOf(page, bar)
  expect(fillings).toHaveLength(1)
  expect(fillings[0]).not.toBe(ground)

  await goTo(page, 'Weekly Count')
  await page.getByRole('button', { name: 'Manage High Volume' }).click()
  await page.getByLabel('Add SKUs').fill('A-1')
  await page.getByRole('button', { name: /Add to/ }).click()
  await expect(page.getByRole('button', { name: 'Remove' })).toBeVisible()
  expect(await barriersOf(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect(dayOf(page)).toBeVisible()
  expect(await barriersOf(page)).toEqual([])

  await goTo(page, 'Analytics')
  for (const chart of ['Progress Over Time', 'Top SKUs', 'Location Heatmap', 'Weekly Trends']) {
    await page.getByRole('button', { name: chart }).click()
    await expect(page.getByText('The numbers as a table')).toBeVisible()
    expect(await barriersOf(page)).toEqual([])
  }
  const charts = page.getByRole('group', { name: 'Chart' }).getByRole('button')
  const surfaces = await forcedSurfacesOf(page, charts)
  expect(surfaces).toHaveLength(4)
  expect(surfaces[3]).not.toBe(surfaces[0])

  await goTo(page, 'Audit Trail')
  await expect(page.getByText(/Showing/)).toBeVisible()
  expect(await barriersOf(page)).toEqual([])
})

test('administering, nothing stands in the way of anybody', async ({ admin: page, openElsewhere }) => {
  await page.goto('/team')
  await page.getByRole('button', { name: 'Invite' }).click()
  await page.getByLabel('Email').fill('sam@nordlager.example')
  expect(await barriersOf(page)).toEqual([])
  expect(await crampedOf(page)).toEqual([])
  await page.getByRole('button', { name: 'Make the invitation' }).click()
  const link = await page.getByLabel(/Link for/).inputValue()
  expect(await barriersOf(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect(page.getByRole('table', { name: 'Open invitations' })).toBeVisible()
  expect(await barriersOf(page)).toEqual([])
  await page.getByRole('button', { name: 'Manage Ada Admin' }).click()
  expect(await barriersOf(page)).toEqual([])

  await page.goto('/account')
  await expect(page.getByText('This device')).toBeVisible()
  expect(await barriersOf(page)).toEqual([])

  await page.goto('/accuracy')
  await expect(page.getByRole('heading', { name: 'Accuracy', level: 1 })).toBeVisible()
  await expect(page.getByText('Inventory record accuracy').first()).toBeVisible()
  expect(await barriersOf(page)).toEqual([])

  await page.goto('/plan')
  await page.getByRole('button', { name: 'Change to Starter' }).click()
  expect(await barriersOf(page)).toEqual([])
  await page.keyboard.press('Escape')
  expect(await barriersOf(page)).toEqual([])

  await page.goto('/settings')
  const file = page.locator('label', { hasText: 'Choose a file' })
  await page.getByLabel('Choose a file').focus()
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Tab')
  await expect(file).toHaveCSS('outline-width', '2px')
  await page.getByLabel('Our own colour for buttons and links').check()
  await page.getByLabel('Colour', { exact: true }).fill('#b91c1c')
  const colour = page.locator('section').filter({ hasText: 'Our own colour' })
  await colour.getByRole('button', { name: 'Save' }).click()
  await expect(colour.getByText('Saved.')).toBeVisible()
  expect(await barriersOf(page)).toEqual([])
  expect(await coveredOf(page)).toEqual([])

  const other = await openElsewhere()
  await other.goto(link)
  await other.getByRole('button', { name: 'Join and sign in' }).click()
  await expect(other.getByText('Your name is required')).toBeVisible()
  expect(await barriersOf(other)).toEqual([])
  await other.goto(new URL('/forgot-password', link).href)
  await other.getByRole('button', { name: 'Get a new password' }).click()
  await expect(other.getByText('Please enter a valid email address.')).toBeVisible()
  expect(await barriersOf(other)).toEqual([])
})

test('counting, nothing stands in the way of anybody', async ({ staff: page }) => {
  await importRows(page, [{ barcode: 'A-1', description: 'Bolt', primary_quantity: 3 }])
  await goTo(page, 'Monthly Count')
  await page.getByRole('button', { name: 'Start Monthly Count' }).click()
  await page.getByLabel('Barcode').fill('GHOST')
  await page.getByLabel('Quantity').fill('3')
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(page.getByText('Component with barcode GHOST not found.')).toBeVisible()
  expect(await barriersOf(page)).toEqual([])
  await showList(page)
  await expect(page.getByRole('list', { name: 'Components to count' }).getByText('A-1')).toBeVisible()
  expect(await barriersOf(page)).toEqual([])
  await hideList(page)
  await showMore(page)
  await page.getByRole('button', { name: 'Reset Count' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  expect(await barriersOf(page)).toEqual([])
})

test('with texts twice as large, rows of lists show all their lines, and figures stay within their card', async ({
  admin: page,
}) => {
  await importRows(page, [{ barcode: 'A-1', description: 'Bolt', primary_quantity: 3 }])
  // As a browser does whose texts somebody has made larger.
  await page.addInitScript(() =>
    addEventListener('DOMContentLoaded', () => {
      document.documentElement.style.fontSize = '200%'
    }),
  )
  const hiddenOf = (row: Element) => row.scrollHeight - row.clientHeight
  await page.goto('/components')
  const row = page.getByRole('listitem').filter({ hasText: 'Bolt' })
  expect(await row.evaluate(hiddenOf)).toBe(0)
  await page.goto('/monthly-count')
  expect(await row.evaluate(hiddenOf)).toBe(0)
  const figures = page.getByRole('definition')
  await expect(figures).toHaveText(['1', '0'])
  const beyond = await figures.evaluateAll((all) =>
    all.filter((figure) => {
      const card = figure.closest('section')?.getBoundingClientRect()
      const { left, right } = figure.parentElement?.getBoundingClientRect() ?? new DOMRect()
      return card === undefined || left < card.left || right > card.right
    }),
  )
  expect(beyond).toHaveLength(0)
})
