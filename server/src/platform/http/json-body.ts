import { AppError } from './app-error.ts'

const deepest = 100
/** More than the longest import that the contract takes has. */
const mostValues = 400_000
const mostGroups = 150_000
/** The longest records that the contract takes name 20,000 components. */
const mostNames = 25_000
/** Of so many named values together each name may be another one; of more, as in the rows of a list, the names come again. */
const mostNamedApart = 100_000
const mostNamesComingAgain = 200

const codeOf = (sign: string): number => sign.charCodeAt(0)
const signs = {
  quote: codeOf('"'),
  escape: codeOf('\\'),
  comma: codeOf(','),
  colon: codeOf(':'),
  list: codeOf('['),
  listEnd: codeOf(']'),
  object: codeOf('{'),
  objectEnd: codeOf('}'),
}

const isOpening = (sign: number): boolean => sign === signs.list || sign === signs.object
const isClosing = (sign: number): boolean => sign === signs.listEnd || sign === signs.objectEnd

/** Where the string ends whose quotation mark stands at `start`; Infinity where it does not. */
function endOfString(text: string, start: number): number {
  for (let at = start; ;) {
    at = text.indexOf('"', at + 1)
    if (at === -1) return Infinity
    let first = at
    while (text.charCodeAt(first - 1) === signs.escape) first -= 1
    if ((at - first) % 2 === 0) return at
  }
}

/** Takes the names of a body's values; refuses more of them, or more that differ, than any call has. */
function createNames(): (name: string) => void {
  const names = new Set<string>()
  let named = 0
  return (name) => {
    named += 1
    names.add(name)
    const most = named > mostNamedApart ? mostNamesComingAgain : mostNames
    if (names.size > most || named > mostValues) throw new AppError('too_large')
  }
}

/**
 * Refuses JSON (RFC 8259) that would be read for seconds, with nothing else done meanwhile: lists and objects of nothing
 * cost a hundred times what their signs cost elsewhere, and 16 MiB hold six million of them; so do objects of which each
 * has names of its own.
 */
function refuseHeavy(text: string): void {
  const takeName = createNames()
  let [depth, groups, values, start, end] = [0, 0, 0, 0, 0]
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charCodeAt(at)
    if (sign === signs.quote) {
      start = at
      end = endOfString(text, at)
      at = end
    } else if (sign === signs.colon) takeName(text.slice(start, end))
    else if (sign === signs.comma) values += 1
    else if (isOpening(sign)) [depth, groups] = [depth + 1, groups + 1]
    else if (isClosing(sign)) depth -= 1
    if (depth > deepest)
      throw new AppError('invalid_request', { sentence: 'The request is nested too deeply.' })
    if (values > mostValues || groups > mostGroups) throw new AppError('too_large')
  }
}

/** The value that a body says; AppError where it is no JSON, or says more than any call takes. */
export function readJson(text: string): unknown {
  refuseHeavy(text)
  try {
    return JSON.parse(text)
  } catch (error) {
    // Its message quotes the body, which no log may hold: the cause is left out.
    if (error instanceof SyntaxError) throw new AppError('not_json')
    throw error
  }
}
