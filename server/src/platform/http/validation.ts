import type { Endpoint, EndpointInput } from '@inventory-manager/contract/endpoint'
import { z } from 'zod'
import { AppError, type ErrorDetail } from './app-error.ts'

const typeSentences: Record<string, string> = {
  string: 'must be text.',
  int: 'must be a whole number.',
  number: 'must be a number.',
  boolean: 'must be true or false.',
  array: 'must be a list.',
  object: 'must be an object.',
  record: 'must be an object.',
}

function sizeSentence(issue: { origin: string; bound: number | bigint; least: boolean }): string {
  const amount = `${issue.least ? 'at least' : 'at most'} ${issue.bound.toLocaleString('en-US')}`
  if (issue.origin === 'string' && issue.least && issue.bound === 1) return 'must not be empty.'
  if (issue.origin === 'string') return `must have ${amount} characters.`
  if (issue.origin === 'array') return `must have ${amount} entries.`
  return `must be ${amount}.`
}

/** The project's own words for what a schema without a message of its own refuses. Input is never repeated. */
function ownSentence(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'is missing.'
      return typeSentences[issue.expected] ?? 'has the wrong type.'
    case 'too_small':
      return sizeSentence({ origin: issue.origin, bound: issue.minimum, least: true })
    case 'too_big':
      return sizeSentence({ origin: issue.origin, bound: issue.maximum, least: false })
    case 'invalid_value':
      return `must be one of: ${issue.values.map(String).join(', ')}.`
    default:
      return 'is not valid.'
  }
}

z.config({ customError: ownSentence })

function detail(issue: z.core.$ZodIssue): ErrorDetail {
  return { path: issue.path.map(String).join('.'), message: issue.message }
}

/** A generic message ('must be …') needs its field before it; a whole sentence of the contract stands alone. */
function sentenceOf(issue: z.core.$ZodIssue): string {
  if (!/^[a-z]/.test(issue.message)) return issue.message
  const [first, second] = issue.path
  if (typeof first === 'number') return `Row ${first + 1}: ${String(second ?? 'it')} ${issue.message}`
  return `${String(first ?? 'The body')} ${issue.message}`
}

const maxDetails = 100

/** Checks one part of a request against its schema; throws 400 with every fault (the first hundred). */
function parsePart(schema: z.ZodType, value: unknown): unknown {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const [first] = result.error.issues
  throw new AppError('invalid_request', {
    ...(first === undefined ? {} : { sentence: sentenceOf(first) }),
    details: result.error.issues.slice(0, maxDetails).map(detail),
  })
}

type RawRequest = { params: unknown; query: unknown; body: unknown }

/** The request's parts as the endpoint declares them; throws AppError 'invalid_request'. */
export function parseInput<E extends Endpoint>(endpoint: E, request: RawRequest): EndpointInput<E> {
  const parsed: unknown = {
    params: endpoint.params && parsePart(endpoint.params, request.params),
    query: endpoint.query && parsePart(endpoint.query, request.query),
    body: endpoint.body && parsePart(endpoint.body, request.body),
  }
  // The parts were parsed by the very schemas the type is inferred from, which the compiler cannot follow.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return parsed as EndpointInput<E>
}
