import { describe, expect, it } from 'vitest'
import type { Endpoint } from './endpoint.ts'
import { scopeOf } from './scope-of.ts'

function call(path: `/${string}`, parts: Partial<Endpoint> = {}) {
  return scopeOf({
    method: 'GET',
    path,
    access: 'member',
    effect: 'read',
    summary: 'Something',
    reply: { status: 200, image: true },
    errors: [],
    ...parts,
  })
}

const write = { method: 'POST', effect: 'write' } as const

describe('an API key', () => {
  it.each(['auth', 'account', 'team', 'company', 'settings', 'api-keys', 'webhooks'])(
    'can do nothing in the area %s, which is for people',
    (area) => {
      expect(call(`/api/${area}`)).toBe('people')
      expect(call(`/api/${area}/x`, { ...write, access: 'admin' })).toBe('people')
    },
  )

  it('needs nothing for what is open to all, also where people sign in', () => {
    expect(call('/api/auth/login', { ...write, access: 'public' })).toBeNull()
  })

  it('needs what a call says itself, before anything else', () => {
    expect(call('/api/components/update-with-tracking', { ...write, scope: 'count' })).toBe('count')
    expect(call('/api/team', { scope: 'read' })).toBe('read')
    expect(call('/api/imports', { access: 'admin', scope: 'people' })).toBe('people')
  })

  it('needs to be allowed an administrator’s work for it, whether it reads or writes', () => {
    expect(call('/api/analytics', { access: 'admin' })).toBe('admin')
    expect(call('/api/count-history', { ...write, access: 'admin' })).toBe('admin')
  })

  it('needs to be allowed to read for what members read', () => {
    expect([call('/api/components'), call('/api/count-history'), call('/')]).toEqual(['read', 'read', 'read'])
  })

  it('needs the scope of the area for what members write, and else the greatest', () => {
    const areas = ['count-history', 'weekly-counts', 'cycle-counts', 'generate-labels', 'components'] as const
    expect(areas.map((area) => call(`/api/${area}/x`, write))).toEqual([
      'count',
      'count',
      'count',
      'labels',
      'admin',
    ])
  })
})
