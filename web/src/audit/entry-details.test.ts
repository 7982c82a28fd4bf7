import type { AuditEntry } from '@inventory-manager/contract/audit/endpoints'
import { describe, expect, it } from 'vitest'
import { formatDateTime } from '../lib/dates.ts'
import { detailsOf, factsOf, namesComponent } from './entry-details.ts'

const entry = {
  id: '1',
  kind: 'configuration',
  sku: 'CONFIG_ROLE_CHANGED',
  quantity: null,
  location: null,
  source: 'team',
  timestamp: '2026-11-22T10:00:00.000Z',
  user_type: 'admin',
  user_name: 'Ada Admin',
  origin: 'server',
  metadata: {},
} as const

const facts = (metadata: Record<string, unknown>) => factsOf(metadata, true).join(', ')

describe('the details of an entry', () => {
  it('say what happened, to whom, and what was before', () => {
    const role = { email: 'sam@nordlager.example', old_value: 'user', new_value: 'admin', user_id: 'u-1' }
    const metadata = { type: 'config_change', event_type: 'role_changed', ...role }
    expect(detailsOf({ ...entry, metadata }, true)).toBe('Role changed, sam@nordlager.example, user → admin')
  })

  it('name the setting, and what was not set', () => {
    expect(facts({ setting: 'count_tolerance_units', old_value: 0, new_value: 2 })).toBe(
      'count tolerance units: 0 → 2',
    )
    expect(facts({ setting: 'strict_blind_counts', old_value: false, new_value: true })).toBe(
      'strict blind counts: no → yes',
    )
    expect(facts({ config_type: 'accent_colour', old_value: null, new_value: '#123456' })).toBe(
      'accent colour: none → #123456',
    )
    expect(facts({ old_value: 'hex_bolt', new_value: '' })).toBe('hex_bolt → none')
  })

  it('say of another barcode how many pieces it stands for', () => {
    expect(facts({ barcode: 'CASE-8', pieces: 12 })).toBe('CASE-8, pack of 12')
    expect(facts({ barcode: 'CASE-8', pieces: 1 })).toBe('CASE-8, one piece')
  })

  it('tell moments as people do, and of a logo what was done with it', () => {
    const from = '2026-01-01T11:00:00.000Z'
    expect(facts({ list: 'counts', filter: { sku: 'A-1', from } })).toBe(
      `counts, filter: sku: A-1 from ${formatDateTime(from)}`,
    )
    expect(facts({ setting: 'logo', old_value: null, new_value: 'k3Jd9_xN2mQ' })).toBe('logo: set')
    expect(facts({ setting: 'logo', old_value: 'k3Jd9_xN2mQ', new_value: '9sdLq' })).toBe('logo: replaced')
    expect(facts({ setting: 'logo', old_value: '9sdLq', new_value: null })).toBe('logo: removed')
  })

  it('give the reason and the note of a difference, and to administrators what was expected', () => {
    const metadata = { expected: 5, counted: 3, reason: 'Damaged', note: 'fell off the fork' }
    expect(facts(metadata)).toBe('expected 5, counted 3, reason: Damaged, note: fell off the fork')
    expect(factsOf(metadata, false)).toEqual(['counted 3', 'reason: Damaged', 'note: fell off the fork'])
    expect(factsOf({ attempt: 2, recorded: true, accepted_difference: 1 }, false)).toEqual([
      'attempt 2',
      'recorded',
    ])
  })

  it('say the number of a certificate', () => {
    const metadata = {
      type: 'export',
      event_type: 'count_certificate_issued',
      month: '2026-11',
      session: null,
    }
    expect(detailsOf({ ...entry, id: '01a22d4f-f0d1-7d3c-959c-44e1cd3681ed', metadata }, true)).toBe(
      'Count certificate issued, month: 2026-11, number 01a22d4f-f0d1-7d3c-959c-44e1cd3681ed',
    )
  })

  it('say once that a code is unknown', () => {
    const metadata = { event_type: 'unknown_code_found', reason: 'not_found', session: 's-1' }
    expect(detailsOf({ ...entry, metadata }, true)).toBe('Unknown code found')
    expect(facts({ event_type: 'weekly_count_error', reason: 'not_found' })).toBe('reason: not found')
    expect(facts({ event_type: 'unknown_code_found', reason: 'retired' })).toBe('reason: retired')
  })

  it('say that a count came late, and what of it', () => {
    expect(facts({ recorded: true, counted_since: true, sets_mark: false })).toBe(
      'counted since, before it came, came late and marks nothing as counted, recorded',
    )
  })

  it('are shown whatever names a device gives to its facts', () => {
    const names = ['__proto__', 'constructor', '__defineGetter__']
    expect(facts(Object.fromEntries(names.map((name) => [name, 'said'])))).toBe(
      '  proto  : said, constructor: said, __defineGetter__: said',
    )
  })

  it('say where a transfer went, and nothing that only machines read', () => {
    expect(facts({ transfer_id: 't-1', from: 'PRIMARY', to: 'QUARANTINE', note: '' })).toBe(
      'from Primary Warehouse, to Quarantine',
    )
    expect(facts({ id: 'w-1', session: 'Monthly_2026-11-22_PRIMARY_1', undoes: 'h-1' })).toBe('')
  })

  it('read lists and what they hold', () => {
    expect(
      facts({ barcode: 'A-1', old_value: [], new_value: [{ day: 'Monday', location: 'PRIMARY' }] }),
    ).toBe('A-1, none → Monday Primary Warehouse')
    expect(facts({ old_value: null, new_value: { day: 'Monday', location: 'PRIMARY', changed: 3 } })).toBe(
      'Monday Primary Warehouse changed: 3',
    )
    expect(
      facts({
        barcode: ['A-1', 'A-2'],
        old_value: null,
        new_value: { day: 'Monday', location: 'PRIMARY', changed: 2 },
      }),
    ).toBe('A-1, A-2, Monday Primary Warehouse changed: 2')
    expect(facts({ filter: '{"action":"","sku":"bolt"}' })).toBe('filter: sku: bolt')
    expect(facts({ name: 'Shop', key: 'im_1a2b', scopes: ['read', 'count'] })).toBe(
      'Shop, key im_1a2b, may read, count',
    )
  })

  it('say in which bin a component was and is, and from which stock on there is enough of it', () => {
    const placed = (before: object, after: object) =>
      detailsOf(
        {
          ...entry,
          sku: 'A-1',
          location: 'PRIMARY',
          metadata: { event_type: 'placement_changed', old_value: before, new_value: after },
        },
        false,
      )
    expect(placed({ bin: 'A-1', minimum: 6 }, { bin: 'A-2', minimum: 6000 })).toBe(
      'Bin or minimum changed, Primary Warehouse, bin A-1, minimum 6 → bin A-2, minimum 6,000',
    )
    expect(placed({ bin: '', minimum: null }, { bin: '', minimum: 0 })).toBe(
      'Bin or minimum changed, Primary Warehouse, bin none, minimum none → bin none, minimum 0',
    )
    const many = { old_value: null, new_value: { location: 'SECONDARY', changed: 1501 } }
    const metadata = { event_type: 'placements_changed', ...many }
    expect(detailsOf({ ...entry, sku: 'CONFIG_PLACEMENTS_CHANGED', metadata }, true)).toBe(
      'Bins and minimums changed, 1,501 components at Secondary Warehouse',
    )
  })

  it('says of a unit cost what it was and is, to its last decimal, and to staff that it was changed', () => {
    const costed = (facts: Record<string, unknown>, isAdmin: boolean) =>
      detailsOf({ ...entry, sku: 'A-1', metadata: { event_type: 'cost_changed', ...facts } }, isAdmin)
    expect(costed({ old_value: 0.0125, new_value: 1234.5 }, true)).toBe(
      'Unit cost changed, 0.0125 → 1,234.50',
    )
    expect(costed({ old_value: null, new_value: 3 }, true)).toBe('Unit cost changed, none → 3.00')
    expect(costed({}, false)).toBe('Unit cost changed')
  })

  it('says of a note on a count what it was and is, and to staff that something was said', () => {
    const noted = (facts: Record<string, unknown>, isAdmin: boolean) => {
      const metadata = { event_type: 'count_noted', ...facts }
      return detailsOf({ ...entry, sku: 'A-1', location: 'PRIMARY', metadata }, isAdmin)
    }
    expect(noted({ old_value: '', new_value: '3 crates are damaged' }, true)).toBe(
      'Note on a count, Primary Warehouse, none → 3 crates are damaged',
    )
    expect(noted({ old_value: '3 crates are damaged', new_value: '' }, true)).toBe(
      'Note on a count, Primary Warehouse, 3 crates are damaged → none',
    )
    expect(noted({}, false)).toBe('Note on a count, Primary Warehouse')
  })

  it('say of how much stock there is less than its minimum', () => {
    const low = { event_type: 'stock_low', minimum: 1200 }
    expect(detailsOf({ ...entry, sku: 'A-1', quantity: 0, location: 'PRIMARY', metadata: low }, false)).toBe(
      'Stock below its minimum, quantity 0, Primary Warehouse, minimum 1,200',
    )
    const many = { ...entry, sku: 'CONFIG_STOCKS_LOW', quantity: 501, metadata: { event_type: 'stocks_low' } }
    expect(detailsOf(many, true)).toBe('Stocks below their minimums, quantity 501')
  })

  it('say who is asked to count where and by when, and what was said before', () => {
    const asked = (facts: object) =>
      detailsOf(
        {
          ...entry,
          sku: 'CONFIG_COUNT_ASSIGNED',
          location: 'PRIMARY',
          metadata: { type: 'config_change', user_id: 'u-1', name: 'Sam Staff', ...facts },
        },
        false,
      )
    expect(asked({ event_type: 'count_assigned', due_on: '2026-11-30' })).toBe(
      'Asked to count, Primary Warehouse, Sam Staff, by Nov 30',
    )
    expect(asked({ event_type: 'count_assigned', due_on: '2026-11-30', due_before: '2026-11-20' })).toBe(
      'Asked to count, Primary Warehouse, Sam Staff, by Nov 30, before: by Nov 20',
    )
    expect(asked({ event_type: 'count_unassigned', due_on: '2026-11-30' })).toBe(
      'No longer asked to count, Primary Warehouse, Sam Staff, by Nov 30',
    )
  })

  it('name the SKUs of a spot count, of many the first ten, and how many were taken back', () => {
    const asked = (barcodes: string[]) =>
      facts({ event_type: 'spot_count_asked', name: 'Sam', due_on: '2026-11-30', barcodes })
    expect(asked(['A-1', 'B_2'])).toBe('Sam, A-1, B_2, by Nov 30')
    const many = Array.from({ length: 12 }, (_, place) => `A-${place}`)
    expect(asked(many)).toBe('Sam, A-0, A-1, A-2, A-3, A-4, A-5, A-6, A-7, A-8, A-9 and 2 more, by Nov 30')
    expect(facts({ event_type: 'spot_count_taken_back', due_on: '2026-11-30', skus: 12 })).toBe(
      '12 SKUs, by Nov 30',
    )
  })

  it('say which bins somebody is asked to count, and which before', () => {
    const asked = (bins: object) => facts({ event_type: 'count_assigned', due_on: '2026-11-30', ...bins })
    expect(asked({ bins: ['A', 'B-1'] })).toBe('bins A and B-1, by Nov 30')
    expect(asked({ bins: ['A', ''], due_before: '2026-11-20', bins_before: [] })).toBe(
      'bin A and what has no bin, by Nov 30, before: by Nov 20, before: all bins',
    )
    expect(asked({ bins_before: ['C'] })).toBe('by Nov 30, before: bin C')
    expect(facts({ event_type: 'list_exported', list: 'count_sheet', bins: [''] })).toBe(
      'count sheet, what has no bin',
    )
  })

  it('say what nobody has a name for as it is called', () => {
    expect(facts({ search_term: 'bolt', copies: 1200, odd: null })).toBe('search term: bolt, copies: 1,200')
  })

  it('say what a device did under its own name for it', () => {
    const metadata = { event_type: 'ghost-9', action: 'count_entry_discarded', reason: 'Not found.' }
    expect(
      detailsOf({ ...entry, kind: 'inventory_scan', quantity: 7, origin: 'client', metadata }, true),
    ).toBe('Count entry discarded, quantity 7, reason: Not found, reported by the device')
  })
})

it('an entry leads to a component only where it names one', () => {
  const names = (kind: AuditEntry['kind'], sku: string, event: string) =>
    namesComponent({ kind, sku, metadata: { event_type: event } })
  expect(names('inventory_scan', 'LABEL_TAPE', 'count_matched')).toBe(true)
  expect(names('configuration', 'A-1', 'description_changed')).toBe(true)
  expect(names('configuration', 'CONFIG_ROLE_CHANGED', 'role_changed')).toBe(false)
  expect(names('inventory_scan', 'HISTORY_EXPORTED', 'history_exported')).toBe(false)
  expect(names('inventory_scan', 'GHOST-9', 'unknown_code_found')).toBe(false)
})

it('what a device tells of a code that nothing has leads to no component', () => {
  const leads = (event_type: string, reason?: string) =>
    namesComponent({ kind: 'inventory_scan', sku: 'GHOST-9', metadata: { event_type, reason } })
  expect(leads('count_entry_discarded', 'There is no component with this barcode.')).toBe(false)
  expect(leads('count_entry_changed', 'Component with barcode GHOST-9 not found.')).toBe(false)
  expect(leads('count_entry_changed', 'A-1 is retired. Bring it back to count it.')).toBe(true)
  expect(leads('count_entry_discarded')).toBe(true)
  expect(leads('count_mismatched', 'There is no component with this barcode.')).toBe(true)
})
