import { expect, it } from 'vitest'
import { kindOfPrefix, matchesAuditFilter } from './rules.ts'

it('the prefix of an entry says its kind, and a real SKU stays a scan', () => {
  expect(
    [
      'AUTH_LOGIN_FAILED',
      'CONFIG_LOCATION_SELECTION',
      'LABEL_GENERATED',
      'WEEKLY_COUNT_STARTED',
      'CYCLE_COUNT_RESET',
      'BULK_IMPORT_DONE',
      'BOLT-8',
    ].map(kindOfPrefix),
  ).toEqual([
    'authentication',
    'configuration',
    'label_generation',
    'weekly_count',
    'monthly_count',
    'bulk_import',
    'inventory_scan',
  ])
  // What the server writes itself names its kind, whatever its SKU looks like.
  const tape = {
    kind: 'inventory_scan',
    sku: 'LABEL_TAPE',
    location: null,
    user_name: 'Sam',
    timestamp: '2026-11-21T10:00:00.000Z',
  } as const
  const only = (action: string) =>
    matchesAuditFilter(tape, { action, sku: '', location: '', user: '', from: null, to: null })
  expect(only('Inventory Scan')).toBe(true)
  expect(only('Label Generation')).toBe(false)
})
