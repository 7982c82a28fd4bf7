import { getLocation } from '@inventory-manager/contract/locations'
import { expect, it } from 'vitest'
import { screensFor } from './screens.tsx'

const sam = {
  id: 'u-1',
  tenantId: 't-1',
  companyName: 'Nordlager AG',
  role: 'user',
  email: 'sam@nordlager.example',
  name: 'Sam',
  plan: 'professional',
} as const

const pathsAt = (supportsWeeklyCount: boolean) =>
  screensFor(sam, { ...getLocation('PRIMARY'), supportsWeeklyCount }).map(({ path }) => path)

it('a location without weekly counts has no weekly count', () => {
  expect(pathsAt(true)).toContain('/weekly-count')
  expect(pathsAt(false)).not.toContain('/weekly-count')
  expect(pathsAt(false)).toContain('/monthly-count')
})

it('screens of administrators are there for administrators only', () => {
  const location = getLocation('PRIMARY')
  const own = screensFor(sam, location).filter(({ only }) => only === 'administrators')
  expect(own).toEqual([])
})
