import { countMessages } from '@inventory-manager/contract/counting/messages'
import { countingSessionId } from '@inventory-manager/contract/counting/rules'
import { useEffect, useState } from 'react'
import { ownKey, readOwner } from '../api/token.ts'
import { useLocatedSession } from '../session/session.ts'
import type { Tone } from '../ui/banner.tsx'

type SessionName = { kind: 'Monthly' | 'Weekly'; day?: string; location: string }

const statusMs = 3_000

export type Status = { tone: Tone; text: string }

export type Say = (status: Status | null) => void

/** A status message that goes by itself after three seconds (specification 9). */
export function useStatus() {
  const [status, setStatus] = useState<Status | null>(null)
  useEffect(() => {
    if (status === null) return undefined
    const timer = setTimeout(() => setStatus(null), statusMs)
    return () => clearTimeout(timer)
  }, [status])
  return { status, setStatus }
}

/**
 * One's own count of a list that everybody may count, and what is said of it. It goes on after a reload of the page: its
 * session is kept for this tab and this person.
 */
export function useCount({ kind, day, location }: SessionName) {
  const { user } = useLocatedSession()
  const { status, setStatus: say } = useStatus()
  const [owner] = useState(readOwner)
  const key = ownKey(['count', kind, day, location].join('_'), owner)
  const [stored, setStored] = useState({ key, session: sessionStorage.getItem(key) })
  // Another day is another count, which may have been started before.
  const session = stored.key === key ? stored.session : sessionStorage.getItem(key)

  /** Whether it is begun; why not, is said. */
  function begin(): boolean {
    if (user.tenantId === '') {
      say({ tone: 'bad', text: countMessages.invalidTenant })
      return false
    }
    const now = new Date()
    const parts = { kind, date: now.toISOString().slice(0, 10), location, milliseconds: now.getTime() }
    const id = countingSessionId(day === undefined ? parts : { ...parts, day })
    sessionStorage.setItem(key, id)
    setStored({ key, session: id })
    return true
  }

  function end(): void {
    sessionStorage.removeItem(key)
    setStored({ key, session: null })
  }

  return { session, begin, end, status, say }
}
