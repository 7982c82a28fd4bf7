/**
 * The guards of the server, each with the change that takes it away and the test that must then go red.
 *
 * @typedef {{ what: string, file: string, from: string, to: string, test: string }} Guard
 *
 * @type {readonly Guard[]}
 */
export const guards = [
  {
    what: 'administrators’ calls are open to everybody',
    file: 'server/src/platform/http/identity.ts',
    from: "if (actor.role !== 'admin') throw new AppError('forbidden')",
    to: '',
    test: 'server/test/other-company.test.ts',
  },
  {
    what: 'a company whose plan has ended goes on writing',
    file: 'server/src/platform/http/entrance.ts',
    from: "if (endpoint.errors.includes('trial_expired')) requireStanding(actor)",
    to: '',
    test: 'server/src/company/plan.api.test.ts',
  },
  {
    what: 'files and secrets for administrators are for everybody signed in',
    file: 'server/src/platform/http/binder.ts',
    from: 'enter: entering(endpoint, claims) }',
    to: "enter: entering({ ...endpoint, access: 'member' }, claims) }",
    test: 'server/test/other-company.test.ts',
  },
  {
    what: 'sessions that were ended go on',
    file: 'server/src/accounts/queries.ts',
    from: ' and sessions.ended_at is null and sessions.expires_at > now()',
    to: ' and sessions.expires_at > now()',
    test: 'server/src/accounts/accounts.api.test.ts',
  },
  {
    what: 'sessions never end by time',
    file: 'server/src/accounts/queries.ts',
    from: ' and sessions.ended_at is null and sessions.expires_at > now()',
    to: ' and sessions.ended_at is null',
    test: 'server/src/accounts/accounts.api.test.ts',
  },
  {
    what: 'deactivated people go on',
    file: 'server/src/accounts/queries.ts',
    from: '\n      and users.active\n  `.execute(tx.db)\n  return rows[0]',
    to: '\n  `.execute(tx.db)\n  return rows[0]',
    test: 'server/src/accounts/accounts.api.test.ts',
  },
  {
    what: 'two changes of a company’s people overlap',
    file: 'server/src/platform/db/lock-company.ts',
    from: '    .forNoKeyUpdate()\n',
    to: '',
    test: 'server/test/limits.test.ts',
  },
  {
    what: 'a request sent again is done again',
    file: 'server/src/platform/http/binder.ts',
    from: 'const key = keyOf(endpoint, request)',
    to: 'const key: string | null = null',
    test: 'server/src/platform/http/http.api.test.ts',
  },
  {
    what: 'guesses are not counted',
    file: 'server/src/accounts/throttle.ts',
    from: 'if (taken <= limit.limit) return',
    to: 'if (taken > 0) return',
    test: 'server/test/limits.test.ts',
  },
  {
    what: 'sign-ins wait without end',
    file: 'server/src/accounts/passwords.ts',
    from: 'maxWaiting: 50 }',
    to: 'maxWaiting: 50_000 }',
    test: 'server/test/faults/flood.test.ts',
  },
  {
    what: 'a connection that fell silent is waited for',
    file: 'server/src/platform/db/statements.ts',
    from: 'beginning: 5_000',
    to: 'beginning: 25_000',
    test: 'server/test/faults/silence.test.ts',
  },
  {
    what: 'a connection that fell silent is used again',
    file: 'server/src/platform/db/kysely-pool.ts',
    from: 'client.release(isLost)',
    to: 'client.release(false)',
    test: 'server/test/faults/silence.test.ts',
  },
  {
    what: 'everybody’s word for their address is taken',
    file: 'server/src/platform/http/server.ts',
    from: 'trustProxy: config.TRUSTED_PROXIES ?? false',
    to: 'trustProxy: true',
    test: 'server/src/platform/http/logging.api.test.ts',
  },
  {
    what: 'TLS is demanded from what came without it',
    file: 'server/src/platform/http/server.ts',
    from: "if (protocol === 'https') raw",
    to: 'if (protocol.length > 0) raw',
    test: 'server/src/platform/http/http.api.test.ts',
  },
  {
    what: 'TLS is never demanded',
    file: 'server/src/platform/http/server.ts',
    from: "if (protocol === 'https') raw",
    to: 'if (protocol.length < 0) raw',
    test: 'server/src/platform/http/http.api.test.ts',
  },
  {
    what: 'queries of addresses are logged',
    file: 'server/src/platform/http/logging.ts',
    from: "const withoutQuery = (url: string) => url.split('?', 1)[0] ?? ''",
    to: 'const withoutQuery = (url: string) => url',
    test: 'server/src/platform/http/logging.api.test.ts',
  },
  {
    what: 'webhooks reach the own network',
    file: 'server/src/webhooks/addresses.ts',
    from: 'return !notPublic4.check(address, ',
    to: 'return address.length > 0 || !notPublic4.check(address, ',
    test: 'server/src/webhooks/addresses.test.ts',
  },
  {
    what: 'sessions of any type are taken',
    file: 'server/src/accounts/tokens.ts',
    from: ", typ: 'at+jwt', requiredClaims",
    to: ', requiredClaims',
    test: 'server/src/accounts/tokens.test.ts',
  },
  {
    what: 'labels are added past the month’s allowance',
    file: 'server/src/labels/queries.ts',
    from: "    .where((eb) => eb(eb('used', '+', charge.labels), '<=', charge.limit ?? 2_147_483_647))\n",
    to: '',
    test: 'server/test/limits.test.ts',
  },
]
