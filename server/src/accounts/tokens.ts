import { errors, jwtVerify, SignJWT } from 'jose'
import { z } from 'zod'
import { AppError } from '../platform/http/app-error.ts'
import type { Claims } from '../platform/http/identity.ts'

const issuer = 'inventory-manager'
const form = { algorithms: ['HS256'], issuer, audience: issuer, typ: 'at+jwt', requiredClaims: ['exp'] }
const signedClaims = z.object({ sub: z.uuid(), tid: z.uuid(), sid: z.uuid() })

/** One shift (decisions, 'Session'). */
export const sessionHours = 12

export type Tokens = {
  sign(claims: Claims, expiresAt: Date): Promise<string>
  /** The claims of a bearer header; throws AppError 'unauthorized'. */
  verify(authorization: string | undefined): Promise<Claims>
}

/** Signs and checks session tokens (RFC 7519, HS256) with the installation's secret. */
export function createTokens(secret: string): Tokens {
  const key = new TextEncoder().encode(secret)
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
        const { payload } = await jwtVerify(token, key, form)
        const { sub, tid, sid } = signedClaims.parse(payload)
        return { tenantId: tid, userId: sub, sessionId: sid }
      } catch (error) {
        if (error instanceof errors.JOSEError || error instanceof z.ZodError)
          throw new AppError('unauthorized')
        throw error
      }
    },
  }
}
