import type { Endpoint, EndpointInput } from '@inventory-manager/contract/endpoint'
import type { z } from '@inventory-manager/contract/zod'
import { AppError, type ErrorDetail } from './app-error.ts'

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
