import { z } from './zod.ts'
import type { ErrorCode } from './errors.ts'
import type { Scope } from './scopes.ts'

/** Who may call: anybody, any signed-in user, or administrators of the company. */
type Access = 'public' | 'member' | 'admin'

/** Whether a call changes anything. Writes take an Idempotency-Key, unless they are keyless; reads have none. */
type Effect = 'read' | 'write'

export const mebibyte = 1024 * 1024
/** The longest body of a call that says nothing else of it. */
export const usualBodyBytes = 256 * 1024

export type Endpoint = {
  method: 'GET' | 'POST' | 'DELETE'
  path: `/${string}`
  access: Access
  effect: Effect
  /** A write that is meant anew each time it is sent, whatever key comes with it. */
  keyless?: true
  /** What an API key needs for this call, where that differs from what scopeOf derives; 'people': no key may. */
  scope?: Scope | 'people'
  summary: string
  /** What else a caller has to know, in whole sentences. */
  description?: string
  params?: z.ZodMiniObject
  query?: z.ZodMiniObject
  body?: z.ZodMiniType
  /** The longest body, where it carries a list. */
  maxBodyBytes?: number
  /** Whether it looks through a whole file: it may take minutes, and a company has one at a time. */
  takesMinutes?: true
  /** Whether the reply carries an ETag, so that an unchanged one is answered with 304. */
  revalidates?: true
  /** Whether the caller may say what its clock shows, as `Sent-At`: a time in the body is by that clock. */
  tellsTime?: true
  reply:
    | { status: 200 | 201; json: z.ZodMiniType }
    | { status: 200; pdf: true; zpl?: true }
    | { status: 200; image: true }
    | { status: 200; events: z.ZodMiniType }
    /** A download, of one of these media types. */
    | { status: 200; files: readonly string[] }
  /** What this call answers with besides the common errors. */
  errors: readonly ErrorCode[]
}

/** Whether a call is done once for an Idempotency-Key. */
export function takesIdempotencyKey({ effect, keyless }: Pick<Endpoint, 'effect' | 'keyless'>): boolean {
  return effect === 'write' && keyless !== true
}

/** Declares one call of the HTTP interface. It does not compile without its `access`. */
export function endpoint<const E extends Endpoint>(declaration: E): E {
  return declaration
}

type Parsed<S> = S extends z.ZodMiniType ? z.output<S> : undefined
type Given<S> = S extends z.ZodMiniType ? z.input<S> : undefined

/** What a handler receives: each part validated, or undefined where the endpoint has none. */
export type EndpointInput<E extends Endpoint> = {
  params: Parsed<E['params']>
  query: Parsed<E['query']>
  body: Parsed<E['body']>
}

type Present<T> = { [K in keyof T as T[K] extends undefined ? never : K]: T[K] }

/** What a client passes: only the parts the endpoint has. */
export type EndpointCall<E extends Endpoint> = Present<{
  params: Given<E['params']>
  query: Given<E['query']>
  body: Given<E['body']>
}>

export type EndpointReply<E extends Endpoint> = E['reply'] extends { json: infer S extends z.ZodMiniType }
  ? z.output<S>
  : never

/** The body of every error reply. */
export const errorReply = z.object({
  success: z.literal(false),
  error: z.string(),
  code: z.string(),
  details: z.optional(z.array(z.object({ path: z.string(), message: z.string() }))),
})
