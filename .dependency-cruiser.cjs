// Import rules (ARCHITECTURE.md has the map). A folder not named here is a product capability and is protected by default.
const serverCapability = '^server/src/(?!(?:platform|commands)/)([^/]+)/'
const webCapability = '^web/src/(?!(?:app|api|session|outbox|scanning|ui|lib)/)([^/]+)/'
const testFile = '[.](test|spec)[.]tsx?$|^(server/test|e2e|bench)/'

const rule = (name, from, to) => ({ name, severity: 'error', from, to })

module.exports = {
  forbidden: [
    rule('no-cycles', {}, { circular: true }),
    // Except what a bench's peer installs for itself, and what only Vite resolves.
    rule('no-unresolved', { pathNot: '^bench/peers/' }, { couldNotResolve: true, pathNot: '[?]url$' }),
    rule('contract-stands-alone', { path: '^contract/' }, { path: '^(server|web|e2e|bench)/' }),
    rule(
      'web-and-server-meet-only-in-contract',
      { path: '^(web|server)/' },
      { path: '^(web|server)/', pathNot: '^$1/' },
    ),
    rule('nothing-imports-tests', { pathNot: testFile }, { path: testFile }),
    rule(
      'no-junk-drawers',
      {},
      { path: '/(util|utils|helper|helpers|common|misc)(/|[.]ts)', pathNot: 'node_modules' },
    ),

    rule('platform-knows-no-capability', { path: '^server/src/platform/' }, { path: serverCapability }),
    rule(
      'audit-is-the-floor',
      { path: '^server/src/audit/', pathNot: testFile },
      { path: serverCapability, pathNot: '^server/src/audit/' },
    ),
    rule(
      'accounts-use-audit-only',
      { path: '^server/src/accounts/', pathNot: testFile },
      { path: serverCapability, pathNot: '^server/src/(accounts|audit)/' },
    ),
    rule(
      'stock-uses-foundations-only',
      { path: '^server/src/stock/', pathNot: testFile },
      { path: serverCapability, pathNot: '^server/src/(stock|accounts|audit)/' },
    ),
    rule(
      'products-never-import-sideways',
      { path: '^server/src/(?!platform/|commands/|accounts/|audit/|stock/)([^/]+)/', pathNot: testFile },
      { path: serverCapability, pathNot: '^server/src/($1|stock|accounts|audit)/' },
    ),

    rule(
      'commands-compose',
      { path: '^server/src/', pathNot: '^server/src/(commands/|cli[.]ts$)' },
      { path: '^server/src/commands/' },
    ),

    rule(
      'web-capabilities-are-strangers',
      { path: webCapability },
      { path: webCapability, pathNot: '^web/src/$1/' },
    ),
    rule('nothing-imports-app', { path: '^web/src/(?!app/)' }, { path: '^web/src/app/' }),
    rule(
      'web-foundations-know-no-capability',
      { path: '^web/src/(api|session|outbox|scanning|ui|lib)/' },
      { path: webCapability },
    ),
    rule(
      'api-then-session-then-scanning-and-outbox',
      { path: '^web/src/api/' },
      { path: '^web/src/(session|outbox|scanning)/' },
    ),
    rule('session-knows-no-scanning', { path: '^web/src/session/' }, { path: '^web/src/(outbox|scanning)/' }),
    rule(
      'what-reads-and-what-sends-are-strangers',
      { path: '^web/src/(outbox|scanning)/' },
      { path: '^web/src/(outbox|scanning)/', pathNot: '^web/src/$1/' },
    ),
    // Numbers are written in one way, whoever writes them.
    rule(
      'ui-and-lib-are-pure',
      { path: '^web/src/(ui|lib)/' },
      { path: '^(web/src/(api|session|outbox|scanning)|contract)/', pathNot: '^contract/src/numbers[.]ts$' },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    // Without these no import of the contract, which has only `exports`, is followed, and no rule sees it.
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import'] },
  },
}
