import { useMemo, useState } from 'react'
import { useLocatedSession } from '../../session/session.ts'
import { keepOwnText, ownTextKey, useOwnText } from '../own-text.ts'

/** Names of bins hold no line ends; each ends with one, since '' is one of them. */
const write = (bins: readonly string[]) => bins.map((name) => `${name}\n`).join('')
const read = (kept: string) => kept.split('\n').slice(0, -1)

/**
 * Keeps on this device which bins of a location whoever is signed in is asked to count this month; none is all of it, and all of it is
 * what they see where the device has no room for them.
 */
export function learnMyBins(location: string, bins: readonly string[]): void {
  keepOwnText(ownTextKey('my_bins', location), write(bins))
}

/**
 * The bins of the location that whoever is signed in is asked to count, as this device last heard, whether there is a network or not;
 * and whether they want to see these alone, which they do until they say otherwise.
 */
export function useMyBins() {
  const { location } = useLocatedSession()
  const [keys] = useState(() => ({
    bins: ownTextKey('my_bins', location),
    all: ownTextKey('all_bins', location),
  }))
  const kept = useOwnText(keys.bins)
  const isAll = useOwnText(keys.all) === 'on'
  return {
    bins: useMemo(() => read(kept), [kept]),
    isOnly: kept !== '' && !isAll,
    setOnly: (isOnly: boolean) => keepOwnText(keys.all, isOnly ? '' : 'on'),
  }
}
