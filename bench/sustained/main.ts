import { argv, stdout } from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { freePort, startProgram, type Program } from '../../e2e/program.ts'
import { onlyRow } from '../../server/src/platform/db/only-row.ts'
import { makeCompany } from '../companies.ts'
import { median } from '../load.ts'
import { memoryOf } from '../memory.ts'
import { readOptions, type Options } from './options.ts'
import { scanAtPace, signInAtPace, type Scans } from './scans.ts'
import { openSlowConnections } from './slow-connections.ts'

/**
 * npm run test:load: scans at an even pace for as long as wanted, against the built program with its own database on this
 * machine; slow connections and sign-ins beside them where asked for. Prints one line of JSON and ends with 1 where
 * something failed, was lost or doubled, was slower than the goal, or memory grew by 10 % or more in 10 minutes or longer.
 */

const companies = 4
const components = 5_000
/** Until then caches and the compiler's work fill up memory. */
const warmUpShare = 0.2
const sampleMs = 5_000
/** Before that, memory that grows is only warming up. */
const leastMinutesToJudge = 10

/** Looks at memory every few seconds until the work is done. */
async function watchMemory(metricsUrl: string, work: Promise<unknown>): Promise<number[]> {
  const samples: number[] = []
  const watching = new AbortController()
  const done = work.finally(() => watching.abort())
  while (!watching.signal.aborted) {
    samples.push(await memoryOf(metricsUrl))
    await Promise.race([sleep(sampleMs, undefined, { ref: false }), done])
  }
  return samples
}

/** Memory after warming up and at the end, each as the middle of a fifth of the samples. */
function growthOf(samples: readonly number[]) {
  const fifth = Math.max(1, Math.floor(samples.length * warmUpShare))
  const warm = median(samples.slice(fifth, fifth * 2))
  const end = median(samples.slice(-fifth))
  return { warmMb: Math.round(warm), endMb: Math.round(end), percent: round(((end - warm) / warm) * 100) }
}

const round = (value: number) => Math.round(value * 10) / 10

function figuresOf({ latencies, errors }: Scans) {
  const sorted = latencies.toSorted((a, b) => a - b)
  const at = (share: number) => round(sorted[Math.floor(sorted.length * share)] ?? Number.NaN)
  const failed = Object.values(errors).reduce((sum, count) => sum + count, 0)
  return {
    scans: sorted.length,
    failed,
    errors,
    p50Ms: at(0.5),
    p95Ms: at(0.95),
    p99Ms: at(0.99),
    slowestMs: round(sorted.at(-1) ?? 0),
  }
}

/** Counts in the history, which must be as many as were answered. */
async function countKept(program: Program): Promise<number> {
  const client = new pg.Client({ connectionString: await program.databaseUrl() })
  await client.connect()
  const { rows } = await client.query<{ kept: number }>('select count(*)::integer as kept from count_history')
  await client.end()
  return onlyRow(rows).kept
}

async function measure(program: Program, metricsUrl: string, options: Options) {
  const made = []
  for (let index = 0; index < companies; index += 1) made.push(await makeCompany(program.url, components))
  const before = await memoryOf(metricsUrl)
  const pace = { origin: program.url, companies: made, milliseconds: options.minutes * 60_000 }
  const slow = openSlowConnections(program.url, options.slow)
  const scanning = scanAtPace({ ...pace, perSecond: options.rate })
  const signingIn = options.signIns === 0 ? null : signInAtPace({ ...pace, perSecond: options.signIns })
  const samples = await watchMemory(metricsUrl, Promise.all([scanning, signingIn]))
  const figures = figuresOf(await scanning)
  return {
    ...options,
    ...figures,
    kept: await countKept(program),
    memory: { beforeMb: Math.round(before), ...growthOf(samples) },
    slowConnections: await slow.end(),
    signInAnswers: (await signingIn) ?? {},
  }
}

/** Signed in, or told to come back as passwords are being checked for too many already. */
const meantOfSignIn = new Set(['200', '503'])

type Measured = Awaited<ReturnType<typeof measure>>

function faultsOf(measured: Measured): string[] {
  const { opened, cut } = measured.slowConnections
  const checks: [boolean, string][] = [
    [measured.failed > 0, 'scans failed'],
    [measured.kept !== measured.scans, 'the history does not hold each scan once'],
    [measured.p99Ms >= measured.p99, 'scans were too slow'],
    [measured.minutes >= leastMinutesToJudge && measured.memory.percent >= 10, 'memory grew'],
    [Object.keys(measured.signInAnswers).some((answer) => !meantOfSignIn.has(answer)), 'sign-ins failed'],
    [cut < opened, 'slow connections were not cut'],
  ]
  return checks.filter(([failed]) => failed).map(([, sentence]) => sentence)
}

const options = readOptions(argv.slice(2))
const metricsPort = await freePort()
const program = await startProgram({ METRICS_PORT: String(metricsPort), SIGN_INS_PER_ACCOUNT: '100000000' })
try {
  const measured = await measure(program, `http://127.0.0.1:${metricsPort}/metrics`, options)
  const faults = faultsOf(measured)
  stdout.write(`${JSON.stringify({ ...measured, faults })}\n`)
  if (faults.length > 0) process.exitCode = 1
} finally {
  await program.stop()
}
