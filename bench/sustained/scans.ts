import { Pool } from 'undici'
import { anyOf, type Company } from '../companies.ts'
import type { Request } from '../load.ts'
import { countOf } from '../requests.ts'

const connections = 64

/** How often each answer came, by its status, or by the message where none came. */
export type Answers = Record<string, number>

export type Scans = {
  /** Milliseconds from the moment a scan was to be sent until its answer was read. */
  latencies: number[]
  /** Of what failed. */
  errors: Answers
}

type Pace = { perSecond: number; milliseconds: number }

/**
 * Begins work at an even pace for a time, whether or not what was begun before is done (an open loop), and waits for all
 * of it. The work is told when it should have begun, so that a load that falls behind shows as latency.
 */
async function keepPace(
  { perSecond, milliseconds }: Pace,
  work: (intended: number) => Promise<void>,
): Promise<void> {
  const started = performance.now()
  const total = Math.floor((perSecond * milliseconds) / 1000)
  const running = new Set<Promise<void>>()
  for (let begun = 0; begun < total;) {
    const due = Math.min(total, Math.floor(((performance.now() - started) * perSecond) / 1000) + 1)
    for (; begun < due; begun += 1) {
      const one = work(started + (begun * 1000) / perSecond)
      running.add(one)
      const forget = () => running.delete(one)
      one.then(forget, forget)
    }
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  await Promise.all(running)
}

/** The status of an answer, or the message where none came. */
async function answerOf(pool: Pool, { method, path, headers, body: sent }: Request): Promise<string> {
  return await pool
    .request({
      method,
      path,
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(sent),
    })
    .then(async ({ statusCode, body }) => {
      await body.dump()
      return String(statusCode)
    })
    .catch((error: unknown) => (error instanceof Error ? error.message : String(error)))
}

/** Scans that match, by anybody of any company, at an even pace. */
export async function scanAtPace(
  pace: Pace & { origin: string; companies: readonly Company[] },
): Promise<Scans> {
  const pool = new Pool(pace.origin, { connections, pipelining: 1 })
  const scans: Scans = { latencies: [], errors: {} }
  await keepPace(pace, async (intended) => {
    const { token, rows } = anyOf(pace.companies)
    const answer = await answerOf(pool, countOf(token, anyOf(rows)))
    if (answer === '200') scans.latencies.push(performance.now() - intended)
    else scans.errors[answer] = (scans.errors[answer] ?? 0) + 1
  })
  await pool.close()
  return scans
}

/** Sign-ins at an even pace, and how they were answered. */
export async function signInAtPace(
  pace: Pace & { origin: string; companies: readonly Company[] },
): Promise<Answers> {
  const pool = new Pool(pace.origin, { connections, pipelining: 1 })
  const answers: Answers = {}
  await keepPace(pace, async () => {
    const { email, passcode } = anyOf(pace.companies)
    const answer = await answerOf(pool, {
      method: 'POST',
      path: '/api/auth/login',
      body: { email, passcode },
    })
    answers[answer] = (answers[answer] ?? 0) + 1
  })
  await pool.close()
  return answers
}
