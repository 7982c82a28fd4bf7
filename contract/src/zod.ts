import * as z from 'zod/mini'
import { wholeNumber } from './numbers.ts'

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
  const amount = `${issue.least ? 'at least' : 'at most'} ${wholeNumber(issue.bound)}`
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

// A strict content policy forbids the code zod would compile for speed; only the server may.
z.config({ customError: ownSentence, jitless: 'document' in globalThis })

/** zod as this project uses it: it refuses in the project's own words, and compiles nothing in a browser. */
export { z }
