import type { Endpoint, EndpointInput, EndpointReply } from '@inventory-manager/contract/endpoint'
import type { z } from '@inventory-manager/contract/zod'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Tx } from '../db/database.ts'
import type { Actor, Claims, Reader } from './identity.ts'
import type { KeptList } from './kept-replies.ts'
import type { ListText } from './list-text.ts'

type JsonEndpoint = Endpoint & { reply: { json: z.ZodMiniType } }
type PublicEndpoint = JsonEndpoint & { access: 'public' }
type MemberEndpoint = JsonEndpoint & { access: 'member' | 'admin' }
type SignedInEndpoint = Endpoint & { access: 'member' | 'admin' }
/** What takes minutes gets them from `member` and `reader` alone. */
type Short = { takesMinutes?: never }

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
export type Listing = { tx: Tx; reader: Reader; kept: KeptList | null }
type ListCall<E extends Endpoint> = EndpointInput<E> & Listing
/** Claims are given only where the handler's single statement checks who they are of. */
type ClaimsCall<E extends Endpoint> = EndpointInput<E> & { claims: Claims; key: string | null }
type BeginningCall<E extends Endpoint> = MemberCall<E> & { key: string | null }
/** One read of its own, given who asks as that is found out meanwhile. */
export type ReadOn = <R>(work: (tx: Tx, asking: Promise<Actor>) => Promise<R>) => Promise<R>

type FinishingCall<E extends Endpoint, T> = EndpointInput<E> & {
  /** Who asked, as the transaction that began knew it, and what that gave. */
  actor: Actor
  begun: T
  /** One more transaction, or read, for which is checked again who asks: who may not have it by then gets nothing. */
  enter: <R>(work: (tx: Tx, actor: Actor) => Promise<R>) => Promise<R>
  readOn: ReadOn
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
  list<E extends MemberEndpoint & Short & { effect: 'read' }>(
    endpoint: E,
    handler: (call: ListCall<E>) => Promise<ListText>,
  ): void
  /** As reader, for what may be long and is kept nowhere: the handler gives the reply as JSON text, written by the database. */
  written<E extends MemberEndpoint & Short & { effect: 'read' }>(
    endpoint: E,
    handler: (call: ReaderCall<E>) => Promise<string>,
  ): void
  /** For what is asked most: the handler's single statement checks the session itself, and writes the reply as JSON text. */
  oneStatement<E extends MemberEndpoint & Short & { effect: 'read'; access: 'member' }>(
    endpoint: E,
    handler: (call: EndpointInput<E> & { claims: Claims }) => Promise<string>,
  ): void
  /** As oneStatement, for a write whose reply the handler words. */
  oneWritingStatement<E extends MemberEndpoint & Short & { effect: 'write'; access: 'member' }>(
    endpoint: E,
    handler: (call: ClaimsCall<E> & { sentAt: Date | null }) => Promise<unknown>,
  ): void
  /**
   * For the few that need other than one plain transaction: files, streams, secrets, what waits for somebody else, and what reads more
   * than one moment. They begin in a transaction with the same checks as member's; what is left is done after it, and sends the reply.
   */
  ownTransaction<E extends SignedInEndpoint & Short, T>(
    endpoint: E,
    begin: (call: BeginningCall<E>) => Promise<T>,
    finish: (call: FinishingCall<E, T>) => Promise<unknown>,
  ): void
}
