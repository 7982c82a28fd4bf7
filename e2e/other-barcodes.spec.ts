import { barriersOf } from './accessibility.ts'
import { cut, expect, goTo, hold, importRows, loseAnswer, postFrom, test } from './fixtures.ts'
import { goOn } from './people.ts'
import { scanLines } from './scanner.ts'
import { startMonth } from './started-count.ts'

const rows = [
  { barcode: 'BOLT-8', description: 'Hex bolt', primary_quantity: 5 },
  { barcode: 'NUT-8', description: 'Nut', primary_quantity: 7 },
]

test('codes of a supplier are given to a component, and whoever scans one counts it', async ({
  admin,
  openElsewhere,
  program,
  sam,
}) => {
  await importRows(admin, rows)
  const staff = await openElsewhere()
  await goOn(staff, program, sam)
  await goTo(staff, 'Monthly Count')
  await staff.getByRole('button', { name: 'Start Monthly Count' }).click()
  await expect(staff.getByLabel('Barcode')).toBeFocused()
  const panel = staff.getByRole('status')
  const recent = staff.getByRole('list', { name: 'Recent scans' })

  await test.step('an unknown code is added to a component, whose barcode is scanned', async () => {
    await scanLines(staff, ['4006381333931', '5'])
    await expect(staff.getByText('Component with barcode 4006381333931 not found.').first()).toBeVisible()
    await admin.goto('/unknown-codes')
    await admin.getByRole('button', { name: 'Add to component' }).click()
    const owner = admin.getByLabel('Barcode of the component that 4006381333931 belongs to')
    await expect(owner).toBeFocused()
    // A handheld would begin it with a capital letter, which makes another code of it.
    await expect(owner).toHaveAttribute('autocapitalize', 'off')
    expect(await barriersOf(admin)).toEqual([])
    await scanLines(admin, ['GHOST'])
    await expect(
      admin.getByText('Nothing was changed: There is no component with this barcode.'),
    ).toBeVisible()
    await admin.getByLabel('Barcode of the component that').fill('')
    await admin.evaluate(() => {
      localStorage.setItem('scanner_settings', JSON.stringify({ prefix: '~', suffix: '#' }))
    })
    await scanLines(admin, ['~BOLT-8#'])
    await expect(admin.getByText('Code 4006381333931 is a barcode of BOLT-8 now.')).toBeVisible()
    await expect(admin.getByRole('link', { name: 'Show BOLT-8' })).toHaveAttribute(
      'href',
      '/components/BOLT-8',
    )
    await expect(admin.getByText('No unknown codes')).toBeVisible()
  })

  await test.step('another one is added on the page of the component', async () => {
    await admin.goto('/components/BOLT-8')
    const codes = admin.getByRole('list', { name: 'Other barcodes' })
    await expect(codes.getByRole('listitem')).toHaveText([/4006381333931/])
    await admin.getByRole('button', { name: 'Add barcode' }).click()
    const dialog = admin.getByRole('dialog', { name: 'Another barcode of BOLT-8' })
    await expect(dialog.getByLabel('Barcode')).toBeFocused()
    expect(await barriersOf(admin)).toEqual([])
    await scanLines(admin, ['OLD-77'])
    await expect(admin.getByText('Barcode OLD-77 added.')).toBeVisible()
    await expect(dialog).toBeHidden()
    await expect(codes.getByRole('listitem')).toHaveText([/4006381333931/, /OLD-77/])
  })

  await test.step('who counts scans it and sees the component', async () => {
    await staff.getByLabel('Find in the list').fill('old-7')
    const listed = staff.getByRole('list', { name: 'Components to count' }).getByRole('listitem')
    await expect(listed).toHaveText([/BOLT-8/])
    await staff.getByLabel('Find in the list').fill('')
    await scanLines(staff, ['OLD-77'])
    await expect(panel.filter({ hasText: 'Hex bolt' }).first()).toBeVisible()
    await scanLines(staff, ['5'])
    await expect(staff.getByText('✓ Hex bolt - Quantity matches!')).toBeVisible()
    await expect(staff.getByText('1 of 2 counted, 50% complete')).toBeVisible()
    await expect(recent.getByRole('listitem').first()).toContainText('BOLT-8')
    await expect(recent).not.toContainText('OLD-77')
  })

  await test.step('what was scanned before it was known is sent again', async () => {
    await expect(staff.getByRole('list', { name: 'Scans to decide' })).toContainText('Known now')
    await staff.getByRole('button', { name: 'Send it again' }).click()
    await expect(staff.getByRole('list', { name: 'Scans to decide' })).toBeHidden()
    await expect(staff.getByText('All 2 scans stored')).toBeVisible()
  })
})

test('an unknown code is given to a component as that of a pack, and its scans that waited count as packs', async ({
  admin,
  openElsewhere,
  program,
  sam,
}) => {
  await importRows(admin, [
    { barcode: 'BOLT-8', description: 'Hex bolt', primary_quantity: 24 },
    { barcode: 'NUT-8', description: 'Nut', primary_quantity: 7 },
  ])
  const staff = await openElsewhere()
  await goOn(staff, program, sam)
  await goTo(staff, 'Monthly Count')
  await staff.getByRole('button', { name: 'Start Monthly Count' }).click()
  await expect(staff.getByLabel('Barcode')).toBeFocused()
  const toDecide = staff.getByRole('list', { name: 'Scans to decide' })

  await test.step('one is scanned twice, of another one a number is typed', async () => {
    await staff.getByLabel('Each scan counts one').check()
    await scanLines(staff, ['CASE-8', 'CASE-8'])
    await staff.getByRole('button', { name: 'Submit' }).click()
    await staff.getByLabel('Each scan counts one').uncheck()
    await scanLines(staff, ['CASE-9', '7'])
    await expect(toDecide.getByRole('listitem')).toHaveText([/CASE-8.*2/, /CASE-9.*7/])
  })

  await test.step('an administrator says how many pieces each stands for', async () => {
    await admin.goto('/unknown-codes')
    for (const [code, pieces, sku] of [
      ['CASE-8', '12', 'BOLT-8'],
      ['CASE-9', '6', 'NUT-8'],
    ] as const) {
      const row = admin.getByRole('listitem').filter({ hasText: code })
      await row.getByRole('button', { name: 'Add to component' }).click()
      const owner = admin.getByLabel(`Barcode of the component that ${code} belongs to`)
      await expect(admin.getByLabel('Pieces')).toHaveValue('1')
      await admin.getByLabel('Pieces').fill('10001')
      await owner.focus()
      await scanLines(admin, [sku])
      await expect(
        admin.getByText('Nothing was changed: Give the pieces of a pack as a whole number from 1 to 10,000.'),
      ).toBeVisible()
      await admin.getByLabel('Pieces').fill(pieces)
      await expect(admin.getByText('each scan becomes a pack, what was typed stays pieces')).toBeVisible()
      expect(await barriersOf(admin)).toEqual([])
      await owner.focus()
      await scanLines(admin, [sku])
      await expect(admin.getByText(`Code ${code} is a pack of ${pieces} of ${sku} now.`)).toBeVisible()
    }
    await admin.goto('/components/BOLT-8')
    await expect(admin.getByRole('list', { name: 'Other barcodes' }).getByRole('listitem')).toHaveText([
      /CASE-8.*Pack of 12/,
    ])
  })

  await test.step('who counts sees what they come to, and sends them again', async () => {
    await expect(toDecide.getByRole('listitem')).toHaveText([/Pack of 12.*24/, /Pack of 6.*7/])
    await staff.getByRole('button', { name: 'Decide on CASE-8' }).click()
    const dialog = staff.getByRole('dialog', { name: 'Unknown code' })
    await expect(dialog).toContainText('The code belongs to a component by now. Send it again to count it.')
    await expect(dialog).toContainText('24Pack of 12: each scan of it counts 12.')
    await staff.keyboard.press('Escape')
    await staff.getByRole('button', { name: 'Decide on CASE-9' }).click()
    await expect(dialog).toContainText('7Pack of 6: what was typed is pieces.')
    await staff.keyboard.press('Escape')
    await staff.getByRole('button', { name: 'Send all 2 again' }).click()
    await expect(toDecide).toBeHidden()
    await expect(staff.getByText('2 of 2 counted, 100% complete')).toBeVisible()
    await expect(staff.getByText('✓ Nut - Quantity matches!')).toBeVisible()
  })

  await test.step('the audit trail says that the entry was changed', async () => {
    await admin.goto('/audit-trail?sku=CASE-8')
    await expect(admin.getByText('pack of 12').first()).toBeVisible()
  })
})

test('a component is found and opened by any barcode, and one is taken away', async ({ admin: page }) => {
  await importRows(page, rows)
  await page.goto('/components/BOLT-8')
  for (const code of ['4006381333931', 'NUT-8', '4006381333931']) {
    await page.getByRole('button', { name: 'Add barcode' }).click()
    await scanLines(page, [code])
    if (code === 'NUT-8') {
      const dialog = page.getByRole('dialog', { name: 'Another barcode of BOLT-8' })
      await expect(dialog.getByText('This barcode belongs to a component already.')).toBeVisible()
      await dialog.getByRole('button', { name: 'Cancel' }).click()
    } else {
      await expect(page.getByText('Barcode 4006381333931 added.')).toBeVisible()
      await expect(page.getByRole('dialog')).toBeHidden()
    }
  }

  await goTo(page, 'Components')
  await page.getByLabel('Search').fill('400638')
  await expect(page.getByRole('link', { name: 'BOLT-8 4006381333931 Hex bolt' })).toBeVisible()
  await page.getByLabel('Search').fill('4006381333931')
  await page.getByLabel('Search').press('Enter')
  await expect(page.getByRole('heading', { name: 'BOLT-8', level: 1 })).toBeVisible()

  await page.goto('/components/4006381333931')
  await expect(page.getByRole('heading', { name: 'BOLT-8', level: 1 })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Audit trail' }).last()).toHaveAttribute('href', /sku=BOLT-8/)
  expect(await barriersOf(page)).toEqual([])
  await page.goto('/components/BOLT-8')
  await page.getByRole('button', { name: 'Remove barcode 4006381333931' }).click()
  await expect(page.getByText('Barcode 4006381333931 removed.')).toBeVisible()
  await expect(page.getByRole('list', { name: 'Other barcodes' }).getByRole('listitem')).toHaveCount(0)
  await expect(page.getByRole('list', { name: 'Other barcodes' })).toBeFocused()
})

test('a code scanned after one that was refused stands in its place, also while the list is read anew', async ({
  admin: page,
  openElsewhere,
  program,
  sam,
}) => {
  await importRows(page, rows)
  const staff = await openElsewhere()
  await goOn(staff, program, sam)
  await goTo(staff, 'Monthly Count')
  await staff.getByRole('button', { name: 'Start Monthly Count' }).click()
  await expect(staff.getByLabel('Barcode')).toBeFocused()
  await scanLines(staff, ['4006381333931', '5'])
  await expect(staff.getByText('Component with barcode 4006381333931 not found.').first()).toBeVisible()

  await page.goto('/unknown-codes')
  await page.getByRole('button', { name: 'Add to component' }).click()
  await expect(page.getByLabel('Barcode of the component that')).toBeFocused()
  const read = await hold(page, '/api/unknown-codes?*')
  await scanLines(page, ['GHOST'])
  await expect(page.getByText('Nothing was changed: There is no component with this barcode.')).toBeVisible()
  await scanLines(page, ['BOLT-8'])
  await expect(
    page.getByText(
      'Code 4006381333931 is a barcode of BOLT-8 now. 5 of it were counted under this code at Primary Warehouse and are in no count: count BOLT-8 there again.',
    ),
  ).toBeVisible()
  read()
  await expect(page.getByText('No unknown codes')).toBeVisible()

  await page.goto('/components/BOLT-8')
  await page.getByRole('button', { name: 'Add barcode' }).click()
  await scanLines(page, ['NUT-8'])
  await expect(page.getByText('This barcode belongs to a component already.')).toBeVisible()
  await scanLines(page, ['OLD-77'])
  await expect(page.getByText('Barcode OLD-77 added.')).toBeVisible()

  await page.goto('/components')
  await page.getByLabel('Search').focus()
  await scanLines(page, ['GHOST'])
  await expect(page.getByText('Nothing found for "GHOST"')).toBeVisible()
  await scanLines(page, ['OLD-77'])
  await expect(page.getByRole('heading', { name: 'BOLT-8', level: 1 })).toBeVisible()
})

test('what is scanned for a component is read as a count reads it', async ({ admin: page }) => {
  await importRows(page, rows)
  await page.evaluate(() => {
    localStorage.setItem('scanner_settings', JSON.stringify({ prefix: '~', suffix: '#' }))
  })
  await page.goto('/components/BOLT-8')
  const codes = page.getByRole('list', { name: 'Other barcodes' }).getByRole('listitem')
  async function add(scanned: string): Promise<void> {
    await page.getByRole('button', { name: 'Add barcode' }).click()
    await scanLines(page, [scanned])
  }
  await add('~OLD-77#')
  await expect(page.getByText('Barcode OLD-77 added.')).toBeVisible()
  await add('https://id.gs1.org/01/14006381333938/10/LOT-7')
  await expect(codes).toHaveText([/^14006381333938/, /^OLD-77/])
  await add('X'.repeat(60))
  await expect(page.getByText('A barcode has at most 48 characters, this one has 60.')).toBeVisible()
  await expect(codes).toHaveCount(2)

  await page.goto('/components')
  await page.getByLabel('Search').focus()
  await scanLines(page, ['~NUT-8#'])
  await expect(page.getByRole('heading', { name: 'NUT-8', level: 1 })).toBeVisible()
})

test('of a SKU in two places the second is added to the first, by whichever barcode it is scanned', async ({
  admin,
  openElsewhere,
  program,
  sam,
}) => {
  await importRows(admin, rows)
  await admin.goto('/components/NUT-8')
  await admin.getByRole('button', { name: 'Add barcode' }).click()
  await scanLines(admin, ['OLD-77'])
  await expect(admin.getByText('Barcode OLD-77 added.')).toBeVisible()
  const staff = await openElsewhere()
  await goOn(staff, program, sam)
  await goTo(staff, 'Monthly Count')
  await staff.getByRole('button', { name: 'Start Monthly Count' }).click()
  await expect(staff.getByLabel('Barcode')).toBeFocused()
  await scanLines(staff, ['NUT-8', '3'])
  await expect(staff.getByRole('status').first()).toContainText('Incorrect quantity for Nut')
  await scanLines(staff, ['OLD-77'])
  await staff.getByRole('button', { name: 'Add to it' }).click()
  await scanLines(staff, ['4'])
  await expect(staff.getByText('✓ Nut - Quantity matches!')).toBeVisible()
})

test('a barcode that was removed without an answer, and added again, is removed again', async ({
  admin: page,
}) => {
  await importRows(page, rows)
  await page.goto('/components/BOLT-8')
  const codes = page.getByRole('list', { name: 'Other barcodes' })
  async function add(): Promise<void> {
    await page.getByRole('button', { name: 'Add barcode' }).click()
    await scanLines(page, ['4006381333931'])
    await expect(codes.getByRole('listitem')).toHaveText([/4006381333931/])
  }
  await add()
  await loseAnswer(page, '/api/components/remove-barcode')
  await page.getByRole('button', { name: 'Remove barcode 4006381333931' }).click()
  await expect(page.getByText('The server cannot be reached.')).toBeVisible()
  await expect(codes.getByRole('listitem')).toHaveCount(0)
  await add()
  await page.getByRole('button', { name: 'Remove barcode 4006381333931' }).click()
  await expect(page.getByText('Barcode 4006381333931 removed.')).toBeVisible()
  await expect(codes.getByRole('listitem')).toHaveCount(0)
})

test('who counts sees the other barcodes of a component and changes none', async ({
  admin,
  openElsewhere,
  program,
  sam,
}) => {
  await importRows(admin, rows)
  await admin.goto('/components/BOLT-8')
  await admin.getByRole('button', { name: 'Add barcode' }).click()
  await scanLines(admin, ['4006381333931'])
  await expect(admin.getByText('Barcode 4006381333931 added.')).toBeVisible()

  const staff = await openElsewhere()
  await goOn(staff, program, sam)
  await staff.goto('/components/BOLT-8')
  await expect(staff.getByRole('list', { name: 'Other barcodes' }).getByText('4006381333931')).toBeVisible()
  await expect(staff.getByRole('button', { name: /barcode/i })).toHaveCount(0)
  await staff.goto('/components/NUT-8')
  await expect(staff.getByRole('heading', { name: 'Movements' })).toBeVisible()
  await expect(staff.getByRole('heading', { name: 'Other barcodes' })).toHaveCount(0)
})

test('scans of a code that is known as that of a pack by the time they are sent are asked about, and count as packs', async ({
  admin,
  openElsewhere,
  program,
  sam,
}) => {
  await importRows(admin, [{ barcode: 'BOLT-8', description: 'Hex bolt', primary_quantity: 24 }])
  const staff = await openElsewhere()
  await goOn(staff, program, sam)
  await startMonth(staff)
  await cut(staff, '/api/components/update-with-tracking')
  await staff.getByLabel('Each scan counts one').check()
  await scanLines(staff, ['CASE-8', 'CASE-8'])
  await staff.getByRole('button', { name: 'Submit' }).click()
  await expect(staff.getByText('1 scanned, 0 stored, 1 waiting')).toBeVisible()
  await postFrom(admin, '/api/components/add-barcode', { barcode: 'BOLT-8', alias: 'CASE-8', pieces: 12 })
  await staff.unrouteAll({ behavior: 'ignoreErrors' })
  const toDecide = staff.getByRole('list', { name: 'Scans to decide' }).getByRole('listitem')
  await expect(toDecide).toHaveText(/CASE-8.*Pack.*Known now.*Pack of 12.*24/, { timeout: 30_000 })
  await staff.getByRole('button', { name: 'Send it again' }).click()
  await expect(staff.getByText('✓ Hex bolt - Quantity matches!')).toBeVisible()
})

test('the label of a pack, and of any other barcode, is printed from the page of its component', async ({
  admin: page,
}) => {
  await importRows(page, [
    { barcode: 'NUT-8', description: 'Nut' },
    { barcode: 'BOLT-8', description: 'Bolt' },
  ])
  await postFrom(page, '/api/components/add-barcode', { barcode: 'NUT-8', alias: 'CASE%41', pieces: 12 })
  await postFrom(page, '/api/components/add-barcode', { barcode: 'NUT-8', alias: '4006381333931' })
  for (const [code, described] of [
    ['4006381333931', 'Nut'],
    ['CASE%41', 'Pack of 12: Nut'],
  ] as const) {
    await page.goto('/components/NUT-8')
    await page.getByRole('link', { name: `Print label of ${code}`, exact: true }).click()
    await expect(page.getByRole('checkbox', { name: `Select ${code}` })).toBeChecked()
    await expect(page.getByRole('img', { name: `Label of ${code}` })).toContainText(described)
    await expect(page.getByText('Primary Warehouse, 2 components.')).toBeVisible()
    await expect(page.getByText('2 components need a label')).toBeVisible()
    const request = page.waitForRequest('**/api/generate-labels')
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Print 1 Label' }).click()
    expect((await request).postDataJSON()).toMatchObject({
      components: [{ barcode: code, description: described }],
    })
    await download
  }
})
