import {
  takesIdempotencyKey,
  type Endpoint,
  type EndpointInput,
  type EndpointReply,
} from '@inventory-manager/contract/endpoint'
import { scopeOf } from '@inventory-manager/contract/scope-of'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Database, Tx } from '../db/database.ts'
import { AppError } from './app-error.ts'
import { idempotencyKeyOf, once, requestHash } from './idempotency.ts'
import {
  requireAdmin,
  requireStanding,
  type Actor,
  type Claims,
  type Identity,
  type Reader,
} from './identity.ts'
import {
  createKeptReplies,
  preferredEncoding,
  type Encoding,
  type KeptList,
  type KeptReply,
  type Trail,
} from './kept-replies.ts'
import type { ListText } from './list-text.ts'
import type { Notices } from '../realtime/notices.ts'
import { networkOf } from './network.ts'
import { present, presentKept, presentShaped, sendJson, sendKept, shaped } from './replies.ts'
import { sentAtOf } from './sent-at.ts'
import { parseInput } from './validation.ts'

type JsonEndpoint = Endpoint & { reply: { json: z.ZodType } }
type PublicEndpoint = JsonEndpoint & { access: 'public' }
type MemberEndpoint = JsonEndpoint & { access: 'member' | 'admin' }
type SignedInEndpoint = Endpoint & { access: 'member' | 'admin' }

/** What a handler may give: the reply's own shape, literals kept. */
type Immutable<T> = T extends readonly (infer U)[]
  ? readonly Immutable<U>[]
  : T extends object
    ? { readonly [K in keyof T]: Immutable<T[K]> }
    : T

/** Where a request came from, for throttling and records. */
export type Caller = {
  /** As limits take it: of IPv6 the network. */
  address: string
  userAgent: string
}

type PublicCall<E extends Endpoint> = EndpointInput<E> & { caller: Caller; key: string | null }
type MemberCall<E extends Endpoint> = EndpointInput<E> & { tx: Tx; actor: Actor }
/** Who asks is found out while the handler reads, and only then is anything sent. */
type ReaderCall<E extends Endpoint> = EndpointInput<E> & { tx: Tx; asking: Promise<Actor> }
/** What a list is written from. */
type Listing = { tx: Tx; reader: Reader; kept: KeptList | null }
type ListCall<E extends Endpoint> = EndpointInput<E> & Listing
/** Claims are given only where the handler's single statement checks who they are of. */
type ClaimsCall<E extends Endpoint> = EndpointInput<E> & { claims: Claims; key: string | null }
type BeginningCall<E extends Endpoint> = MemberCall<E> & { key: string | null }
type FinishingCall<E extends Endpoint, T> = EndpointInput<E> & {
  /** Who asked, as the transaction that began knew it, and what that gave. */
  actor: Actor
  begun: T
  /** One more transaction, or read, for which is checked again who asks: who may not have it by then gets nothing. */
  enter: <R>(work: (tx: Tx, actor: Actor) => Promise<R>) => Promise<R>
  readOn: <R>(work: (tx: Tx) => Promise<R>) => Promise<R>
  key: string | null
  caller: Caller
  request: FastifyRequest
  reply: FastifyReply
}

export type Binder = {
  /** For calls without sign-in. */
  open<E extends PublicEndpoint, const R extends Immutable<EndpointReply<E>>>(
    endpoint: E,
    handler: (call: PublicCall<E>) => Promise<R>,
  ): void
  /** For calls of signed-in users: one transaction, the role checked, and once for a key where it writes. */
  member<E extends MemberEndpoint, const R extends Immutable<EndpointReply<E>>>(
    endpoint: E,
    handler: (call: MemberCall<E>) => Promise<R>,
  ): void
  /** As member, for lists and charts, which may be read from a replica. */
  reader<E extends MemberEndpoint & { effect: 'read' }, const R extends Immutable<EndpointReply<E>>>(
    endpoint: E,
    handler: (call: ReaderCall<E>) => Promise<R>,
  ): void
  /**
   * As reader, for what is long: the handler gives the reply as JSON text, written by the database from the company's rows
   * for any such reader. It is kept while nothing changes there, so that the handler may be asked for somebody else before;
   * where no more than some components have changed since, it is given what it gave, to write only theirs anew.
   */
  list<E extends MemberEndpoint & { effect: 'read' }>(
    endpoint: E,
    handler: (call: ListCall<E>) => Promise<ListText>,
  ): void
  /** For what is asked most: the handler's single statement checks the session itself, and writes the reply as JSON text. */
  oneStatement<E extends MemberEndpoint & { effect: 'read'; access: 'member' }>(
    endpoint: E,
    handler: (call: EndpointInput<E> & { claims: Claims }) => Promise<string>,
  ): void
  /** As oneStatement, for a write whose reply the handler words. */
  oneWritingStatement<E extends MemberEndpoint & { effect: 'write'; access: 'member' }>(
    endpoint: E,
    handler: (call: ClaimsCall<E> & { sentAt: Date | null }) => Promise<unknown>,
  ): void
  /**
   * For the few that need other than one plain transaction: files, streams, secrets, and what waits for somebody else. They
   * begin in a transaction with the same checks as member's; what is left is done after it, and sends the reply.
   */
  ownTransaction<E extends SignedInEndpoint, T>(
    endpoint: E,
    begin: (call: BeginningCall<E>) => Promise<T>,
    finish: (call: FinishingCall<E, T>) => Promise<unknown>,
  ): void
}

/** For ownTransaction, where nothing is left to do in its first transaction but to check who asks. */
export const onlyCheck = (): Promise<null> => Promise.resolve(null)

/** '/api/weekly-counts/{id}' as Fastify writes it. */
function routePath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1')
}

function keyOf(endpoint: Endpoint, request: FastifyRequest): string | null {
  return takesIdempotencyKey(endpoint) ? idempotencyKeyOf(request) : null
}

/** To be called before anything is waited for: of who has left, no address is known any more. */
function caller(request: FastifyRequest): Caller {
  return { address: networkOf(request.ip), userAgent: (request.headers['user-agent'] ?? '').slice(0, 300) }
}

function readerOf({ tenantId, role, plan, timeZone, weekday, today }: Actor): Reader {
  return { tenantId, role, plan, timeZone, weekday, today }
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

type Parts = {
  app: FastifyInstance
  database: Database
  identity: Identity
  notices: Notices
  trail: Trail
}

type Route = (endpoint: Endpoint, handler: RouteHandler) => void
type RouteHandler = (request: FastifyRequest, reply: FastifyReply, claims: Claims) => Promise<unknown>

/** Registers routes that check who asks before the body is read: nobody signed out makes the server parse one. */
function createRouter(parts: Parts): { open: Route; signedIn: Route } {
  const { app, identity, notices } = parts
  const { entering } = createEntrance(parts)
  const verified = new WeakMap<FastifyRequest, Claims>()

  function options(endpoint: Endpoint) {
    return {
      method: endpoint.method,
      url: routePath(endpoint.path),
      ...(endpoint.maxBodyBytes === undefined ? {} : { bodyLimit: endpoint.maxBodyBytes }),
      // A stream without a body would never end, and a file made for nobody is work for nothing.
      exposeHeadRoute: !('events' in endpoint.reply) && !('files' in endpoint.reply),
    }
  }

  /** Records who was refused, because of role or scope. */
  async function refused(endpoint: Endpoint, claims: Claims): Promise<void> {
    await identity.recordRefusal(claims, `${endpoint.method} ${endpoint.path}`)
  }

  /** Who may not make a call is told that, whatever is wrong with what they sent. */
  async function refusalOf(endpoint: Endpoint, claims: Claims, error: unknown): Promise<unknown> {
    if (!(error instanceof AppError) || error.code !== 'invalid_request') return error
    const check = entering(endpoint, claims)
    return await check(onlyCheck).then(
      () => error,
      (refusal: unknown) => refusal,
    )
  }

  return {
    open(endpoint, handler) {
      const nobody = { tenantId: '', userId: '', sessionId: '' }
      app.route({ ...options(endpoint), handler: (request, reply) => handler(request, reply, nobody) })
    },
    signedIn(endpoint, handler) {
      app.route({
        ...options(endpoint),
        onRequest: async (request) => {
          const claims = await identity.claimsOf(request.headers.authorization)
          const refusal = refusalOfKey(endpoint, claims)
          if (refusal !== null) {
            await refused(endpoint, claims)
            throw refusal
          }
          verified.set(request, claims)
        },
        async handler(request, reply) {
          const claims = verified.get(request)
          if (claims === undefined) throw new AppError('unauthorized')
          try {
            const result = await handler(request, reply, claims)
            if (endpoint.effect === 'write') notices.changed(claims.tenantId)
            return result
          } catch (given) {
            const error = await refusalOf(endpoint, claims, given)
            if (error instanceof AppError && error.isNews) notices.changed(claims.tenantId)
            if (error instanceof AppError && error.code === 'forbidden') await refused(endpoint, claims)
            throw error
          }
        },
      })
    },
  }
}

/** Transactions for those who may call an endpoint; reads as `Database.reading` does. */
function createEntrance({ identity, database }: Parts) {
  async function allowedActor(endpoint: Endpoint, tx: Tx, claims: Claims): Promise<Actor> {
    const actor = await identity.actorOf(tx, claims)
    if (endpoint.access === 'admin') requireAdmin(actor)
    // What a company may do only with a running plan says so among its errors.
    if (endpoint.errors.includes('trial_expired')) requireStanding(actor)
    return actor
  }

  return {
    allowedActor,
    entering:
      (endpoint: Endpoint, claims: Claims) =>
      <T>(work: (tx: Tx, actor: Actor) => Promise<T>) =>
        database.inTenant(claims.tenantId, async (tx) => work(tx, await allowedActor(endpoint, tx, claims))),
    reading: <T>(endpoint: Endpoint, claims: Claims, read: (tx: Tx, asking: Promise<Actor>) => Promise<T>) =>
      database.reading(claims.tenantId, (tx) => allowedActor(endpoint, tx, claims), read),
  }
}

type Listed = { endpoint: Endpoint; claims: Claims; input: unknown; encoding: Encoding }

/** Lists as they were sent before, or written by somebody's transaction now (docs/decisions/020-lists-are-kept.md). */
function createListing(parts: Parts) {
  const { reading } = createEntrance(parts)
  const replies = createKeptReplies()

  return async (
    { endpoint, claims, input, encoding }: Listed,
    write: (listing: Listing) => Promise<ListText>,
  ): Promise<KeptReply> => {
    const { reader, state } = await reading(endpoint, claims, async (tx, asking) => {
      const [actor, known] = await Promise.all([asking, parts.trail.stateOf(tx)])
      return { reader: readerOf(actor), state: known }
    })
    const about = JSON.stringify([endpoint.path, reader, input])
    return await replies({ tenantId: claims.tenantId, about, state, encoding }, async (before) => {
      // Who asks was found to be allowed to a moment ago.
      const authorise = () => Promise.resolve()
      return await parts.database.reading(claims.tenantId, authorise, async (tx) => {
        const { mark, changed } = await parts.trail.since(tx, before?.mark ?? null)
        const kept = before === null || changed === null ? null : { list: before.list, changed }
        const list = kept?.changed.length === 0 ? kept.list : await write({ tx, reader, kept })
        return { mark, list }
      })
    })
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

/** Binds endpoints of the contract to handlers: authenticate, validate, transaction, authorise, act, present. */
export function createBinder(parts: Parts): Binder {
  const { database } = parts
  const { allowedActor, entering, reading } = createEntrance(parts)
  const route = createRouter(parts)
  const keptReply = createListing(parts)

  return {
    ...createStatements(route.signedIn),

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
        const inTransaction = endpoint.effect === 'write' ? database.inTenant : database.readInTenant
        const { value, send } = await inTransaction(claims.tenantId, async (tx) => {
          const actor = await allowedActor(endpoint, tx, claims)
          const work = () => handler({ ...input, tx, actor })
          if (key === null) return { value: await work(), send: present }
          const hash = requestHash(`${endpoint.method} ${endpoint.path}`, input)
          const done = await once({ tx, actor }, { key, hash }, async () => shaped(endpoint, await work()))
          return { value: done.reply, send: done.isKept ? presentKept : presentShaped }
        })
        return send(endpoint, reply, value)
      })
    },

    reader(endpoint, handler) {
      route.signedIn(endpoint, async (request, reply, claims) => {
        const input = parseInput(endpoint, request)
        const value = await reading(endpoint, claims, (tx, asking) => handler({ ...input, tx, asking }))
        return present(endpoint, reply, value)
      })
    },

    list(endpoint, handler) {
      route.signedIn(endpoint, async (request, reply, claims) => {
        const input = parseInput(endpoint, request)
        const encoding = preferredEncoding(request.headers['accept-encoding'])
        const write = (listing: Listing) => handler({ ...input, ...listing })
        return sendKept(endpoint, reply, await keptReply({ endpoint, claims, input, encoding }, write))
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
        const readOn = <R>(work: (tx: Tx) => Promise<R>) => reading(endpoint, claims, work)
        const value = await finish({ ...input, ...first, ...own, readOn, request, reply })
        return 'json' in endpoint.reply ? present(endpoint, reply, value) : value
      })
    },
  }
}
