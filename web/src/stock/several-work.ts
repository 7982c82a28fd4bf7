import { useEffect, useRef, useState } from 'react'
import { isAbort, isRefusal, messageOf } from '../api/api-error.ts'
import { refreshStock } from './queries.ts'
import type { Line } from './several-lines.ts'

/** Why lines of a call are not done while its others are. */
type Refusals = ReadonlyMap<Line, string>

/** Does what is to be done with lines; throws what the server says against all of them. */
export type LinesWork = (lines: readonly Line[], signal: AbortSignal) => Promise<Refusals>

/** `at`: where it stood in the list. */
export type RefusedLine = { at: number; text: string; reason: string }

/** What came of a list: `left` was not tried, because it was stopped or, with `failure`, nobody answered. */
export type Outcome = { done: number; refused: RefusedLine[]; left: string[]; failure: string | null }

export type Progress = { done: number; total: number }

type Following = {
  /** How many lines are done in one call. */
  atOnce: number
  work: (lines: readonly Line[]) => Promise<Refusals>
  /** How many were tried, and the lines that are not done, in the moment in which some are. */
  onTried: (tried: number, notDone: readonly string[]) => void
}

function partsOf(lines: readonly Line[], size: number): Line[][] {
  const parts: Line[][] = []
  for (let at = 0; at < lines.length; at += size) parts.push(lines.slice(at, at + size))
  return parts
}

/** Works through lines in their order, each for itself or many at once, and no further where the server is not there. */
export async function workThrough(
  lines: readonly Line[],
  { atOnce, work, onTried }: Following,
): Promise<Outcome> {
  const texts = lines.map(({ text }) => text)
  const outcome: Outcome = { done: 0, refused: [], left: [], failure: null }
  const waiting = partsOf(lines, atOnce)
  let at = 0
  for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) {
    const refusals = new Map<Line, string>()
    try {
      for (const [line, reason] of await work(part)) refusals.set(line, reason)
    } catch (error) {
      if (!isRefusal(error)) {
        return { ...outcome, left: texts.slice(at), failure: isAbort(error) ? null : messageOf(error) }
      }
      // One that cannot be read keeps no others from being done.
      if (part.length > 1) {
        waiting.unshift(...partsOf(part, 1))
        continue
      }
      for (const line of part) refusals.set(line, messageOf(error))
    }
    for (const [index, line] of part.entries()) {
      const reason = refusals.get(line)
      if (reason === undefined) outcome.done += 1
      else outcome.refused.push({ at: at + index, text: line.text, reason })
    }
    at += part.length
    onTried(at, [...outcome.refused.map(({ text }) => text), ...texts.slice(at)])
  }
  return outcome
}

/** Lines under work, which can be stopped; who leaves the screen stops it. */
export function useSeveral() {
  const [progress, setProgress] = useState<Progress | null>(null)
  const stopping = useRef<AbortController | null>(null)
  useEffect(() => () => stopping.current?.abort(), [])

  /** `keep`: is told what is not done as soon as some lines are, so that no page that is loaded anew does it again. */
  async function run(
    lines: readonly Line[],
    { atOnce, work, keep }: { atOnce: number; work: LinesWork; keep: (notDone: readonly string[]) => void },
  ): Promise<Outcome> {
    const stop = new AbortController()
    stopping.current = stop
    const total = lines.length
    setProgress({ done: 0, total })
    try {
      return await workThrough(lines, {
        atOnce,
        work: async (part) => {
          stop.signal.throwIfAborted()
          return await work(part, stop.signal)
        },
        onTried: (done, notDone) => {
          keep(notDone)
          setProgress({ done, total })
        },
      })
    } finally {
      setProgress(null)
      refreshStock().catch(reportError)
    }
  }

  return { progress, run, stop: () => stopping.current?.abort() }
}
