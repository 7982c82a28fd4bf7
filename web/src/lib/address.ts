import { useEffect, useEffectEvent, useState } from 'react'

/** Browsers refuse a page that changes its address with each key. */
const settledMs = 300

/** By whom the address was written, where a screen has done that; it stays with its entry of the history. */
function writer(): unknown {
  const state: unknown = history.state
  return typeof state === 'object' && state !== null && 'askedBy' in state ? state.askedBy : null
}

/** What the address asks for. What another person searched for in this tab is not for the next one. */
export function readAddress(owner: string): URLSearchParams {
  const by = writer()
  return new URLSearchParams(by === null || by === owner ? window.location.search : '')
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
    const own = (): void => {
      const { pathname, search: present } = window.location
      if (pathname === path && present !== search) history.replaceState({ askedBy: owner }, '', path + search)
    }
    write = own
    const timer = setTimeout(own, settledMs)
    return () => {
      clearTimeout(timer)
      if (write === own) write = () => undefined
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
