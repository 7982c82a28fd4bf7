import { parseJson } from '../lib/json.ts'

/** Where the session's token is kept (specification 3, 'Local storage holds'). */
export const tokenKey = 'jwt_token'

export function readToken(): string | null {
  return localStorage.getItem(tokenKey)
}

/** What a token says of itself, or null for text that is no token. Read, not checked: that is the server's part. */
export function readClaims(token: string): object | null {
  const [, payload] = token.split('.')
  // Base64 leaves no single character over.
  if (payload === undefined || !/^[\w-]+$/.test(payload) || payload.length % 4 === 1) return null
  const claims = parseJson(atob(payload.replaceAll('-', '+').replaceAll('_', '/')))
  return typeof claims === 'object' ? claims : null
}

/** Whose token it is, as `company/user`; null for text that is no token. */
export function ownerOf(token: string): string | null {
  const claims = readClaims(token)
  if (claims === null || !('tid' in claims) || !('sub' in claims)) return null
  return `${String(claims.tid)}/${String(claims.sub)}`
}

/** Who is signed in on this device, as `company/user`; empty for nobody. */
export function readOwner(): string {
  const token = readToken()
  return (token === null ? null : ownerOf(token)) ?? ''
}

/** The name under which a tab keeps what is one person's alone: whoever signs in next finds nothing of it. */
export function ownKey(name: string, owner: string): string {
  return `${name} of ${owner}`
}
