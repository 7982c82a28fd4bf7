import { useEffect, useRef, useState } from 'react'
import { isAbort, isRefusal, messageOf } from '../api/api-error.ts'
import { refreshStock } from './queries.ts'
import type { Line } from './several-lines.ts'

/** Does what is to be done with one line; throws what the server says against it. */
type LineWork = (line: Line, signal: AbortSignal) => Promise<void>

/** `at`: where it stood in the list. */
export type RefusedLine = { at: number; text: string; reason: string }

/** What came of a list: `left` was not tried, because it was stopped or, with `failure`, nobody answered. */
export type Outcome = { done: number; refused: RefusedLine[]; left: string[]; failure: string | null }

export type Progress = { done: number; total: number }

type Following = {
  work: (line: Line) => Promise<void>
  /** How many were tried, and the lines that are not done, in the moment in which one is. */
  onTried: (tried: number, notDone: readonly string[]) => void
}

/** Works through lines one by one, each for itself, and no further where the server is not there. */
export async function workThrough(lines: readonly Line[], { work, onTried }: Following): Promise<Outcome> {
  const texts = lines.map(({ text }) => text)
  const outcome: Outcome = { done: 0, refused: [], left: [], failure: null }
  for (const [at, line] of lines.entries()) {
    try {
      await work(line)
      outcome.done += 1
    } catch (error) {
      if (!isRefusal(error)) {
        return { ...outcome, left: texts.slice(at), failure: isAbort(error) ? null : messageOf(error) }
      }
      outcome.refused.push({ at, text: line.text, reason: messageOf(error) })
    }
    onTried(at + 1, [...outcome.refused.map(({ text }) => text), ...texts.slice(at + 1)])
  }
  return outcome
}

/** Lines under work, which can be stopped; who leaves the screen stops it. */
export function useSeveral() {
  const [progress, setProgress] = useState<Progress | null>(null)
  const stopping = useRef<AbortController | null>(null)
  useEffect(() => () => stopping.current?.abort(), [])

  /** `keep`: is told what is not done as soon as a line is, so that no page that is loaded anew does it again. */
  async function run(
    lines: readonly Line[],
    { work, keep }: { work: LineWork; keep: (notDone: readonly string[]) => void },
  ): Promise<Outcome> {
    const stop = new AbortController()
    stopping.current = stop
    const total = lines.length
    setProgress({ done: 0, total })
    try {
      return await workThrough(lines, {
        work: async (line) => {
          stop.signal.throwIfAborted()
          await work(line, stop.signal)
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
