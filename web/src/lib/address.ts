import { useEffect, useState } from 'react'

/** Browsers refuse a page that changes its address with each key. */
const settledMs = 300

/** What the address of the screen asks for, as it stands when the screen is shown. */
export function readAddress(): URLSearchParams {
  return new URLSearchParams(window.location.search)
}

/** Keeps what a screen was asked for in its address, where whoever comes back to it finds it; empty texts are left out. */
export function useKeptInAddress(asked: Readonly<Record<string, string>>): void {
  const [path] = useState(() => window.location.pathname)
  const given = Object.entries(asked).filter(([, value]) => value !== '')
  const search = new URLSearchParams(given).toString()
  useEffect(() => {
    const timer = setTimeout(() => {
      const { pathname, search: present } = window.location
      const wanted = search === '' ? '' : `?${search}`
      if (pathname === path && present !== wanted) history.replaceState(history.state, '', path + wanted)
    }, settledMs)
    return () => clearTimeout(timer)
  }, [path, search])
}
