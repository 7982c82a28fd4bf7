import { appendFileSync, mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { StatementMaker } from '../../src/platform/db/statements.ts'

/** A statement as it was sent, with each parameter's first equal one (0 is the first) and the functions that sent it. */
type Sent = { text: string; equals: number[]; by: string[] }

export const sentFolder = resolve(import.meta.dirname, '../../../.cache/statements')

/** Of the transaction itself. */
const control = /^(begin|commit|rollback|start transaction|set local|set transaction)/

/** The functions of the server on the way to here, as 'file:function'; unmapped, because mapping a stack takes long. */
function callers(): string[] {
  const limit = Error.stackTraceLimit
  const prepare = Object.getOwnPropertyDescriptor(Error, 'prepareStackTrace')
  const place: { stack?: unknown } = {}
  Error.stackTraceLimit = 40
  Error.prepareStackTrace = (_, sites) =>
    sites.map(
      (site) => `${site.getFileName()?.split('/server/src/')[1] ?? ''}:${site.getFunctionName() ?? ''}`,
    )
  Error.captureStackTrace(place)
  const { stack } = place
  Error.stackTraceLimit = limit
  if (prepare === undefined) Reflect.deleteProperty(Error, 'prepareStackTrace')
  else Object.defineProperty(Error, 'prepareStackTrace', prepare)
  const sites = Array.isArray(stack) ? stack.map(String) : []
  return sites.filter((site) => /^\w.*\w$/.test(site) && !/^platform\/(db\/|shares[.])/.test(site))
}

/**
 * Makes statements as `make` does, and keeps each text for the check of all statements: once for each server that a test
 * starts, since different functions send the same.
 */
export function recording(make: StatementMaker): StatementMaker {
  const known = new Set<string>()
  return (text, values) => {
    if (!known.has(text) && !control.test(text)) {
      known.add(text)
      const sent: Sent = { text, equals: values.map((value) => values.indexOf(value)), by: callers() }
      mkdirSync(sentFolder, { recursive: true })
      appendFileSync(join(sentFolder, `${process.pid}.jsonl`), `${JSON.stringify(sent)}\n`)
    }
    return make(text, values)
  }
}
