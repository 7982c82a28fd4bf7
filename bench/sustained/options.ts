import { parseArgs } from 'node:util'

export type Options = {
  minutes: number
  /** Scans a second, sent whether or not the ones before are answered. */
  rate: number
  /** Connections that send a byte now and then and never finish. */
  slow: number
  /** Sign-ins a second beside the scans. */
  signIns: number
  /** Milliseconds within which 99 of 100 scans must be answered. */
  p99: number
}

const usage =
  'Usage: npm run test:load -- [--minutes 30] [--rate 200] [--slow 500] [--sign-ins 100] [--p99 150]'

function numberOf(text: string, least: number): number {
  const value = Number(text)
  if (!/^\d+(\.\d+)?$/.test(text) || value < least) throw new Error(usage)
  return value
}

/** Reads what the command was given; throws with the usage. */
export function readOptions(args: string[]): Options {
  const text = (initial: string) => ({ type: 'string', default: initial }) as const
  const { values } = parseArgs({
    args,
    options: {
      minutes: text('30'),
      rate: text('200'),
      slow: text('0'),
      'sign-ins': text('0'),
      p99: text('150'),
    },
  })
  return {
    minutes: numberOf(values.minutes, 0.1),
    rate: numberOf(values.rate, 1),
    slow: numberOf(values.slow, 0),
    signIns: numberOf(values['sign-ins'], 0),
    p99: numberOf(values.p99, 1),
  }
}
