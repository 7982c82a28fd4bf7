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
      'server/src/company/settings.api.test.ts',
      'server/src/counting/weekly.api.test.ts',
      'server/src/company/plan.api.test.ts',
      'server/src/accounts/team.api.test.ts',
      'server/test/floor/floor.test.ts',
    ],
  },
  {
    name: 'undoing-counts',
    functions: ['undo_count', 'standing_counts', 'standing_attempts'],
    tests: ['server/src/counting/undo.api.test.ts'],
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
    functions: ['find_login', 'claim_email', 'find_api_key'],
    tests: ['server/src/accounts/accounts.api.test.ts', 'server/src/api-keys/api-keys.api.test.ts'],
  },
]
