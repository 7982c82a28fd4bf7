import { signedInUser, type SignedInUser } from '@inventory-manager/contract/accounts/endpoints'
import { findLocation, type LocationCode } from '@inventory-manager/contract/locations'
import { planOffers } from '@inventory-manager/contract/plans'
import { useSyncExternalStore } from 'react'
import { onSessionOver } from '../api/client.ts'
import { queryClient } from '../api/query-client.ts'
import { tokenKey } from '../api/token.ts'

const userKey = 'user_data'
const locationKey = 'selectedLocation'

/** Who is signed in and where; `location` is null until one is chosen. */
export type Session = { user: SignedInUser; location: LocationCode | null }

let current: Session | null = null
const listeners = new Set<() => void>()

function set(session: Session | null): void {
  current = session
  for (const listener of listeners) listener()
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

/** When a token ends, in milliseconds, or null for text that is no token. */
function expiryOf(token: string): number | null {
  const [, payload] = token.split('.')
  if (payload === undefined || !/^[\w-]+$/.test(payload)) return null
  const claims = parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')))
  if (typeof claims !== 'object' || claims === null || !('exp' in claims)) return null
  return typeof claims.exp === 'number' ? claims.exp * 1000 : null
}

function clearStorage(): void {
  for (const key of [tokenKey, userKey, locationKey]) localStorage.removeItem(key)
}

function storedLocation(user: SignedInUser): LocationCode | null {
  const stored = localStorage.getItem(locationKey)
  const found = stored === null ? undefined : findLocation(stored)
  if (found !== undefined && planOffers(user.plan, found.code)) return found.code
  localStorage.removeItem(locationKey)
  return null
}

/** Takes the session up again that an earlier page load left; ends it where what is stored cannot be read. */
function restore(): Session | null {
  const token = localStorage.getItem(tokenKey)
  const stored = localStorage.getItem(userKey)
  if (token === null || stored === null) return null
  const user = signedInUser.safeParse(parse(stored))
  const expiry = expiryOf(token)
  if (!user.success || expiry === null || expiry <= Date.now()) {
    clearStorage()
    return null
  }
  return { user: user.data, location: storedLocation(user.data) }
}

export function beginSession(token: string, user: SignedInUser): void {
  localStorage.setItem(tokenKey, token)
  localStorage.setItem(userKey, JSON.stringify(user))
  queryClient.clear()
  set({ user, location: storedLocation(user) })
}

/** Takes over what changed about the user or the company since sign-in. */
export function updateUser(change: Partial<SignedInUser>): void {
  if (current === null) return
  const user = { ...current.user, ...change }
  localStorage.setItem(userKey, JSON.stringify(user))
  set({ user, location: storedLocation(user) })
}

/** Forgets the session in this browser; the server's is ended by its own call. */
export function endSession(): void {
  clearStorage()
  queryClient.clear()
  set(null)
}

export function chooseLocation(location: LocationCode | null): void {
  if (current === null) return
  if (location === null) localStorage.removeItem(locationKey)
  else localStorage.setItem(locationKey, location)
  queryClient.clear()
  set({ ...current, location })
}

/** Starts the session's part of the page: what is stored, what other tabs do, what the server ends. */
export function startSession(): void {
  current = restore()
  onSessionOver(endSession)
  window.addEventListener('storage', (event) => {
    if (event.key === null || (event.key === tokenKey && event.newValue === null)) set(null)
    else if (event.key === tokenKey || event.key === userKey) set(restore())
  })
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useSession(): Session | null {
  return useSyncExternalStore(subscribe, () => current)
}

/** The session on screens that are shown only with a location chosen. */
export function useLocatedSession(): { user: SignedInUser; location: LocationCode } {
  const session = useSession()
  if (session === null || session.location === null) throw new Error('No location is chosen.')
  return { user: session.user, location: session.location }
}
