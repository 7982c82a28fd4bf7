import { allEndpoints } from '@inventory-manager/contract/all-endpoints'
import { health, live, ready } from '@inventory-manager/contract/overview/endpoints'
import type { FastifyInstance } from 'fastify'
import { accuracyRoutes } from './accuracy/routes.ts'
import { accountRoutes } from './accounts/routes.ts'
import { createIdentity } from './accounts/identity.ts'
import { createTokens } from './accounts/tokens.ts'
import { analyticsRoutes } from './analytics/routes.ts'
import { archiveRoutes } from './archive/routes.ts'
import { apiKeyRoutes } from './api-keys/routes.ts'
import { claimsOfKey } from './api-keys/service.ts'
import { keepSealing } from './audit/chain.ts'
import { changes } from './audit/changes.ts'
import { auditRoutes } from './audit/routes.ts'
import type { Billing } from './company/billing.ts'
import { keepAskingForOverdue } from './company/overdue-subscriptions.ts'
import { planRoutes } from './company/plan-routes.ts'
import { settingsRoutes } from './company/settings-routes.ts'
import { createBilling } from './company/stripe.ts'
import { stripeWebhook } from './company/stripe-webhook.ts'
import { createCountQueue } from './counting/count-queue.ts'
import { recordCounts } from './counting/queries.ts'
import { createArePacks } from './counting/pack-scans.ts'
import { createRefusedScans } from './counting/refused-scans.ts'
import { countingRoutes } from './counting/routes.ts'
import { keepAskingForSpotCounts } from './counting/spot/spot-schedule-asking.ts'
import { sheetRoutes } from './counting/sheet/sheet-routes.ts'
import { discrepancyRoutes } from './discrepancies/routes.ts'
import { eventRoutes } from './events/routes.ts'
import { exportRoutes } from './exports/routes.ts'
import { forgettable } from './forgettable.ts'
import { importRoutes } from './imports/routes.ts'
import { labelRoutes } from './labels/routes.ts'
import { overviewRoutes } from './overview/routes.ts'
import type { Background } from './platform/background.ts'
import type { Config } from './platform/config.ts'
import type { Database } from './platform/db/database.ts'
import type { Notices } from './platform/realtime/notices.ts'
import { createMetrics, type Metrics } from './platform/metrics/metrics.ts'
import { AppError } from './platform/http/app-error.ts'
import { createBinder } from './platform/http/binder.ts'
import type { Binder } from './platform/http/binder-types.ts'
import { docsPage, docsStyle } from './platform/http/docs-page.ts'
import { describeApi } from './platform/http/openapi.ts'
import { logLeft, type LogSink } from './platform/http/logging.ts'
import { createServer } from './platform/http/server.ts'
import { createLater, type Later } from './platform/later.ts'
import { keepMakingQuarters } from './platform/history-quarters.ts'
import { keepPruning } from './platform/pruning.ts'
import { createMailer, type Mailer } from './platform/mail.ts'
import { createFonts } from './platform/pdf/fonts.ts'
import { serveWebFiles } from './platform/http/web-files.ts'
import { keepWatchingStock } from './stock/low-stock.ts'
import { keepMailingLowStock } from './stock/low-stock-mail.ts'
import { createLookup } from './stock/lookup.ts'
import { stockRoutes } from './stock/routes.ts'
import { keepDelivering } from './webhooks/delivering.ts'
import { webhookRoutes } from './webhooks/routes.ts'
import { unknownCodeRoutes } from './unknown-codes/routes.ts'

export type AppParts = {
  config: Config
  database: Database
  notices: Notices
  secret: string
  version: string
  fontFolder: string
  /** The built web application; absent while it is served by its own development server. */
  webFolder?: string
  /** Where log lines go; else to standard output. */
  logTo?: LogSink
}

/** The interface for machines and for people, made of the contract when somebody asks for it first. */
function describeInterface(app: FastifyInstance, version: string): void {
  let document: Promise<string> | undefined
  let page: Promise<string> | undefined
  app.get('/api/openapi.json', async (_, reply) => {
    document ??= describeApi(allEndpoints, version).then((all) => JSON.stringify(all))
    return await reply.type('application/json; charset=utf-8').send(await document)
  })
  app.get('/api/docs', async (_, reply) => {
    page ??= docsPage(allEndpoints, version)
    return await reply.type('text/html; charset=utf-8').send(await page)
  })
  app.get('/api/docs.css', (_, reply) => reply.type('text/css; charset=utf-8').send(docsStyle))
}

/** What goes on beside the requests, from when the application is ready until it closes. */
function workInBackground(
  app: FastifyInstance,
  {
    database,
    notices,
    mailer,
    billing,
    allowPrivate,
  }: {
    database: Database
    notices: Notices
    mailer: Mailer | null
    billing: Billing
    allowPrivate: boolean
  },
): void {
  const works: Background[] = []
  const { provider } = billing
  const failing = (what: string) => (error: unknown) => app.log.error({ err: error }, `${what} failed`)
  app.addHook('onReady', (done) => {
    const delivering = keepDelivering({ database, allowPrivate, onError: failing('sending webhooks') })
    works.push(
      keepSealing({ database, notices, onSealed: delivering.tell, onError: failing('sealing the trail') }),
      delivering,
      keepAskingForSpotCounts({ database, provider, onError: failing('asking for spot counts') }),
      keepWatchingStock({ database, notices, onError: failing('looking for low stock') }),
      keepPruning(database, forgettable, failing('forgetting old requests')),
      keepMakingQuarters(database, failing('making parts of the history')),
    )
    if (mailer !== null) {
      works.push(keepMailingLowStock({ database, mailer, onError: failing('mailing low stock') }))
    }
    if (billing.provider === 'stripe') {
      const { paying } = billing
      works.push(keepAskingForOverdue({ database, notices, paying, onError: failing('asking for payments') }))
    }
    done()
  })
  app.addHook('onClose', async () => {
    await Promise.all(works.map((work) => work.stop()))
  })
}

/** Work that a reply does not wait for, but closing does. */
function workLater(app: FastifyInstance): Later {
  const later = createLater((error) => app.log.error({ err: error }, 'work after a reply failed'))
  app.addHook('onClose', () => later.finish())
  return later
}

async function requireDatabase(database: Database): Promise<void> {
  try {
    await database.callFunction('select 1', [])
  } catch (cause) {
    throw new AppError('unavailable', { cause })
  }
}

/** Alive: the process answers. Ready: it can do its work, so that traffic may be sent to it. */
function healthRoutes(bind: Binder, { ping, version }: { ping: () => Promise<unknown>; version: string }) {
  const uptime = () => Math.round(process.uptime())
  bind.open(live, () => Promise.resolve({ status: 'ok', uptime_s: uptime() }))
  bind.open(ready, async () => {
    await ping()
    return { status: 'ready' }
  })
  bind.open(health, async () => {
    await ping()
    return { status: 'ok', version, database: 'ok', uptime_s: uptime() }
  })
}

/** What is made as PDF, with the same opened fonts. */
function printedRoutes(bind: Binder, { database, notices, fontFolder }: AppParts): void {
  const fonts = createFonts(fontFolder)
  labelRoutes(bind, { database, notices, fonts })
  accuracyRoutes(bind, { database, fonts })
  sheetRoutes(bind, { fonts })
}

/** What happens in a company, told to whoever follows it until the application closes. */
function newsRoutes(
  bind: Binder,
  app: FastifyInstance,
  { database, notices }: AppParts,
): { openStreams: () => number } {
  return eventRoutes(bind, {
    database,
    notices,
    onError: (error) => app.log.error({ err: error }, 'looking for news failed'),
    onClosing: (action) => {
      app.addHook('preClose', (done) => {
        action()
        done()
      })
    },
  })
}

/** Builds the HTTP application from the capabilities; the caller listens and closes. */
export async function createApp(parts: AppParts): Promise<{ app: FastifyInstance; metrics: Metrics }> {
  const { config, database, notices, secret } = parts
  const app = await createServer(config, parts.logTo)
  const metrics = createMetrics(parts.version)
  const ping = () => requireDatabase(database)
  metrics.watch(app, logLeft)
  const tokens = createTokens(secret)
  const callsPerMinute = config.API_CALLS_PER_MINUTE
  const billing = createBilling(config)
  const later = workLater(app)
  const identity = createIdentity({
    database,
    claimsOf: async (header) =>
      (await claimsOfKey({ database, callsPerMinute }, header)) ?? (await tokens.verify(header)),
    provider: billing.provider,
    later,
  })
  const bind = createBinder({ app, database, identity, notices, trail: changes })

  healthRoutes(bind, { ping, version: parts.version })
  describeInterface(app, parts.version)
  const mailer = createMailer(config)
  accountRoutes(bind, {
    database,
    notices,
    tokens,
    limits: config,
    mailer,
    later,
    publicUrl: config.PUBLIC_URL,
  })
  planRoutes(bind, { database, billing })
  settingsRoutes(bind)
  if (billing.provider === 'stripe') {
    await stripeWebhook({ app, database, notices, paying: billing.paying })
  }
  overviewRoutes(bind, billing.provider)
  stockRoutes(bind, createLookup(database))
  countingRoutes(bind, {
    recordInTurn: createCountQueue((counts) => recordCounts(database, billing.provider, counts)),
    recordRefused: createRefusedScans(database, identity),
    arePacks: createArePacks(database, identity),
    onScan: metrics.scanned,
  })
  printedRoutes(bind, parts)
  importRoutes(bind)
  exportRoutes(bind)
  archiveRoutes(bind, { database, version: parts.version })
  auditRoutes(bind, database)
  const { openStreams } = newsRoutes(bind, app, parts)
  metrics.connect({ pool: database.poolUse, streams: openStreams, ping })
  discrepancyRoutes(bind)
  unknownCodeRoutes(bind)
  analyticsRoutes(bind)
  apiKeyRoutes(bind, callsPerMinute)
  const allowPrivate = config.WEBHOOKS_ALLOW_PRIVATE === 'on'
  webhookRoutes(bind, allowPrivate)
  workInBackground(app, { database, notices, mailer, billing, allowPrivate })

  if (parts.webFolder !== undefined) await serveWebFiles(app, parts.webFolder)
  return { app, metrics }
}
