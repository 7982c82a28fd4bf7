import type { Page } from '@playwright/test'
import { barriersOf } from './accessibility.ts'
import {
  answerInstead,
  asItIsAsked,
  awaitDiversion,
  cut,
  expect,
  goTo,
  hold,
  loseAnswer,
  stall,
  stopClock,
  test,
} from './fixtures.ts'
import { askAs } from './people.ts'
import { goOn } from './people.ts'

const status = (page: Page, key: string) =>
  page.evaluate(async (bearer) => {
    const reply = await fetch('/api/components', { headers: { authorization: `Bearer ${bearer}` } })
    return reply.status
  }, key)

/** What a program is answered that would make a component with a key. */
const statusOfImport = (page: Page, key: string) =>
  page.evaluate(async (bearer) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${bearer}` }
    const body = JSON.stringify([{ barcode: 'A-1' }])
    return (await fetch('/api/components/import', { method: 'POST', headers, body })).status
  }, key)

test('a key is made, shown once, works within its scopes, and stops when it is revoked', async ({
  admin: page,
}) => {
  await page.goto('/api-access')
  await expect(page.getByText('No API keys yet')).toBeVisible()
  expect(await barriersOf(page)).toEqual([])
  await page.getByRole('button', { name: 'New key' }).click()
  await page.getByRole('button', { name: 'Make the key' }).click()
  await expect(page.getByText('Give the key a name.')).toBeVisible()
  await page.getByLabel('Name').fill('Robot')
  await page.getByLabel(/^count:/).check()
  expect(await barriersOf(page)).toEqual([])
  await page.getByRole('button', { name: 'Make the key' }).click()
  const key = await page.getByLabel('Key for Robot').inputValue()
  expect(key).toMatch(/^im_[0-9a-f]{12}_/)
  expect(await status(page, key)).toBe(200)
  expect(await statusOfImport(page, key)).toBe(403)
  await page.getByRole('button', { name: 'Copy' }).click()
  await expect(page.getByText(/^(Copied\.|Selected: copy it with Ctrl\+C, or ⌘C on a Mac\.)$/)).toBeVisible()
  expect(await barriersOf(page)).toEqual([])
  await page.getByRole('button', { name: 'Close dialog' }).click()
  const row = page.getByRole('row', { name: /Robot/ })
  await expect(row).toContainText(`${key.slice(0, 15)}…`)
  await expect(row).toContainText('readcount')
  expect(await barriersOf(page)).toEqual([])
  const letThrough = await hold(page, '/api/api-keys/*')
  await page.getByRole('button', { name: 'Revoke Robot' }).click()
  await page.getByRole('button', { name: 'Revoke', exact: true }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'New key' }).click()
  await page.getByLabel('Name').fill('Another')
  letThrough()
  await expect(page.getByRole('row', { name: /Robot/, includeHidden: true })).toContainText('Revoked')
  await expect(page.getByLabel('Name')).toHaveValue('Another')
  await page.keyboard.press('Escape')
  expect(await status(page, key)).toBe(401)
  await page.reload()
  await expect(row).toContainText('Revoked')
  await expect(page.getByText(key)).toBeHidden()
})

test('a key that is shown once stays shown when the list behind it cannot be loaded anew', async ({
  admin: page,
}) => {
  await page.clock.install()
  await page.goto('/api-access')
  await page.getByRole('button', { name: 'New key' }).click()
  await page.getByLabel('Name').fill('Robot')
  await page.getByRole('button', { name: 'Make the key' }).click()
  await expect(page.getByLabel('Key for Robot')).toHaveValue(/^im_[0-9a-f]{12}_/)
  await expect(page.getByLabel('Key for Robot')).toBeFocused()
  await answerInstead(page, '/api/webhooks', { status: 502, body: '<html>' })
  const failure = page.getByText('Error loading API access: HTTP error! status: 502')
  await asItIsAsked(page, 10_000, (soon) => expect(failure).toBeVisible(soon))
  await expect(page.getByLabel('Key for Robot')).toHaveValue(/^im_[0-9a-f]{12}_/)
  await page.getByRole('button', { name: 'Close dialog' }).click()
  await expect(page.getByRole('row', { name: /Robot/ })).toBeVisible()
  // It would be asked for again by itself, and what it has asked must not arrive.
  await stopClock(page)
  await awaitDiversion(page)
  await page.unroute('**/api/webhooks')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(failure).toBeHidden()
})

test('keys and webhooks whose secret was lost on the way are made once, and stand in their lists', async ({
  admin: page,
}) => {
  await page.goto('/api-access')
  await page.getByRole('button', { name: 'New key' }).click()
  await page.getByLabel('Name').fill('Robot')
  await loseAnswer(page, '/api/api-keys')
  const alert = page.getByRole('dialog').getByRole('alert')
  const madeBefore = 'This was made before, and its secret was shown then. Remove it and make another.'
  await page.getByRole('button', { name: 'Make the key' }).click()
  await expect(alert).toHaveText('The server cannot be reached.')
  await page.getByRole('button', { name: 'Make the key' }).click()
  await expect(alert).toHaveText(madeBefore)
  await page.getByRole('button', { name: 'Close dialog' }).click()
  await expect(page.getByRole('row', { name: /Robot/ })).toHaveCount(1)

  await page.getByRole('button', { name: 'New webhook' }).click()
  await page.getByLabel('Address').fill('https://receiver.invalid/inventory')
  await loseAnswer(page, '/api/webhooks')
  await page.getByRole('button', { name: 'Add the webhook' }).click()
  await expect(alert).toHaveText('The server cannot be reached.')
  await page.getByRole('button', { name: 'Add the webhook' }).click()
  await expect(alert).toHaveText(madeBefore)
  await page.getByRole('button', { name: 'Close dialog' }).click()
  await expect(page.getByRole('listitem', { name: 'https://receiver.invalid/inventory' })).toHaveCount(1)
})

test('a webhook is added with its secret, tested, looked at, and removed', async ({ admin: page }) => {
  await page.clock.install()
  await page.goto('/api-access')
  await page.getByRole('button', { name: 'New webhook' }).click()
  await page.getByLabel('Address').fill('http://127.0.0.1:9/')
  await page.getByRole('button', { name: 'Add the webhook' }).click()
  await expect(
    page.getByText('This address is not public. Webhooks are sent to public addresses only.'),
  ).toBeVisible()
  await page.getByLabel('Address').fill('https://receiver.invalid/inventory')
  await page.getByLabel('Component changed').uncheck()
  await page.getByRole('button', { name: 'Add the webhook' }).click()
  expect(await page.getByLabel('Signing secret').inputValue()).toMatch(/^whsec_/)
  await page.getByRole('button', { name: 'Close dialog' }).click()
  const row = page.getByRole('listitem', { name: 'https://receiver.invalid/inventory' })
  await expect(row).toContainText(
    'Count recorded, Count taken back, Discrepancy opened, Discrepancy decided, Stock below its minimum.',
  )
  await row.getByRole('button', { name: 'Send a test' }).click()
  await expect(row).toContainText('The test is on its way: see the deliveries.')
  await row.getByRole('button', { name: 'Deliveries' }).click()
  const log = page.getByRole('list', { name: 'Deliveries' })
  await asItIsAsked(page, 10_000, (soon) => expect(log).toContainText(/[1-9] attempts?, last/, soon))
  await expect(log).toContainText('Waiting')
  expect(await barriersOf(page)).toEqual([])
  const letThrough = await hold(page, '/replay')
  const again = page.getByRole('button', { name: /once more/ })
  await again.click()
  await expect(again).toBeDisabled()
  letThrough()
  await expect(again).toBeEnabled()
  await page.getByLabel('Show').selectOption('Given up')
  await expect(page.getByText('None of these')).toBeVisible()
  await page.getByRole('button', { name: 'Close dialog' }).click()
  await asItIsAsked(page, 10_000, (soon) => expect(row.getByText('Failing')).toBeVisible(soon))
  expect(await barriersOf(page)).toEqual([])
  await row.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('button', { name: 'Remove', exact: true }).last().click()
  await expect(page.getByText('No webhooks yet')).toBeVisible()
})

test('an address for a webhook that is none is said on the screen of a handheld, and the keyboard goes there', async ({
  admin: page,
}) => {
  await page.goto('/api-access')
  await page.setViewportSize({ width: 360, height: 640 })
  await page.getByRole('button', { name: 'New webhook' }).click()
  const address = page.getByLabel('Address')
  await address.fill('receiver.invalid/inventory')
  await page.getByRole('button', { name: 'Add the webhook' }).click()
  await expect(address).toBeFocused()
  await expect(address).toBeInViewport({ ratio: 1 })
  await expect(address).toHaveAccessibleDescription(
    /Give an address that begins with https:\/\/ or http:\/\/, without a name, password or #\./,
  )
  await address.fill('https://receiver.invalid/inventory')
  await expect(page.getByText('Give an address')).toBeHidden()
})

test('the keyboard stays by keys and webhooks when one goes, and a key that another administrator revoked is shown so', async ({
  admin: page,
  openElsewhere,
  program,
  company,
}) => {
  const makeKey = async (name: string) => {
    await page.getByRole('button', { name: 'New key' }).click()
    await page.getByLabel('Name').fill(name)
    await page.keyboard.press('Enter')
    await expect(page.getByLabel(`Key for ${name}`)).toBeFocused()
    await page.keyboard.press('Escape')
  }
  const revoke = async (from: Page, name: string) => {
    await from.getByRole('button', { name: `Revoke ${name}` }).click()
    await from.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  }
  await page.goto('/api-access')
  await makeKey('Robot')
  await makeKey('Scale')
  await revoke(page, 'Robot')
  await expect(page.getByRole('group', { name: 'API keys' })).toBeFocused()

  await page.getByRole('button', { name: 'New webhook' }).click()
  await page.getByLabel('Address').fill('https://receiver.invalid/inventory')
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Signing secret')).toBeFocused()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByText('No webhooks yet')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'API Access' })).toBeFocused()

  const other = await openElsewhere()
  await goOn(other, program, company)
  await other.goto('/api-access')
  await page.getByRole('button', { name: 'Revoke Scale' }).click()
  await revoke(other, 'Scale')
  await expect(other.getByRole('button', { name: 'Revoke Scale' })).toBeHidden()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await expect(page.getByRole('alert')).toHaveText('There is no such record.')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Revoke Scale' })).toBeHidden()
})

test('what is pressed twice within a moment is done once', async ({ admin: page }) => {
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST') sent.push(new URL(request.url()).pathname)
  })
  await page.goto('/api-access')
  await page.getByRole('button', { name: 'New key' }).click()
  await page.getByLabel('Name').fill('Robot')
  await page.getByRole('button', { name: 'Make the key' }).dblclick({ force: true })
  await expect(page.getByLabel('Key for Robot')).toHaveValue(/^im_[0-9a-f]{12}_/)
  expect(sent.filter((path) => path === '/api/api-keys')).toHaveLength(1)
  await page.getByRole('button', { name: 'Close dialog' }).click()

  await page.getByRole('button', { name: 'New webhook' }).click()
  await page.getByLabel('Address').fill('https://receiver.invalid/inventory')
  await page.getByRole('button', { name: 'Add the webhook' }).dblclick({ force: true })
  await expect(page.getByLabel('Signing secret')).toHaveValue(/^whsec_/)
  expect(sent.filter((path) => path === '/api/webhooks')).toHaveLength(1)
  await page.getByRole('button', { name: 'Close dialog' }).click()

  const row = page.getByRole('listitem', { name: 'https://receiver.invalid/inventory' })
  await row.getByRole('button', { name: 'Send a test' }).dblclick({ force: true })
  await expect(row).toContainText('The test is on its way: see the deliveries.')
  expect(sent.filter((path) => path.endsWith('/test'))).toHaveLength(1)
})

test('that a key could not be revoked nor a test sent for want of a network is said at once, before the lists are asked for again', async ({
  admin: page,
}) => {
  await page.clock.install()
  await page.goto('/api-access')
  await page.getByRole('button', { name: 'New webhook' }).click()
  await page.getByLabel('Address').fill('https://receiver.invalid/inventory')
  await page.getByRole('button', { name: 'Add the webhook' }).click()
  await expect(page.getByLabel('Signing secret')).toBeVisible()
  await page.getByRole('button', { name: 'Close dialog' }).click()
  await page.getByRole('button', { name: 'New key' }).click()
  await page.getByLabel('Name').fill('Robot')
  await page.getByRole('button', { name: 'Make the key' }).click()
  await expect(page.getByLabel('Key for Robot')).toBeVisible()
  await page.getByRole('button', { name: 'Close dialog' }).click()
  const unreached = 'The server cannot be reached.'

  // The lists would be asked for again by themselves.
  await stopClock(page)
  const row = page.getByRole('listitem', { name: 'https://receiver.invalid/inventory' })
  const send = row.getByRole('button', { name: 'Send a test' })
  await cut(page, '/api/webhooks/*/test')
  await stall(page, '/api/webhooks')
  const webhooksAskedAgain = page.waitForRequest('**/api/webhooks')
  await send.click()
  await expect(row.getByRole('alert')).toHaveText(unreached)
  await expect(send).toBeEnabled()
  await webhooksAskedAgain

  await page.getByRole('button', { name: 'Revoke Robot' }).click()
  const dialog = page.getByRole('dialog', { name: 'Revoke Robot' })
  const revoke = dialog.getByRole('button', { name: 'Revoke' })
  await cut(page, '/api/api-keys/*')
  await stall(page, '/api/api-keys')
  const keysAskedAgain = page.waitForRequest('**/api/api-keys')
  await revoke.click()
  await expect(dialog.getByRole('alert')).toHaveText(unreached)
  await expect(revoke).toBeEnabled()
  await keysAskedAgain
})

test('keys and webhooks of a plan that has none can still be revoked and removed, and nothing else be done with them', async ({
  admin: page,
  program,
  company,
}) => {
  await askAs(program, company, { path: '/api/api-keys', body: { name: 'Till', scopes: ['read'] } })
  const webhook = { url: 'https://receiver.invalid/', events: ['count.recorded'] }
  await askAs(program, company, { path: '/api/webhooks', body: webhook })
  await askAs(program, company, { path: '/api/company/plan', body: { plan: 'starter' } })
  await page.goto('/api-access')
  await expect(page.getByText('Not part of your plan')).toBeVisible()
  const hook = page.getByRole('list', { name: 'Webhooks' }).getByRole('listitem')
  await expect(hook.getByRole('button')).toHaveText(['Remove'])
  await expect(hook).toContainText('Not told')
  for (const name of ['New key', 'New webhook']) await expect(page.getByRole('button', { name })).toBeHidden()

  await page.getByRole('button', { name: 'Revoke Till' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await expect(page.getByRole('table', { name: 'API keys' })).toBeHidden()
  await hook.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expect(hook).toBeHidden()
  await expect(page.getByText('Not part of your plan')).toBeVisible()
})

test('the reference says how to sign in with a key, which scopes there are and how to check a delivery', async ({
  page,
}) => {
  await page.goto('/api/docs')
  for (const name of [
    'Signing in',
    'Scopes',
    'Sending twice',
    'Webhooks',
    'Errors',
    'What may change',
    'Calls',
  ]) {
    await expect(page.getByRole('heading', { name, exact: true })).toBeVisible()
  }
  const count = page.locator('#recordCount')
  await expect(count).toContainText('For signed-in users and API keys with count.')
  await count.getByText('Example of a call').click()
  await expect(count.locator('pre').first()).toContainText('Authorization: Bearer $KEY')
  expect(await barriersOf(page)).toEqual([])
})

test('an administrator verifies the trail', async ({ admin: page }) => {
  await goTo(page, 'Audit Trail')
  await page.getByRole('button', { name: 'Verify the trail' }).click()
  await expect(page.getByRole('heading', { name: 'The trail is intact' })).toBeVisible()
  const seal = page.getByText(/^[0-9a-f-]{36}:\d+:[0-9a-f]{64}$/)
  const kept = (await seal.textContent()) ?? ''
  const field = page.getByLabel('A seal you kept')
  await field.fill(kept.slice(0, -1))
  await expect(page.getByText('A seal is written COMPANY:NUMBER:HASH, as a check shows it.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Verify the trail' })).toBeDisabled()
  await field.fill(kept)
  await page.getByRole('button', { name: 'Verify the trail' }).click()
  await expect(page.getByText('The seal you kept is one of theirs.')).toBeVisible()
  expect(await barriersOf(page)).toEqual([])
  await field.fill(kept.replace(/[0-9a-f]{64}$/, '0'.repeat(64)))
  await page.getByRole('button', { name: 'Verify the trail' }).click()
  await expect(page.getByRole('heading', { name: 'The trail is not intact' })).toBeVisible()
  expect(await barriersOf(page)).toEqual([])
})
