import { countMessages } from '@inventory-manager/contract/counting/messages'
import { countingSessionBegan, countingSessionId } from '@inventory-manager/contract/counting/rules'
import { useEffect, useEffectEvent, useState } from 'react'
import { ownKey, readOwner } from '../api/token.ts'
import { keepInTab } from '../lib/tab.ts'
import { formKey, leaveFields } from '../scanning/saved-form.ts'
import { useLocatedSession } from '../session/session.ts'
import type { Tone } from '../ui/banner.tsx'
import { createCalendar, usePresent, watchClock } from './present-period.ts'

type SessionName = { kind: 'Monthly' | 'Weekly'; day?: string; location: string }

const statusMs = 3_000

export type Status = { tone: Tone; text: string }

export type Say = (status: Status | null) => void

/** A status message that goes by itself after three seconds (specification 9). */
export function useStatus() {
  const [status, setStatus] = useState<Status | null>(null)
  useEffect(() => {
    if (status === null) return undefined
    // Another may have been said meanwhile, and has its own three seconds.
    const timer = setTimeout(() => setStatus((now) => (now === status ? null : now)), statusMs)
    return () => clearTimeout(timer)
  }, [status])
  return { status, setStatus }
}

/**
 * One's own count of a list that everybody may count, and what is said of it. It goes on after a reload of the page: its
 * session is kept for this tab and this person, until the month or, in the weekly count, the day is over. One that runs then
 * goes on as another session: whoever scans is not interrupted.
 */
export function useCount({ kind, day, location }: SessionName) {
  const { user } = useLocatedSession()
  const { status, setStatus: say } = useStatus()
  const [owner] = useState(readOwner)
  const key = ownKey(['count', kind, day, location].join('_'), owner)
  const { calendar, present } = usePresent(kind === 'Weekly' ? 'day' : 'month')

  function isOver(id: string, { name }: { name: string }): boolean {
    const began = countingSessionBegan(id)
    return began === null || calendar.nameAt(began) !== name
  }

  function find() {
    const kept = sessionStorage.getItem(key)
    return { key, calendar, session: kept === null || isOver(kept, present) ? null : kept }
  }

  const [stored, setStored] = useState(find)
  /**
   * Where the company has moved to another zone, one that runs goes on, as another session if it is over there. One that was begun
   * before the calendar came goes on where it is not over, also in a tab that could not keep it.
   */
  function findAnew() {
    const { session: running, calendar: before } = stored
    const goesOn = running !== null && (before.zone !== undefined || !isOver(running, present))
    return stored.key === key && goesOn ? { ...stored, calendar } : find()
  }
  // Another day is another count, which may have been started before; and once the company's calendar is here, it is known
  // whether one is over.
  const count = stored.key === key && stored.calendar === calendar ? stored : findAnew()
  if (count !== stored) setStored(count)
  const { session } = count

  /** Whether it is begun; why not, is said. */
  function begin(): boolean {
    if (user.tenantId === '') {
      say({ tone: 'bad', text: countMessages.invalidTenant })
      return false
    }
    const now = new Date()
    const date = createCalendar('day', calendar.zone).nameAt(now)
    const parts = { kind, date, location, milliseconds: now.getTime() }
    const id = countingSessionId(day === undefined ? parts : { ...parts, day })
    // A count that goes on as another has its fields still, and keeps them by itself.
    const before = sessionStorage.getItem(key)
    if (before !== null) leaveFields({ from: before, to: id }, owner)
    keepInTab(key, id)
    setStored({ key, calendar, session: id })
    return true
  }

  function end(): void {
    sessionStorage.removeItem(formKey(sessionStorage.getItem(key) ?? '', owner))
    sessionStorage.removeItem(key)
    setStored({ key, calendar, session: null })
  }

  const look = useEffectEvent(() => {
    if (session !== null && isOver(session, calendar.present())) begin()
  })
  useEffect(() => watchClock(() => look()), [])

  return { session, begin, end, status, say }
}
