import { countingSessionId } from '@inventory-manager/contract/counting/rules'
import { useEffect, useState } from 'react'
import { ownKey, readOwner } from '../api/token.ts'
import type { Tone } from '../ui/banner.tsx'

type SessionName = { kind: 'Monthly' | 'Weekly'; day?: string; location: string }

/** A count goes on after a reload of the page: its session is kept for this tab and this person. */
export function useCountingSession({ kind, day, location }: SessionName) {
  const [owner] = useState(readOwner)
  const key = ownKey(['count', kind, day, location].join('_'), owner)
  const [stored, setStored] = useState({ key, session: sessionStorage.getItem(key) })
  // Another day is another count, which may have been started before.
  const session = stored.key === key ? stored.session : sessionStorage.getItem(key)
  return {
    session,
    start() {
      const now = new Date()
      const parts = { kind, date: now.toISOString().slice(0, 10), location, milliseconds: now.getTime() }
      const id = countingSessionId(day === undefined ? parts : { ...parts, day })
      sessionStorage.setItem(key, id)
      setStored({ key, session: id })
    },
    end() {
      sessionStorage.removeItem(key)
      setStored({ key, session: null })
    },
  }
}

const statusMs = 3_000

/** A status message that goes by itself after three seconds (specification 9). */
export function useStatus() {
  const [status, setStatus] = useState<{ tone: Tone; text: string } | null>(null)
  useEffect(() => {
    if (status === null) return undefined
    const timer = setTimeout(() => setStatus(null), statusMs)
    return () => clearTimeout(timer)
  }, [status])
  return { status, setStatus }
}
