import http from 'node:http'
import { argv, stdout } from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort, startProgram } from '../../e2e/program.ts'
import { makeCompany, signIn, type Company } from '../companies.ts'
import { countMany } from '../many-counts.ts'
import { memoryOf } from '../memory.ts'

/** npm run bench:streams -- [streams] [scans]: what open streams of news cost one node: memory, and counting beside them. */

const streams = Number(argv[2] ?? 500)
const scans = Number(argv[3] ?? 2_000)

/** Counts as people do who never pause; says how fast, and the slow end of the answers' times. */
async function countAll(url: string, company: Company): Promise<string> {
  const begun = performance.now()
  const times = await countMany(url, company, scans)
  const perSecond = Math.round((scans / (performance.now() - begun)) * 1000)
  const slow = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? 0
  return `${perSecond} scans a second, 95 % answered within ${slow.toFixed(0)} ms`
}

/** As many streams as a session may have. */
const ofSession = 30

/** The tokens of as many sessions as the streams need. */
async function openSessions(url: string, company: Company): Promise<string[]> {
  const tokens = []
  while (tokens.length * ofSession < streams) tokens.push(await signIn(url, company))
  return tokens
}

/** Opens streams of one company's news; counts the counts that they tell of. */
async function openStreams(url: string, tokens: readonly string[]) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: Infinity })
  let received = 0
  const open = Array.from(
    { length: streams },
    (_, place) =>
      new Promise<http.ClientRequest>((resolve, reject) => {
        const headers = { authorization: `Bearer ${tokens[Math.floor(place / ofSession)]}` }
        const request = http.get(`${url}/api/events`, { agent, headers })
        request.on('error', reject)
        request.on('response', (response) => {
          response.on('data', (piece) => (received += String(piece).split('\nevent: count').length - 1))
          response.once('data', () => resolve(request))
        })
      }),
  )
  const requests = await Promise.all(open)
  return {
    received: () => received,
    close: () => requests.forEach((request) => request.destroy()),
  }
}

const metricsPort = await freePort()
const program = await startProgram({ METRICS_PORT: String(metricsPort) })
try {
  const { url } = program
  const company = await makeCompany(url, 5_000)
  const memory = async () => `${Math.round(await memoryOf(`http://127.0.0.1:${metricsPort}/metrics`))} MB`
  await countAll(url, company)
  stdout.write(`no stream: ${await countAll(url, company)}; ${await memory()}\n`)

  const news = await openStreams(url, await openSessions(url, company))
  await sleep(2_000)
  stdout.write(`${streams} streams open: ${await memory()}\n`)
  stdout.write(`${streams} streams: ${await countAll(url, company)}; ${await memory()}\n`)
  await sleep(2_000)
  stdout.write(`${news.received()} of ${streams * scans} events arrived; ${await memory()}\n`)
  news.close()
  await sleep(1_000)
  stdout.write(`no stream: ${await countAll(url, company)}; ${await memory()}\n`)
} finally {
  await program.stop()
}
