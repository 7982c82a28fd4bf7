import { expect, it } from 'vitest'
import { whatIsNeeded } from './server-version.ts'

it('PostgreSQL 15 and all that is newer will do, and nothing older', () => {
  expect([150_000, 180_004, 190_000].map(whatIsNeeded)).toEqual([null, null, null])
  expect([90_624, 140_022].map(whatIsNeeded)).toEqual(['15 or newer is needed', '15 or newer is needed'])
})
