import { randomUUID } from 'node:crypto'
import { readSymbols } from '../server/test/read-symbols.ts'
import { barriersOf, forcedSurfacesOf } from './accessibility.ts'
import { expect } from './fixtures.ts'
import { test } from './mailing-program.ts'

test('an invitation that was not mailed says why, and that it takes the place of those before', async ({
  admin: page,
  mailServer,
}) => {
  const email = `nia-${randomUUID()}@nordlager.example`
  const invited = async () => {
    await page.goto('/team')
    await page.getByRole('button', { name: 'Invite' }).click()
    await page.getByLabel('Email').fill(email)
    await page.getByRole('button', { name: 'Make the invitation' }).click()
    await expect(page.getByLabel(`Link for ${email}`)).toBeVisible()
    return page.getByRole('dialog')
  }
  mailServer.faults.set(email, 'refuses')
  await expect(await invited()).toContainText(
    `The mail could not be sent. Pass the link on yourself: earlier ones for ${email} are no longer good.`,
  )
  mailServer.faults.clear()
  for (const _ of [1, 2, 3]) {
    await expect(await invited()).toContainText(`A mail with this link is on its way to ${email}.`)
  }
  await expect(await invited()).toContainText(
    `Not mailed: 3 an hour at the most to one address, again in 60 minutes. Pass the link on yourself: earlier ones for ${email} are no longer good.`,
  )
  expect(await barriersOf(page)).toEqual([])
})

test('a link is scanned off the screen by the handheld that is to join, where people reach the program', async ({
  admin: page,
  openElsewhere,
  program,
}) => {
  await page.goto('/team')
  await page.getByRole('button', { name: 'Invite' }).click()
  await page.getByLabel('Email').fill(`pia-${randomUUID()}@nordlager.example`)
  await page.getByRole('button', { name: 'Make the invitation' }).click()
  const shown = await page.getByLabel('Link for pia-').inputValue()
  expect(shown).toMatch(/^https:\/\/count\.example\.com\/invitation#/)
  const symbol = page.getByRole('img', { name: 'QR code of the link' })
  const [link = ''] = await readSymbols(await symbol.screenshot())
  expect(link).toBe(shown)
  expect(await forcedSurfacesOf(page, symbol.locator('..'))).toEqual(['rgb(255, 255, 255)'])
  const other = await openElsewhere({ viewport: { width: 360, height: 640 } })
  await other.goto(link.replace('https://count.example.com', program.url))
  await expect(other.getByRole('heading', { name: 'Join Nordlager AG' })).toBeVisible()
})
