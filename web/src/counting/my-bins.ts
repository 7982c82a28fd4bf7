import { useMemo, useState, useSyncExternalStore } from 'react'
import { ownKey, readOwner } from '../api/token.ts'
import { createValue } from '../lib/value.ts'
import { useLocatedSession } from '../session/session.ts'

/** Changes with each choice, and with what is learned: all that follows it reads anew. */
const changes = createValue(0)

const tellChange = () => changes.set(changes.get() + 1)

/** Names of bins hold no line ends; each ends with one, since '' is one of them. */
const write = (bins: readonly string[]) => bins.map((name) => `${name}\n`).join('')
const read = (kept: string) => kept.split('\n').slice(0, -1)

const keyOf = (name: 'my_bins' | 'all_bins', location: string) => ownKey(`${name}_${location}`, readOwner())

/**
 * Keeps on this device which bins of a location whoever is signed in is asked to count this month; none is all of it, and all of it is
 * what they see where the device has no room for them.
 */
export function learnMyBins(location: string, bins: readonly string[]): void {
  const key = keyOf('my_bins', location)
  if ((localStorage.getItem(key) ?? '') === write(bins)) return
  localStorage.removeItem(key)
  try {
    if (bins.length > 0) localStorage.setItem(key, write(bins))
  } catch (error) {
    if (!(error instanceof DOMException)) throw error
  }
  tellChange()
}

/**
 * The bins of the location that whoever is signed in is asked to count, as this device last heard, whether there is a network or not;
 * and whether they want to see these alone, which they do until they say otherwise.
 */
export function useMyBins() {
  const { location } = useLocatedSession()
  const [keys] = useState(() => ({ bins: keyOf('my_bins', location), all: keyOf('all_bins', location) }))
  const kept = useSyncExternalStore(changes.subscribe, () => localStorage.getItem(keys.bins) ?? '')
  const isAll = useSyncExternalStore(changes.subscribe, () => localStorage.getItem(keys.all) === 'on')
  return {
    bins: useMemo(() => read(kept), [kept]),
    isOnly: kept !== '' && !isAll,
    setOnly: (isOnly: boolean) => {
      if (isOnly) localStorage.removeItem(keys.all)
      else localStorage.setItem(keys.all, 'on')
      tellChange()
    },
  }
}
