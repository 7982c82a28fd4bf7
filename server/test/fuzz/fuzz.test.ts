import { env, stdout } from 'node:process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../test-app.ts'
import {
  endpointNames,
  endpoints,
  judge,
  makeWorld,
  runFuzz,
  sendCase,
  validCase,
  type Failure,
  type FuzzReport,
} from './fuzz.ts'

const requests = Number(env['FUZZ_REQUESTS'] ?? 1_500)
const seed = Number(env['FUZZ_SEED'] ?? 20_261_121)

const rejections: unknown[] = []
const keep = (reason: unknown) => rejections.push(reason)

let app: TestApp
beforeAll(async () => {
  process.on('unhandledRejection', keep)
  app = await startTestApp({ SIGN_INS_PER_ACCOUNT: '1000000' })
})
afterAll(async () => {
  process.off('unhandledRejection', keep)
  await app.close()
})

/** Failures of one cause as one line, with an example. */
function summary({ failures, ...figures }: FuzzReport): string {
  const causes: Record<string, Failure[]> = {}
  for (const failure of failures) (causes[`${failure.where}: ${failure.fault}`] ??= []).push(failure)
  const lines = Object.entries(causes).map(([cause, [first, ...others]]) =>
    [
      `${others.length + 1} x ${cause}`,
      `    #${first?.index} ${first?.label}`,
      `    sent ${first?.sent}`,
      `    got  ${first?.got}`,
    ].join('\n'),
  )
  return [JSON.stringify(figures, null, 1), ...lines, ''].join('\n')
}

/** Calls that even their valid request cannot succeed in here, with their answer. */
const otherwise: Partial<Record<string, number>> = { openBillingPortal: 409, sendConfirmation: 409 }

describe('the requests the fuzzer starts from', () => {
  it('are all taken', async () => {
    const world = await makeWorld(app)
    // Logging out comes last: it ends the session that changes the password.
    const names = endpointNames.toSorted(
      (one, other) => Number(one === 'logout') - Number(other === 'logout'),
    )
    for (const name of names) {
      const sent = validCase(world, name)
      const reply = await sendCase(app, sent)
      const success = otherwise[name] ?? endpoints[name].reply.status
      expect([name, reply.status, judge(sent, reply)]).toEqual([name, success, []])
    }
  })
})

describe(`${requests} hostile requests`, () => {
  it(
    `are answered as documented and change nothing where refused (seed ${seed})`,
    async () => {
      const report = await runFuzz(app, { requests, seed })
      const text = summary(report)
      if (report.failures.length > 0 || env['FUZZ_REQUESTS'] !== undefined) stdout.write(`${text}\n`)
      expect(report.failures).toEqual([])
      expect(report.requests).toBe(requests)
    },
    60_000 + requests * 60,
  )

  it('leave the process as it was', async () => {
    expect(rejections).toEqual([])
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
    const { status } = await app.ask({ method: 'GET', path: '/health' })
    expect(status).toBe(200)
  })
})
