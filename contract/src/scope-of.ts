import type { Endpoint } from './endpoint.ts'
import type { Scope } from './scopes.ts'

/** Areas of the interface for people alone: a key can neither sign in, nor make users, plans or other keys. */
const forPeople = ['auth', 'account', 'team', 'company', 'settings', 'api-keys', 'webhooks']
const ofScope: Record<string, Scope> = {
  'count-history': 'count',
  'weekly-counts': 'count',
  'cycle-counts': 'count',
  'generate-labels': 'labels',
}

/**
 * The scope a key needs for a call: as declared, else by area, access and effect. A write that nothing else places
 * needs 'admin'. 'people': no key may. Null: the call is public.
 */
export function scopeOf(endpoint: Endpoint): Scope | 'people' | null {
  if (endpoint.access === 'public') return null
  if (endpoint.scope !== undefined) return endpoint.scope
  const [, , area = ''] = endpoint.path.split('/')
  if (forPeople.includes(area)) return 'people'
  if (endpoint.access === 'admin') return 'admin'
  return endpoint.effect === 'read' ? 'read' : (ofScope[area] ?? 'admin')
}
