import type { Endpoint } from '@inventory-manager/contract/endpoint'
import { errorTable, type ErrorCode } from '@inventory-manager/contract/errors'
import type { FastifyBaseLogger } from 'fastify'
import { AppError } from './app-error.ts'
import { onlyCheck, type Entrance } from './entrance.ts'
import type { Claims, Identity, RefusedBy } from './identity.ts'

const ofPlan: readonly ErrorCode[] = ['plan_required', 'location_not_in_plan', 'branding_not_in_plan']

/** By what somebody was refused (RFC 9110, 15.5.4); null where they were not. */
function refusedBy(error: unknown): RefusedBy | null {
  if (!(error instanceof AppError) || errorTable[error.code].status !== 403) return null
  return ofPlan.includes(error.code) ? 'plan' : 'role'
}

type Parts = { app: { log: FastifyBaseLogger }; identity: Identity }

/** What is done where a call is refused. */
export function createRefusals({ app, identity }: Parts, entering: Entrance['entering']) {
  /** Records who was refused; they are told so, also where it cannot be recorded. */
  async function noteRefusal(endpoint: Endpoint, claims: Claims, error: unknown): Promise<void> {
    const by = refusedBy(error)
    if (by === null) return
    try {
      await identity.recordRefusal(claims, `${endpoint.method} ${endpoint.path}`, by)
    } catch (fault) {
      // Whose session ended meanwhile is nobody the trail could name.
      if (!(fault instanceof AppError && fault.code === 'unauthorized'))
        app.log.error({ err: fault }, 'a refusal was not recorded')
    }
  }

  /** Who may not make a call is told that, whatever is wrong with what they sent. */
  async function refusalOf(endpoint: Endpoint, claims: Claims, error: unknown): Promise<unknown> {
    if (!(error instanceof AppError) || error.code !== 'invalid_request') return error
    const check = entering(endpoint, claims)
    return await check(onlyCheck).then(
      () => error,
      (refusal: unknown) => refusal,
    )
  }

  return { noteRefusal, refusalOf }
}
