import { expect, it } from 'vitest'
import { soughtIn } from './component-search.tsx'

const choiceIn = (state: string, plan: 'starter' | 'professional', role: 'admin' | 'user' = 'admin') =>
  soughtIn(new URLSearchParams({ state }), { plan, role }).choice

it('where there is one location only, what is low here is what is low', () => {
  expect(choiceIn('low_here', 'professional')).toBe('low_here')
  expect(choiceIn('low_here', 'starter')).toBe('low')
})

it('staff, who are told no costs, see what is in use instead of what has none', () => {
  expect(choiceIn('uncosted', 'starter')).toBe('uncosted')
  expect(choiceIn('uncosted', 'starter', 'user')).toBe('active')
})

it('an address that names no list shows what is in use', () => {
  expect(choiceIn('retired', 'starter')).toBe('retired')
  expect(choiceIn('lost', 'starter')).toBe('active')
})
