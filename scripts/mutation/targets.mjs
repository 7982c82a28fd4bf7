/**
 * Rules that live in the database, and the tests that must notice when they change, the likeliest first.
 *
 * @typedef {{ name: string, functions: readonly string[] | 'policies', tests: readonly string[] }} Target
 *
 * @type {readonly Target[]}
 */
export const targets = [
  {
    name: 'companies-apart',
    functions: 'policies',
    tests: ['server/test/schema.test.ts', 'server/test/isolation.test.ts'],
  },
  {
    name: 'counting',
    functions: ['record_count'],
    tests: [
      'server/src/counting/counting.api.test.ts',
      'server/src/counting/newer-counts.api.test.ts',
      'server/src/counting/late-counts.api.test.ts',
      'server/src/company/settings.api.test.ts',
      'server/src/counting/weekly.api.test.ts',
      'server/src/company/plan.api.test.ts',
      'server/src/accounts/team.api.test.ts',
      'server/test/floor/floor.test.ts',
    ],
  },
  {
    name: 'matching-counts',
    functions: ['record_matches'],
    tests: [
      'server/src/counting/matching-counts.api.test.ts',
      'server/src/counting/count-queue.api.test.ts',
      'server/src/counting/cycle.api.test.ts',
    ],
  },
  {
    name: 'undoing-counts',
    functions: ['undo_count', 'restore_answered', 'was_reset', 'standing_counts', 'standing_attempts'],
    tests: ['server/src/counting/undo.api.test.ts', 'server/src/counting/newer-counts.api.test.ts'],
  },
  {
    name: 'limits',
    functions: ['seat_users', 'labels_used', 'keep_unknown_code', 'take_api_call'],
    tests: [
      'server/test/limits.test.ts',
      'server/src/company/plan.api.test.ts',
      'server/src/labels/allowance.api.test.ts',
      'server/src/unknown-codes/unknown-codes.api.test.ts',
      'server/src/api-keys/api-keys.api.test.ts',
      'server/src/accounts/team.api.test.ts',
    ],
  },
  {
    name: 'signing-in',
    functions: ['find_login', 'claim_email', 'release_email', 'find_api_key'],
    tests: [
      'server/src/accounts/accounts.api.test.ts',
      'server/src/accounts/freed-addresses.api.test.ts',
      'server/src/api-keys/api-keys.api.test.ts',
    ],
  },
]

/**
 * Rules that live in TypeScript, file by file, with the tests that must notice, the quickest first; `only` names those tests
 * of longer files that are about the rule.
 *
 * @typedef {{ file: string, tests: readonly string[], only?: RegExp }} Rules
 *
 * @type {Record<string, readonly Rules[]>}
 */
export const rulesInCode = {
  'plans-in-code': [
    {
      file: 'contract/src/plans.ts',
      tests: ['contract/src/plans.test.ts', 'server/src/company/plan.api.test.ts'],
    },
    {
      file: 'contract/src/company/subscription.ts',
      tests: ['contract/src/company/subscription.test.ts', 'server/src/company/stripe.api.test.ts'],
    },
  ],
  'counting-in-code': [
    { file: 'contract/src/counting/rules.ts', tests: ['contract/src/counting/rules.test.ts'] },
    { file: 'contract/src/counting/room-rules.ts', tests: ['contract/src/counting/room-rules.test.ts'] },
    {
      file: 'server/src/counting/count-queue.ts',
      tests: ['server/src/counting/count-queue.test.ts', 'server/src/counting/count-queue.api.test.ts'],
    },
  ],
  'answers-to-counts': [
    {
      file: 'server/src/counting/service.ts',
      tests: [
        'server/src/counting/counting.api.test.ts',
        'server/src/platform/metrics/metrics.api.test.ts',
        'server/src/company/settings.api.test.ts',
      ],
      only: /a count|a late count|what came of scans|scans|tolerance|high-volume|weekly/,
    },
    {
      file: 'server/src/counting/presenter.ts',
      tests: ['server/src/counting/counting.api.test.ts', 'server/src/company/settings.api.test.ts'],
      only: /a count|a late count|scans|tolerance|high-volume|weekly/,
    },
  ],
  'rights-in-code': [
    { file: 'contract/src/scope-of.ts', tests: ['contract/src/scope-of.test.ts'] },
    {
      file: 'server/src/platform/http/identity.ts',
      tests: ['server/src/platform/http/identity.test.ts', 'server/src/company/plan.api.test.ts'],
    },
    { file: 'server/src/accounts/tokens.ts', tests: ['server/src/accounts/tokens.test.ts'] },
    {
      file: 'server/src/accounts/identity.ts',
      tests: [
        'server/src/accounts/accounts.api.test.ts',
        'server/src/company/plan.api.test.ts',
        'server/src/api-keys/api-keys.api.test.ts',
      ],
      only: /who it belongs to|who its user is|last used|deactivated|a plan|smaller plan|let a key do|under its own name|fifty-first|without the scope admin/,
    },
  ],
  'done-once': [
    {
      file: 'server/src/platform/http/idempotency.ts',
      tests: [
        'server/src/platform/http/http.api.test.ts',
        'server/src/stock/stock.api.test.ts',
        'server/src/counting/counting.api.test.ts',
        'server/src/accounts/accounts.api.test.ts',
      ],
      only: /Idempotency-Key|same key|sent again/,
    },
  ],
  'limits-in-code': [
    {
      file: 'server/src/accounts/seats.ts',
      tests: [
        'server/src/accounts/seats.test.ts',
        'server/src/accounts/accounts.api.test.ts',
        'server/src/accounts/team.api.test.ts',
        'server/src/company/plan.api.test.ts',
      ],
      only: /place|address|an invitation|never become|smaller plan/,
    },
    {
      file: 'server/src/accounts/throttle.ts',
      tests: [
        'server/src/accounts/accounts.api.test.ts',
        'server/src/accounts/forgotten-password.api.test.ts',
        'server/src/accounts/team.api.test.ts',
      ],
      only: /throttled|register so many/,
    },
    { file: 'server/src/accounts/passwords.ts', tests: ['server/src/accounts/passwords.test.ts'] },
    {
      file: 'server/src/labels/allowance.ts',
      tests: ['server/src/labels/labels.api.test.ts', 'server/src/labels/allowance.api.test.ts'],
    },
  ],
}
