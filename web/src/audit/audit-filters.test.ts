import { listAuditTrail } from '@inventory-manager/contract/audit/endpoints'
import { expect, it } from 'vitest'
import { serverQuery } from './audit-filters.tsx'

const filters = { action: '', sku: '', location: '', user: '', start: '', end: '' }

it.each(['0002-03-10', '0202-03-10', '1970-01-01', '2026-03-10'])(
  'the trail is asked for whatever a date field holds while a year is typed: %s',
  (day) => {
    const query = listAuditTrail.query.safeParse(serverQuery({ ...filters, start: day, end: day }))
    expect(query.error).toBeUndefined()
  },
)
