import { logout, whoAmI, type SignedInUser } from '@inventory-manager/contract/accounts/endpoints'
import { analyticsMessages } from '@inventory-manager/contract/analytics/messages'
import { getSettings } from '@inventory-manager/contract/company/settings-endpoints'
import { findLocation, type LocationCode } from '@inventory-manager/contract/locations'
import { planOffers } from '@inventory-manager/contract/plans'
import { useSyncExternalStore } from 'react'
import { ApiError, isPassing } from '../api/api-error.ts'
import { call, onSessionOver } from '../api/client.ts'
import { queryClient } from '../api/query-client.ts'
import { ownerOf, readClaims, readOwner, readToken, tokenKey } from '../api/token.ts'
import { inPassing } from '../lib/in-passing.ts'
import { parseJson } from '../lib/json.ts'
import { keepInTab } from '../lib/tab.ts'
import { reportSession, startReporting } from './lifecycle.ts'
import { keepLocationNames } from './place-names.ts'
import { locationKey, readLocation } from './stored-location.ts'
import { readStoredUser } from './stored-user.ts'

const userKey = 'user_data'

/**
 * Signed out, perhaps with a sentence that says why; with a token whose user the server is asked for; or signed in,
 * where `location` is null until one is chosen. `closed`: the one that was, where the plan offers it no more.
 */
export type Session =
  | { state: 'signed_out'; notice: string | null }
  | { state: 'loading_user' }
  | { state: 'signed_in'; user: SignedInUser; location: LocationCode | null; closed: LocationCode | null }

const nobody: Session = { state: 'signed_out', notice: null }

let current: Session = nobody
/** The token that was stored when this became so. */
let held: string | null = null
const listeners = new Set<() => void>()

/** Who is signed in, as `company/user`; null for nobody that is known. */
export function personIn(session: Session): string | null {
  return session.state === 'signed_in' ? `${session.user.tenantId}/${session.user.id}` : null
}

/** Under what name a tab keeps who was signed in there last, whom no page of it knows after the token is gone. */
const lastKey = 'last_person'

/** Who was signed in in this tab before, as `company/user`; null for nobody. */
export function lastPerson(): string | null {
  return sessionStorage.getItem(lastKey)
}

/** Whether the same person has another role, which is shown more, or less, of what is loaded. */
function isOtherRole(before: Session, after: Session): boolean {
  if (before.state !== 'signed_in' || after.state !== 'signed_in') return false
  return personIn(before) === personIn(after) && before.user.role !== after.user.role
}

function set(session: Session): void {
  const before = current
  current = session
  keepLocationNames(session.state === 'signed_in' ? session.user.locationNames : undefined)
  if (session.state === 'signed_in') isOwnWish = false
  held = readToken()
  const owner = held === null ? null : ownerOf(held)
  if (owner !== null) keepInTab(lastKey, owner)
  for (const listener of listeners) listener()
  if (!isOtherRole(before, session)) return
  // Later: what a screen shows that the person has no more would be refused.
  setTimeout(() => {
    queryClient
      .invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== whoAmI.path })
      .catch(reportError)
  })
}

/** When a token ends, in milliseconds, or null for text that is no token. */
function expiryOf(token: string): number | null {
  const claims = readClaims(token)
  if (claims === null || !('exp' in claims)) return null
  return typeof claims.exp === 'number' ? claims.exp * 1000 : null
}

/** The token that the server has last given or known: the clock of this device, by which it may be over, can be wrong. */
let known: string | null = null

/** Whether whoever is signed out has signed out here. */
let isOwnWish = false

/** Whether it was not this person who went: the session has ended, also elsewhere, or the plan has closed the location. */
export function isSentAway(): boolean {
  if (current.state === 'signed_out') return !isOwnWish
  return current.state === 'signed_in' && current.closed !== null
}

/** Whether a token is stored that has not ended yet (specification 4, 'A token counts'). */
export function isAuthenticated(): boolean {
  const token = readToken()
  const expiry = token === null ? null : expiryOf(token)
  return expiry !== null && (token === known || expiry > Date.now())
}

function clearStorage(): void {
  for (const key of [tokenKey, userKey, locationKey]) localStorage.removeItem(key)
}

function storedPlace(): LocationCode | null {
  const stored = readLocation()
  return stored === null ? null : (findLocation(stored)?.code ?? null)
}

/** Where this page has a person work, or did until the plan closed it; nowhere for whoever is not signed in here. */
function placeHere({ id }: SignedInUser): { location: LocationCode | null; closed: LocationCode | null } {
  return current.state === 'signed_in' && current.user.id === id ? current : { location: null, closed: null }
}

/** Where the person works: where this page is, whatever other tabs have chosen since, or where the device was last. */
function placeOf(user: SignedInUser): { location: LocationCode | null; closed: LocationCode | null } {
  const isOffered = (place: LocationCode | null) => place !== null && planOffers(user.plan, place)
  const here = placeHere(user)
  const stored = storedPlace()
  if (!isOffered(stored)) localStorage.removeItem(locationKey)
  const place = here.location ?? stored
  if (isOffered(place)) return { location: place, closed: null }
  const last = place ?? here.closed
  return { location: null, closed: isOffered(last) ? null : last }
}

/** Whether a location is still chosen on this device: in another tab the person may be choosing a new one. */
export function isLocationChosen(): boolean {
  return readLocation() !== null
}

function signedIn(user: SignedInUser): Session {
  return { state: 'signed_in', user, ...placeOf(user) }
}

/** Whether the stored token is of this person, of whom an older version may have stored no company. */
const isOfToken = ({ id }: SignedInUser) => readOwner().endsWith(`/${id}`)

/**
 * Takes the session up again that an earlier page load or another tab left; ends it where what is stored cannot be read. Of one
 * that is over by the clock of this device the server is asked.
 */
function restore(): Session {
  const token = readToken()
  if (token !== null && expiryOf(token) !== null) {
    const stored = localStorage.getItem(userKey)
    if (stored === null || !isAuthenticated()) return { state: 'loading_user' }
    const user = readStoredUser(parseJson(stored))
    // Of somebody else, where the device had no room for the last one, or another tab wrote in between.
    if (user !== null) return isOfToken(user) ? signedIn(user) : { state: 'loading_user' }
  }
  clearStorage()
  return nobody
}

const retryMs = 2_000

/** Asks who the stored session belongs to, for as long as nobody answers; a refusal ends the session. */
async function loadUser(): Promise<void> {
  const token = readToken()
  // Somebody else may have signed in meanwhile: this answer is not of them.
  const isAsked = () => current.state === 'loading_user' && readToken() === token
  try {
    const { user } = await call(whoAmI, {})
    if (!isAsked()) return
    known = token
    // Where there is no room to keep the user, it is so for this page.
    set(signedIn(user))
    localStorage.setItem(userKey, JSON.stringify(user))
  } catch (error) {
    if (!isAsked()) return
    // One that is over, as far as anybody can tell, is not waited for.
    if (error instanceof ApiError && (!isPassing(error) || !isAuthenticated())) endSession()
    else
      setTimeout(() => {
        loadUser().catch(reportError)
      }, retryMs)
  }
}

export function beginSession(token: string, user: SignedInUser): void {
  // By a link, also where somebody else is signed in: the place that is kept is theirs.
  if (current.state === 'signed_in' && current.user.id !== user.id) localStorage.removeItem(locationKey)
  localStorage.setItem(tokenKey, token)
  localStorage.setItem(userKey, JSON.stringify(user))
  known = token
  queryClient.clear()
  set(signedIn(user))
}

/** Takes over what changed about the user or the company since sign-in. */
export function updateUser(change: Partial<SignedInUser>): void {
  if (current.state !== 'signed_in') return
  const user = { ...current.user, ...change }
  if (JSON.stringify(user) === JSON.stringify(current.user)) return
  // Somebody else has signed in in another tab, which is told of in a moment.
  if (!isOfToken(user)) return
  localStorage.setItem(userKey, JSON.stringify(user))
  set(signedIn(user))
}

/** Asks for something, and takes the answer where it is still the same person who is signed in. */
export async function askAsPresent<R>(ask: () => Promise<R>, take: (reply: R) => void): Promise<R> {
  const asker = personIn(current)
  const reply = await ask()
  if (asker !== null && personIn(current) === asker) take(reply)
  return reply
}

/**
 * Asks the server who is signed in, and takes over what it says of the same person. Where that was changed here meanwhile, it is
 * asked again: the answer may be from before.
 */
export async function loadUserAnew(signal: AbortSignal): Promise<SignedInUser> {
  const before = current
  const { user } = await call(whoAmI, {}, { signal })
  if (current.state !== 'signed_in' || personIn(current) !== personIn({ ...current, user })) return user
  if (current !== before) return await loadUserAnew(signal)
  updateUser(user)
  return user
}

/** Forgets the session in this browser; the server's is ended by its own call. The notice is shown at sign-in. */
export function endSession(notice: string | null = null): void {
  clearStorage()
  queryClient.clear()
  set({ state: 'signed_out', notice })
}

/** Ends the session here at once, and on the server as soon as it answers. */
export function signOut(): void {
  // Without a network the server's session ends by its own time.
  inPassing(call(logout, {}, { timeoutMs: 5_000 }))
  isOwnWish = true
  endSession()
}

/** Throws what the browser's storage throws, where it is full or forbidden. */
export function chooseLocation(location: LocationCode | null): void {
  if (current.state !== 'signed_in') return
  if (location === null) localStorage.removeItem(locationKey)
  else localStorage.setItem(locationKey, location)
  // The company's settings are those of all its locations: without a network they could not be asked for again.
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== getSettings.path })
  set({ ...current, location, closed: null })
}

/** Takes up what is stored now. */
function takeUp(): void {
  const next = restore()
  // What was loaded for somebody else is shown to nobody.
  if (personIn(next) !== personIn(current)) queryClient.clear()
  set(next)
  if (next.state === 'loading_user') loadUser().catch(reportError)
}

function followOtherTabs(event: StorageEvent): void {
  if (event.key === null || (event.key === tokenKey && event.newValue === null)) {
    if (current.state === 'signed_in' && event.oldValue !== null) {
      reportSession('session_expired', { reason: 'token_removed' }, { token: event.oldValue })
    }
    queryClient.clear()
    set(nobody)
  } else if (event.key === tokenKey || event.key === userKey) takeUp()
}

/** A page that was left or asleep, and is come back to, may have heard of nothing. */
function look(): void {
  if (document.visibilityState === 'visible' && readToken() !== held) takeUp()
}

/** Starts the session's part of the page: what is stored, what other tabs do, what the server ends. */
export function startSession(): void {
  set(restore())
  onSessionOver(() => endSession(analyticsMessages.authentication))
  window.addEventListener('storage', followOtherTabs)
  window.addEventListener('pageshow', look)
  document.addEventListener('visibilitychange', look)
  startReporting(() => current.state === 'signed_in')
  if (current.state === 'loading_user') loadUser().catch(reportError)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useSession(): Session {
  return useSyncExternalStore(subscribe, () => current)
}

/** The session on screens that are shown only with a location chosen. */
export function useLocatedSession(): { user: SignedInUser; location: LocationCode } {
  const session = useSession()
  if (session.state !== 'signed_in' || session.location === null) throw new Error('No location is chosen.')
  return { user: session.user, location: session.location }
}
