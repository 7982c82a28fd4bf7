import { expect, it } from 'vitest'
import { eventsIn } from '../src/audit/events.ts'
import { eventsOf } from '../src/webhooks/news.ts'

const entry = {
  seq: 1,
  id: '019ab000-0000-7000-8000-000000000000',
  sku: 'A-1',
  quantity: null,
  location: null,
  origin: 'server' as const,
  user_name: 'Ada Admin',
  user_type: 'admin',
  metadata: {},
  created_at: new Date('2026-11-23T10:00:00Z'),
}

it.each(eventsIn('component_changed', 'components_changed'))(
  '%s, which is news of a component to screens, is it to webhooks too',
  (event) => {
    expect(eventsOf({ ...entry, event })).toEqual(['component.changed'])
  },
)

it('a reopened difference waits for a decision, and is no decision', () => {
  expect(eventsOf({ ...entry, event: 'discrepancy_dismissed' })).toEqual(['discrepancy.decided'])
  expect(eventsOf({ ...entry, event: 'discrepancy_reopened' })).toEqual(['discrepancy.opened'])
})
