import type { AroundNavHandler } from 'wouter'
import { settleAddress } from '../ui/use-address.ts'
import { floorStrip } from './floor-strip.ts'
import { screenAt } from './screens.tsx'
import { passed } from '../lib/tasks.ts'

/** For as long the screen before may stay; after that it is shown that something is coming. */
const longestWaitMs = 300

let latest = 0

function missingParts(address: string) {
  const screen = screenAt(address)
  if (screen === undefined) return []
  const parts = screen.onTheFloor === true ? [screen, floorStrip] : [screen]
  return parts.filter(({ isHere }) => !isHere())
}

/** A link leads to the top of its screen. Where one was stays with the entry of the history that is left. */
const goToTop: AroundNavHandler = (go, to, options) => {
  go(to, options)
  if (options?.replace !== true) scrollTo({ top: 0, behavior: 'instant' })
}

/** Brings what the screen of an address shows in the frame. */
export async function loadShown(address: string): Promise<void> {
  await Promise.all(missingParts(address).map(({ load }) => load()))
}

/**
 * Follows a link when the parts of the screen it leads to are here; until then the screen before stays, without a
 * 'Loading...' between the two. Of two links the later counts, and going back meanwhile ends the waiting, as in every browser.
 * What does not arrive is asked for again where it is shown.
 */
export const followWhenHere: AroundNavHandler = (go, to, options) => {
  settleAddress()
  latest += 1
  const own = latest
  const from = location.href
  if (missingParts(to).length === 0) {
    goToTop(go, to, options)
    return
  }
  Promise.race([Promise.allSettled([loadShown(to)]), passed(longestWaitMs)])
    .then(() => {
      if (own === latest && location.href === from) goToTop(go, to, options)
    })
    .catch(reportError)
}
