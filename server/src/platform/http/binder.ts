import { takesIdempotencyKey, usualBodyBytes, type Endpoint } from '@inventory-manager/contract/endpoint'
import { scopeOf } from '@inventory-manager/contract/scope-of'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '../db/database.ts'
import type { Notices } from '../realtime/notices.ts'
import { AppError } from './app-error.ts'
import type { Binder, Caller, Listing, ReadOn } from './binder-types.ts'
import { createEntrance, onlyCheck, type Entrance } from './entrance.ts'
import { idempotencyKeyOf, once, requestHash } from './idempotency.ts'
import type { Claims, Identity } from './identity.ts'
import { preferredEncoding, type Trail } from './kept-replies.ts'
import { createListing } from './listing.ts'
import { createLongCalls } from './long-calls.ts'
import { networkOf } from './network.ts'
import { bytesToSend, present, presentKept, presentShaped, sendJson, sendKept, shaped } from './replies.ts'
import { createRefusals } from './refusals.ts'
import { createMemory, type Memory } from './memory.ts'
import { sentAtOf } from './sent-at.ts'
import { parseInput } from './validation.ts'

/** '/api/weekly-counts/{id}' as Fastify writes it. */
function routePath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1')
}

function keyOf(endpoint: Endpoint, request: FastifyRequest): string | null {
  return takesIdempotencyKey(endpoint) ? idempotencyKeyOf(request) : null
}

/** Call before the first await: once the client has disconnected, its address is no longer known. */
function caller(request: FastifyRequest): Caller {
  return { address: networkOf(request.ip), userAgent: (request.headers['user-agent'] ?? '').slice(0, 300) }
}

/** Why an API key may not make this call; null where it may, or where a person asks. */
function refusalOfKey(endpoint: Endpoint, { keyScopes }: Claims): AppError | null {
  if (keyScopes === undefined) return null
  const scope = scopeOf(endpoint)
  if (scope === null || (scope !== 'people' && keyScopes.includes(scope))) return null
  if (scope === 'people') return new AppError('people_only')
  return new AppError('scope_missing', {
    sentence: `This API key is not allowed to do this: it needs the scope ${scope}.`,
  })
}

/** The longest body a call may have. */
const mostOf = ({ maxBodyBytes }: Endpoint): number => maxBodyBytes ?? usualBodyBytes

type Parts = {
  app: FastifyInstance
  database: Database
  identity: Identity
  notices: Notices
  trail: Trail
}

function routeOptions(endpoint: Endpoint) {
  return {
    method: endpoint.method,
    url: routePath(endpoint.path),
    bodyLimit: mostOf(endpoint),
    // A stream without a body would never end, and a file made for nobody is work for nothing.
    exposeHeadRoute: !('events' in endpoint.reply) && !('files' in endpoint.reply),
  }
}

type Answering = { reply: FastifyReply; work: () => Promise<unknown> }
type Route = (endpoint: Endpoint, handler: RouteHandler) => void
type RouteHandler = (request: FastifyRequest, reply: FastifyReply, claims: Claims) => Promise<unknown>

/** Registers routes that check who asks before the body is read: nobody signed out makes the server parse one. */
function createRouter(
  parts: Parts,
  { entering }: Entrance,
  memory: Memory,
): { open: Route; signedIn: Route } {
  const { app, identity, notices } = parts
  const { noteRefusal, refusalOf } = createRefusals(parts, entering)
  const inLongTurn = createLongCalls(parts)
  const verified = new WeakMap<FastifyRequest, Claims>()

  /** What takes minutes waits for its turn once it is known that it may be asked for. */
  async function answer(endpoint: Endpoint, claims: Claims, { reply, work }: Answering): Promise<unknown> {
    if (endpoint.takesMinutes !== true) return await work()
    await entering(endpoint, claims)(onlyCheck)
    return await inLongTurn(claims.tenantId, reply, work)
  }

  return {
    open(endpoint, handler) {
      const nobody = { tenantId: '', userId: '', sessionId: '' }
      app.route({
        ...routeOptions(endpoint),
        onRequest: async (request, reply) =>
          memory.forBodyOfVisitor(networkOf(request.ip), reply, mostOf(endpoint)),
        handler: (request, reply) => handler(request, reply, nobody),
      })
    },
    signedIn(endpoint, handler) {
      app.route({
        ...routeOptions(endpoint),
        onRequest: async (request, reply) => {
          const claims = await identity.claimsOf(request.headers.authorization)
          const refusal = refusalOfKey(endpoint, claims)
          if (refusal !== null) {
            await noteRefusal(endpoint, claims, refusal)
            throw refusal
          }
          memory.forBody(claims.tenantId, reply, mostOf(endpoint))
          verified.set(request, claims)
        },
        async handler(request, reply) {
          const claims = verified.get(request)
          if (claims === undefined) throw new AppError('unauthorized')
          try {
            const work = () => handler(request, reply, claims)
            const result = await answer(endpoint, claims, { reply, work })
            if (endpoint.effect === 'write') notices.changed(claims.tenantId)
            return result
          } catch (given) {
            const error = await refusalOf(endpoint, claims, given)
            if (error instanceof AppError && error.isNews) notices.changed(claims.tenantId)
            await noteRefusal(endpoint, claims, error)
            throw error
          }
        },
      })
    },
  }
}

/** For handlers whose single statement checks who asks. */
function createStatements(signedIn: Route): Pick<Binder, 'oneStatement' | 'oneWritingStatement'> {
  return {
    oneStatement(endpoint, handler) {
      signedIn(endpoint, async (request, reply, claims) => {
        return sendJson(endpoint, reply, await handler({ ...parseInput(endpoint, request), claims }))
      })
    },

    oneWritingStatement(endpoint, handler) {
      signedIn(endpoint, async (request, reply, claims) => {
        const input = parseInput(endpoint, request)
        const sent = { key: keyOf(endpoint, request), sentAt: sentAtOf(request) }
        return present(endpoint, reply, await handler({ ...input, ...sent, claims }))
      })
    },
  }
}

/** For handlers that read while it is found out who asks. */
function createReads(signedIn: Route, { reading }: Entrance): Pick<Binder, 'reader' | 'written'> {
  return {
    reader(endpoint, handler) {
      signedIn(endpoint, async (request, reply, claims) => {
        const input = parseInput(endpoint, request)
        const value = await reading(endpoint, claims, (tx, asking) => handler({ ...input, tx, asking }))
        return present(endpoint, reply, value)
      })
    },

    written(endpoint, handler) {
      signedIn(endpoint, async (request, reply, claims) => {
        const input = parseInput(endpoint, request)
        const text = await reading(endpoint, claims, (tx, asking) => handler({ ...input, tx, asking }))
        return sendJson(endpoint, reply, text)
      })
    },
  }
}

/** Binds endpoints of the contract to handlers: authenticate, validate, transaction, authorise, act, present. */
export function createBinder(parts: Parts): Binder {
  const entrance = createEntrance(parts)
  const { inTransaction, entering, reading } = entrance
  const memory = createMemory()
  const route = createRouter(parts, entrance, memory)
  const keptReply = createListing({ ...parts, reading })

  return {
    ...createStatements(route.signedIn),
    ...createReads(route.signedIn, entrance),

    open(endpoint, handler) {
      route.open(endpoint, async (request, reply) => {
        const input = { ...parseInput(endpoint, request), key: keyOf(endpoint, request) }
        return present(endpoint, reply, await handler({ ...input, caller: caller(request) }))
      })
    },

    member(endpoint, handler) {
      route.signedIn(endpoint, async (request, reply, claims) => {
        const input = parseInput(endpoint, request)
        const key = keyOf(endpoint, request)
        const { value, send } = await inTransaction(endpoint, claims, async (tx, actor) => {
          const work = () => handler({ ...input, tx, actor })
          if (key === null) return { value: await work(), send: present }
          const hash = requestHash(`${endpoint.method} ${endpoint.path}`, input)
          const done = await once({ tx, actor }, { key, hash }, async () => shaped(endpoint, await work()))
          return { value: done.reply, send: done.isKept ? presentKept : presentShaped }
        })
        return send(endpoint, reply, value)
      })
    },

    list(endpoint, handler) {
      route.signedIn(endpoint, async (request, reply, claims) => {
        const input = parseInput(endpoint, request)
        const encoding = preferredEncoding(request.headers['accept-encoding'])
        const write = (listing: Listing) => handler({ ...input, ...listing })
        const kept = await keptReply({ endpoint, claims, input, encoding }, write)
        memory.forReply(claims.tenantId, reply, bytesToSend(endpoint, request, kept))
        return sendKept(endpoint, reply, kept)
      })
    },

    ownTransaction(endpoint, begin, finish) {
      route.signedIn(endpoint, async (request, reply, claims) => {
        const own = { caller: caller(request), enter: entering(endpoint, claims) }
        const input = { ...parseInput(endpoint, request), key: keyOf(endpoint, request) }
        const first = await own.enter(async (tx, actor) => ({
          actor,
          begun: await begin({ ...input, tx, actor }),
        }))
        const readOn: ReadOn = (work) => reading(endpoint, claims, work)
        const value = await finish({ ...input, ...first, ...own, readOn, request, reply })
        return 'json' in endpoint.reply ? present(endpoint, reply, value) : value
      })
    },
  }
}
