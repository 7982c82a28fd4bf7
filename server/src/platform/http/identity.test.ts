import { describe, expect, it } from 'vitest'
import { requireAdmin, requireApiAccess, requireStanding } from './identity.ts'

it('administrators may do what is theirs, and nobody else', () => {
  expect(() => requireAdmin({ role: 'admin' })).not.toThrow()
  expect(() => requireAdmin({ role: 'user' })).toThrow(expect.objectContaining({ code: 'forbidden' }))
})

it('keys and webhooks come with the Professional plan and up', () => {
  expect(() => requireApiAccess({ plan: 'starter' })).toThrow(
    expect.objectContaining({
      code: 'plan_required',
      message: 'API access comes with the Professional plan and up. Your company has the Starter plan.',
    }),
  )
  expect(() => requireApiAccess({ plan: 'professional' })).not.toThrow()
  expect(() => requireApiAccess({ plan: 'enterprise' })).not.toThrow()
})

describe('whoever changes stock, counts or prints', () => {
  const code = (subscription: 'trial' | 'active' | 'past_due' | 'trial_expired', seated: boolean) => {
    try {
      requireStanding({ subscription, seated })
      return null
    } catch (error) {
      return Object(error).code
    }
  }

  it('needs a plan that has not ended', () => {
    const standings = ['trial', 'active', 'past_due', 'trial_expired'] as const
    expect(standings.map((standing) => code(standing, true))).toEqual([null, null, null, 'trial_expired'])
  })

  it('needs a place in it', () => {
    expect([code('active', false), code('trial_expired', false)]).toEqual(['not_seated', 'trial_expired'])
  })
})
