import { AppError } from '../platform/http/app-error.ts'
import type { Claims } from '../platform/http/identity.ts'

/** More than anybody looks at: a tab that is out of sight gives its stream back. */
const mostOfSession = 30
/** All devices of a warehouse may be signed in as one person. */
const mostOfPerson = 500
/** Everything that happens in a company is written to each of its streams. */
const mostOfCompany = 3_000

function tooMany(whose: 'you' | 'your company'): AppError {
  return new AppError('too_many_requests', {
    sentence: `As many streams of news are open for ${whose} as may be. Close some of them first.`,
    retryAfterSeconds: 15,
  })
}

/** Why no stream more may be open, beside those that a company has open on this node; null where one may. */
export function refusalOfOneMore(open: readonly Claims[], { userId, sessionId }: Claims): AppError | null {
  const ofPerson = open.filter((claims) => claims.userId === userId)
  const ofSession = ofPerson.filter((claims) => claims.sessionId === sessionId)
  if (ofSession.length >= mostOfSession || ofPerson.length >= mostOfPerson) return tooMany('you')
  return open.length >= mostOfCompany ? tooMany('your company') : null
}
