import { errors, jwtVerify, SignJWT } from 'jose'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { AppError } from '../platform/http/app-error.ts'
import type { Claims } from '../platform/http/identity.ts'

const issuer = 'inventory-manager'
const form = { algorithms: ['HS256'], issuer, audience: issuer, typ: 'at+jwt', requiredClaims: ['exp'] }
const signedClaims = z.object({ sub: z.uuid(), tid: z.uuid(), sid: z.uuid(), exp: z.number() })

/** One shift (docs/security/rules.md, 'Sessions'). */
export const sessionHours = 12

export type Tokens = {
  sign(claims: Claims, expiresAt: Date): Promise<string>
  /** The claims of a bearer header; throws 'unauthorized'. */
  verify(authorization: string | undefined): Promise<Claims>
}

/** Signs and checks session tokens (RFC 7519, HS256) with the installation's secret. */
export function createTokens(secret: string): Tokens {
  const key = new TextEncoder().encode(secret)
  // Checking a signature took a quarter of the processor time of a count, and its answer never changes before the token
  // expires. Whether the session still stands is asked of the database each time.
  const checked = new LRUCache<string, Claims>({ max: 10_000, perf: { now: () => Date.now() } })

  async function check(token: string): Promise<Claims> {
    const { payload } = await jwtVerify(token, key, form)
    const { sub, tid, sid, exp } = signedClaims.parse(payload)
    const claims = { tenantId: tid, userId: sub, sessionId: sid }
    checked.set(token, claims, { ttl: Math.max(1, exp * 1000 - Date.now()) })
    return claims
  }

  return {
    sign: (claims, expiresAt) =>
      new SignJWT({ tid: claims.tenantId, sid: claims.sessionId })
        .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt' })
        .setIssuer(issuer)
        .setAudience(issuer)
        .setSubject(claims.userId)
        .setIssuedAt()
        .setExpirationTime(expiresAt)
        .sign(key),

    async verify(authorization) {
      const [, token] = /^bearer (\S+)$/i.exec(authorization ?? '') ?? []
      if (token === undefined) throw new AppError('unauthorized')
      try {
        return checked.get(token) ?? (await check(token))
      } catch (error) {
        if (error instanceof errors.JOSEError || error instanceof z.ZodError)
          throw new AppError('unauthorized', { cause: error })
        throw error
      }
    },
  }
}
