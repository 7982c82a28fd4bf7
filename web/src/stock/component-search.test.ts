import { expect, it } from 'vitest'
import { soughtIn } from './component-search.tsx'

const choiceIn = (state: string, plan: 'starter' | 'professional') =>
  soughtIn(new URLSearchParams({ state }), plan).choice

it('where there is one location only, what is low here is what is low', () => {
  expect(choiceIn('low_here', 'professional')).toBe('low_here')
  expect(choiceIn('low_here', 'starter')).toBe('low')
})

it('an address that names no list shows what is in use', () => {
  expect(choiceIn('retired', 'starter')).toBe('retired')
  expect(choiceIn('lost', 'starter')).toBe('active')
})
