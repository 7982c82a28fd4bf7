import { readToken } from './token.ts'

/** A reply that was asked for before the program was there to ask. */
type Early = { call: string; token: string; since: number; reply: Promise<Response | null> }

/** The contract's own would bring its shapes with it, which come later. */
export const listToCount = '/api/components/with-count-status'

const longestMs = 10_000

let early: Early | null = null

const nameOf = (path: string, body: string | undefined) => `${path} ${body ?? ''}`

/** Asks for what the screen that is being opened needs, while its parts are on their way. */
export function askEarly(path: string, body: string): void {
  const token = readToken()
  if (token === null) return
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const reply = fetch(path, { method: 'POST', headers, body }).then(
    (response) => response,
    // The call itself finds out why.
    () => null,
  )
  early = { call: nameOf(path, body), token, since: performance.now(), reply }
}

/** The reply to this very call, once; null where it was not asked for early, or does not come. */
export function takeEarly(
  path: string,
  { body, token }: { body: string | undefined; token: string | null },
): Promise<Response | null> | null {
  if (early === null || early.call !== nameOf(path, body)) return null
  const { reply, since, token: asker } = early
  early = null
  return asker === token && performance.now() < since + longestMs ? reply : null
}
