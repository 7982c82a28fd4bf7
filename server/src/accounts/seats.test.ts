import { describe, expect, it } from 'vitest'
import { requireSeat, type Seats } from './seats.ts'

/** What is said of the seats; null where there is one. */
function refusal(seats: Seats, whose?: 'new' | 'invited') {
  try {
    requireSeat(seats, whose)
    return null
  } catch (error) {
    return [Object(error).code, Object(error).message]
  }
}

describe('a seat in the plan', () => {
  it('is there until users and open invitations have taken all', () => {
    expect(refusal({ plan: 'starter', users: 2, invited: 0 })).toBeNull()
    expect(refusal({ plan: 'starter', users: 1, invited: 1 })).toBeNull()
    expect(refusal({ plan: 'starter', users: 3, invited: 0 })).toEqual([
      'user_limit',
      'The Starter plan has 3 users and all seats are taken.',
    ])
    expect(refusal({ plan: 'starter', users: 2, invited: 1 })).toEqual([
      'user_limit',
      'The Starter plan has 3 users and all seats are taken, 1 of them by open invitations.',
    ])
    expect(refusal({ plan: 'professional', users: 8, invited: 2 })).toEqual([
      'user_limit',
      'The Professional plan has 10 users and all seats are taken, 2 of them by open invitations.',
    ])
  })

  it('is kept for who was invited', () => {
    expect(refusal({ plan: 'starter', users: 2, invited: 1 }, 'invited')).toBeNull()
    expect(refusal({ plan: 'starter', users: 3, invited: 1 }, 'invited')).toEqual([
      'user_limit',
      'The Starter plan has 3 users and all seats are taken.',
    ])
  })

  it('is always there where the plan has no limit', () => {
    expect(refusal({ plan: 'enterprise', users: 5_000, invited: 9 })).toBeNull()
  })
})
