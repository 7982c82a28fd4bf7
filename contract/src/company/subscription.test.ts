import { expect, it } from 'vitest'
import { isPaying, subscriptionStatus, subscriptionStatuses } from './subscription.ts'

const asked = ['none', 'active', 'past_due', 'ended'] as const

/** How a company stands in its trial and after it, by what the payment provider last said. */
function standing(provider: 'none' | 'stripe', trialIsOver: boolean) {
  return asked.map((paid) => subscriptionStatus({ provider, paid, trialIsOver }))
}

it('without a payment provider a trial that ends is a plan that goes on', () => {
  expect(standing('none', false)).toEqual(['trial', 'trial', 'trial', 'trial'])
  expect(standing('none', true)).toEqual(['active', 'active', 'active', 'active'])
})

it('with a payment provider only what was paid goes on after the trial', () => {
  expect(standing('stripe', false)).toEqual(['trial', 'active', 'past_due', 'trial'])
  expect(standing('stripe', true)).toEqual(['trial_expired', 'active', 'past_due', 'trial_expired'])
})

it('a subscription runs while it is paid for or its payment is tried again', () => {
  expect([...subscriptionStatuses, ...asked].filter(isPaying)).toEqual([
    'active',
    'past_due',
    'active',
    'past_due',
  ])
})

it('every way to stand has a name', () => {
  expect(subscriptionStatuses).toEqual(['trial', 'active', 'past_due', 'trial_expired'])
})
