/** Where the session's token is kept (specification 3, 'Session data in local browser storage'). */
export const tokenKey = 'jwt_token'

export function readToken(): string | null {
  return localStorage.getItem(tokenKey)
}
