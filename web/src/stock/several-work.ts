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

/** Works through lines one by one, each for itself, and no further where the server is not there. */
async function workThrough(
  lines: readonly Line[],
  { work, onProgress }: { work: (line: Line) => Promise<void>; onProgress: (tried: number) => void },
): Promise<Outcome> {
  const outcome: Outcome = { done: 0, refused: [], left: [], failure: null }
  for (const [tried, line] of lines.entries()) {
    try {
      await work(line)
      outcome.done += 1
    } catch (error) {
      if (!isRefusal(error)) {
        const left = lines.slice(tried).map(({ text }) => text)
        return { ...outcome, left, failure: isAbort(error) ? null : messageOf(error) }
      }
      outcome.refused.push({ at: tried, text: line.text, reason: messageOf(error) })
    }
    onProgress(tried + 1)
  }
  return outcome
}

/** Lines under work, which can be stopped; who leaves the screen stops it. */
export function useSeveral() {
  const [progress, setProgress] = useState<Progress | null>(null)
  const stopping = useRef<AbortController | null>(null)
  useEffect(() => () => stopping.current?.abort(), [])

  async function run(lines: readonly Line[], work: LineWork): Promise<Outcome> {
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
        onProgress: (done) => setProgress({ done, total }),
      })
    } finally {
      setProgress(null)
      refreshStock().catch(reportError)
    }
  }

  return { progress, run, stop: () => stopping.current?.abort() }
}
