import { useEffect, useEffectEvent, useState } from 'react'
import { newId } from '../lib/ids.ts'

/** Browsers refuse a page that changes its address with each key. */
const settledMs = 300

type Mark = { askedBy: unknown; entry: unknown }

const noMark: Mark = { askedBy: null, entry: null }

/** By whom the address was written, and its name, where a screen has done that; it stays with its entry of the history. */
function readMark(): Mark {
  const state: unknown = history.state
  return typeof state === 'object' && state !== null ? { ...noMark, ...state } : noMark
}

/** What was not in its address yet when the way back led away from it, by its entry of the history. */
const left = new Map<unknown, string>()

/** What the address asks for. What another person searched for in this tab is not for the next one. */
export function readAddress(owner: string): URLSearchParams {
  const { askedBy, entry } = readMark()
  if (askedBy !== null && askedBy !== owner) return new URLSearchParams()
  return new URLSearchParams(left.get(entry) ?? window.location.search)
}

/** Gives the present entry of the history a name, one for each person who asks in it. */
function nameEntry(owner: string): unknown {
  const { askedBy, entry } = readMark()
  if (entry !== null && askedBy === owner) return entry
  const name = newId()
  history.replaceState({ askedBy: owner, entry: name }, '')
  return name
}

/** Kept with an entry of the history to which an address led that is none of a screen. */
export const fromNowhere = { isFromNowhere: true }

export function isFromNowhere(): boolean {
  const state: unknown = history.state
  return typeof state === 'object' && state !== null && 'isFromNowhere' in state
}

let write = (): void => undefined

/** Brings the address up to date before its screen is left. */
export function settleAddress(): void {
  write()
}

type Keeping = {
  owner: string
  /** A link or the way back asks the screen that is shown for something else. */
  onAsked: (address: URLSearchParams) => void
}

/** Keeps what a screen was asked for in its address, where whoever comes back to it finds it; empty texts are left out. */
export function useKeptInAddress(asked: Readonly<Record<string, string>>, { owner, onAsked }: Keeping): void {
  const [path] = useState(() => window.location.pathname)
  const given = Object.entries(asked).filter(([, value]) => value !== '')
  const text = new URLSearchParams(given).toString()
  const search = text === '' ? '' : `?${text}`
  useEffect(() => {
    if (window.location.pathname !== path || window.location.search === search) return undefined
    const entry = nameEntry(owner)
    let isWritten = false
    const own = (): void => {
      if (isWritten || readMark().entry !== entry) return
      isWritten = true
      left.delete(entry)
      history.replaceState({ askedBy: owner, entry }, '', path + search)
    }
    write = own
    const timer = setTimeout(own, settledMs)
    return () => {
      clearTimeout(timer)
      if (write === own) write = () => undefined
      // The way back is told when it is gone: the entry that was left can be written no more.
      if (!isWritten && readMark().entry !== entry) left.set(entry, search)
    }
  }, [path, search, owner])

  const look = useEffectEvent(() => {
    const { pathname, search: present } = window.location
    if (pathname === path && present !== search) onAsked(readAddress(owner))
  })
  useEffect(() => {
    const listen = () => look()
    for (const moved of ['popstate', 'pushState']) window.addEventListener(moved, listen)
    return () => {
      for (const moved of ['popstate', 'pushState']) window.removeEventListener(moved, listen)
    }
  }, [])
}
