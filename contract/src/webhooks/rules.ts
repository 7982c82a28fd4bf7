import { z } from '../zod.ts'

/** Seconds to wait after each failed attempt; after the eighth attempt, about a day after the first, it is given up. */
export const retryDelays = [5, 60, 600, 3_600, 3 * 3_600, 8 * 3_600, 12 * 3_600] as const

/** Days of attempts without one delivery that arrived until a webhook is switched off. */
export const daysUntilDisabled = 3

/** What happened longer ago is not sent any more, to a webhook that was off meanwhile. */
export const daysSent = 3

/** Finished deliveries stay in the log this long. */
export const daysLogged = 30

export const maxWebhooks = 10

/** Tests of one webhook that wait to be sent, for the first time or again. */
export const maxTestsWaiting = 10

/** As URL.parse reads it, which browsers have had since 2024 only. */
function parseUrl(value: string): URL | null {
  try {
    return new URL(value)
  } catch {
    return null
  }
}

function isSendable(value: string): boolean {
  const url = parseUrl(value)
  if (url === null) return false
  const { protocol, username, password, hash } = url
  return ['http:', 'https:'].includes(protocol) && username === '' && password === '' && hash === ''
}

/** An address deliveries can be sent to. Whether it leads to a public host is seen when it is resolved. */
export const webhookUrl = z.pipe(
  z
    .string()
    .check(z.refine(isSendable, 'must be an http:// or https:// address without a name, password or #.')),
  z.transform((value) => new URL(value).href),
)
