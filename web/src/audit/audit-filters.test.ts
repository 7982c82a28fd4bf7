import { listAuditTrail } from '@inventory-manager/contract/audit/endpoints'
import { expect, it } from 'vitest'
import { serverQuery } from './audit-filters.tsx'

const filters = { action: '', sku: '', location: '', user: '', start: '', end: '' }

it.each(['0002-03-10', '0202-03-10', '1970-01-01', '2026-03-10'])(
  'the trail is asked for whatever a date field holds while a year is typed: %s',
  (day) => {
    const query = listAuditTrail.query.safeParse(
      serverQuery({ ...filters, start: day, end: day }, 'Europe/Berlin'),
    )
    expect(query.error).toBeUndefined()
  },
)

it('the trail is asked for days of the company’s time zone, wherever the browser is', () => {
  expect(
    serverQuery({ ...filters, start: '2026-11-21', end: '2026-11-21' }, 'Pacific/Kiritimati'),
  ).toMatchObject({
    from: '2026-11-20T10:00:00.000Z',
    to: '2026-11-21T09:59:59.999Z',
  })
})
