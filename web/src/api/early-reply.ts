import { readToken } from './token.ts'

/** A reply that was asked for before the program was there to ask. */
type Early = {
  url: string
  token: string
  since: number
  reply: Promise<Response | null>
  /** Ends it, also while it is being read, which then fails with the reason. */
  end: (reason: unknown) => void
}

const longestMs = 10_000
const patienceMs = 30_000

let early: Early | null = null

/** Where the list to count is. The contract's own way to say it would bring its shapes with it, which come later. */
export function listToCountAt(location: string): string {
  return `/api/components/to-count?${new URLSearchParams({ location }).toString()}`
}

/**
 * The server is asked each time whether what the browser keeps of a reply still holds. By itself a browser does not ask for a page that
 * it goes back to, or that it had thrown out of its memory and shows again.
 */
export const askingAnew = { cache: 'no-cache' } as const

/** Asks for what the screen that is being opened needs, while its parts are on their way. */
export function askEarly(url: string): void {
  const token = readToken()
  if (token === null) return
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const given = new AbortController()
  const late = setTimeout(() => given.abort(), patienceMs)
  const reply = fetch(url, { ...askingAnew, headers, signal: given.signal })
    .then(
      (response) => response,
      // The call itself finds out why.
      () => null,
    )
    // How long the rest may take is for whoever takes it.
    .finally(() => clearTimeout(late))
  early = { url, token, since: performance.now(), reply, end: (reason) => given.abort(reason) }
}

/** Since when a reply that nobody has taken yet is what it is; null where there is none. */
export function askedEarlyAt(): number | null {
  return early?.since ?? null
}

/** There were news since: what they change is not loaded yet, and the reply may not know of it. */
export function refuseEarly(): void {
  early?.end(new DOMException('It may not know of what is new.', 'AbortError'))
  early = null
}

type Taken = Pick<Early, 'reply' | 'end'>

/** The reply to this very call, once, which is null where it does not come; null where it was not asked for early. */
export function takeEarly(url: string, token: string | null): Taken | null {
  if (early === null || early.url !== url) return null
  const { since, token: asker, ...taken } = early
  early = null
  if (asker === token && performance.now() < since + longestMs) return taken
  taken.end(new DOMException('It is too old, or of somebody else.', 'AbortError'))
  return null
}
