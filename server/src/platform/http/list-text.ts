import { createHash } from 'node:crypto'

/*
 * A list of components as JSON text, each on a line of its own: where some have changed since it was written, theirs are
 * written anew and take the place of the lines before. It is in parts, so that only those that have changed are looked at again.
 */

/** Between the components of a list, for `string_agg`. */
export const betweenLines = ',\n'

/** Some lines of a list with what stands between them and the next. */
export type ListPart = { text: string; hash: string }

/** A list as it is sent: its parts one after another, then what follows the components. */
export type ListText = { parts: readonly ListPart[]; rest: string }

const linesOfAPart = 250

function partOf(text: string): ListPart {
  return { text, hash: createHash('sha1').update(text).digest('base64url') }
}

function endOfPart(text: string, from: number): number {
  let end = from
  for (let line = 0; line < linesOfAPart; line += 1) {
    const newline = text.indexOf('\n', end)
    if (newline === -1) return text.length
    end = newline + 1
  }
  return end
}

/** The reply `{"components":[…],…}` of components' lines and what follows them. */
export function listText(lines: string, rest: string): ListText {
  const text = `{"components":[\n${lines}\n],`
  const parts: ListPart[] = []
  for (let from = 0; from < text.length;) {
    const end = endOfPart(text, from)
    parts.push(partOf(text.slice(from, end)))
    from = end
  }
  return { parts, rest }
}

const beforeCode = '"barcode":'
/** In a text of a component each quote has a backslash before it, so that neither can be part of one. */
const afterCode = ',"description":'

type Line = { code: string; start: number; end: number }

/** The first line with a component from a place on, and its barcode as JSON. */
function lineFrom(text: string, from: number): Line | null {
  const code = text.indexOf(beforeCode, from)
  if (code === -1) return null
  const next = text.indexOf('\n', code)
  const end = next === -1 ? text.length : next
  return {
    code: text.slice(code + beforeCode.length, text.indexOf(afterCode, code)),
    start: text.lastIndexOf('\n', code) + 1,
    end: text[end - 1] === ',' ? end - 1 : end,
  }
}

function replaceIn(part: ListPart, now: ReadonlyMap<string, string>, left: Set<string>): ListPart {
  const { text } = part
  const pieces: string[] = []
  let from = 0
  for (let line = lineFrom(text, 0); line !== null; line = lineFrom(text, line.end)) {
    const other = now.get(line.code)
    if (other === undefined) continue
    left.delete(line.code)
    pieces.push(text.slice(from, line.start), other)
    from = line.end
  }
  return from === 0 ? part : partOf([...pieces, text.slice(from)].join(''))
}

/** A list with some of its components as they are written now; null where it does not have all of them. */
export function replaceLines({ parts, rest }: ListText, written: string): ListText | null {
  if (written === '') return { parts, rest }
  const now = new Map(written.split(betweenLines).map((line) => [lineFrom(line, 0)?.code ?? '', line]))
  const left = new Set(now.keys())
  const replaced = parts.map((part) => replaceIn(part, now, left))
  return left.size === 0 ? { parts: replaced, rest } : null
}

/** How long a list is, in characters. */
export function lengthOf({ parts, rest }: ListText): number {
  return parts.reduce((sum, { text }) => sum + text.length, rest.length)
}

/** A list as UTF-8. */
export function bytesOf({ parts, rest }: ListText): Buffer {
  return Buffer.concat([...parts.map(({ text }) => text), rest].map((text) => Buffer.from(text)))
}
