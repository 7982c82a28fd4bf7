import { expect, it } from 'vitest'
import { allEndpoints } from './all-endpoints.ts'

/**
 * Writes that are possible whatever the plan: people, the plan itself, settings, connections to other programs, and what
 * only tells of something or clears away what was not taken.
 */
const possibleWithoutPlan = new Set([
  'registerTenant',
  'login',
  'logout',
  'changePassword',
  'acceptInvitation',
  'forgotPassword',
  'resetPassword',
  'confirmEmail',
  'invite',
  'revokeInvitation',
  'changeRole',
  'deactivateUser',
  'reactivateUser',
  'signOutEverywhere',
  'makePasswordLink',
  'changeName',
  'endOwnSession',
  'endOtherSessions',
  'sendConfirmation',
  'changePlan',
  'openBillingPortal',
  'changeSettings',
  'setLogo',
  'setLabelLogo',
  'deleteLogo',
  'createApiKey',
  'revokeApiKey',
  'createWebhook',
  'enableWebhook',
  'testWebhook',
  'deleteWebhook',
  'replayDelivery',
  'verifyAuditTrail',
  'cancelImport',
  'logAudit',
])

it('every other call that writes is refused when the trial has ended, or says why not in the list above', () => {
  const uncovered = Object.entries(allEndpoints)
    .filter(
      ([, { effect, errors }]) => effect === 'write' && !errors.some((code) => code === 'trial_expired'),
    )
    .map(([name]) => name)
  expect(uncovered.filter((name) => !possibleWithoutPlan.has(name))).toEqual([])
})
