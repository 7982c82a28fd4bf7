import type { Endpoint, EndpointInput } from '@inventory-manager/contract/endpoint'
import type { z } from '@inventory-manager/contract/zod'
import { AppError, type ErrorDetail } from './app-error.ts'

function detail(issue: z.core.$ZodIssue): ErrorDetail {
  return { path: issue.path.map(String).join('.'), message: issue.message }
}

/** A generic message ('must be …') needs its field before it; a whole sentence of the contract stands alone. */
function ofField({ message }: z.core.$ZodIssue, field: string): string {
  return /^[a-z]/.test(message) ? `${field} ${message}` : message
}

/** Each fault once: what breaks several rules that are said in the same words breaks one. */
function faultsOf(issues: z.core.$ZodIssue[]): ErrorDetail[] {
  const faults = issues.map(detail)
  return [...new Map(faults.map((fault) => [`${fault.path} ${fault.message}`, fault])).values()]
}

/** Of rows each bad one once, by its index, with all that is wrong with it; else each fault. */
function detailsOf(issues: z.core.$ZodIssue[]): ErrorDetail[] {
  const rows = new Map<number, Set<string>>()
  for (const issue of issues) {
    const [row, field] = issue.path
    if (typeof row !== 'number') return faultsOf(issues)
    rows.set(row, (rows.get(row) ?? new Set()).add(ofField(issue, String(field ?? 'it'))))
  }
  return [...rows].map(([row, messages]) => ({ path: String(row), message: [...messages].join(' ') }))
}

/** Where a row begins in a path: that of a body of rows, or of a field that has rows of several fields. */
function rowOf([first, second, third]: readonly PropertyKey[]) {
  if (typeof first === 'number') return { row: first, field: second ?? 'it' }
  return typeof second === 'number' && typeof third === 'string' ? { row: second, field: third } : null
}

function sentenceOf(issue: z.core.$ZodIssue): string {
  const place = rowOf(issue.path)
  if (place === null) return ofField(issue, String(issue.path[0] ?? 'The body'))
  return /^[a-z]/.test(issue.message)
    ? `Row ${place.row + 1}: ${ofField(issue, String(place.field))}`
    : issue.message
}

/** What is wrong with a row of a body: the sentence of its first fault, with the row's number, and all of them. */
export function faultOfRow(
  index: number,
  issues: readonly z.core.$ZodIssue[],
): { sentence: string; message: string } {
  const placed = issues.map((issue) => ({ ...issue, path: [index, ...issue.path] }))
  const [first] = placed
  const [{ message } = { message: '' }] = detailsOf(placed)
  return { sentence: first === undefined ? message : sentenceOf(first), message }
}

/** Checks one part of a request against its schema; throws 'invalid_request' with every fault (the first hundred). */
function parsePart(schema: z.ZodMiniType, value: unknown): unknown {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const [first] = result.error.issues
  throw new AppError('invalid_request', {
    ...(first === undefined ? {} : { sentence: sentenceOf(first) }),
    details: detailsOf(result.error.issues),
  })
}

type RawRequest = { params: unknown; query: unknown; body: unknown }

/** The request's parts as the endpoint declares them; throws 'invalid_request'. */
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
