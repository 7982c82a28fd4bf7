import { useEffect, useRef, useState } from 'react'
import { readOwner } from '../api/token.ts'
import type { Unsent } from '../counting/count-outbox.ts'
import { inPassing } from '../lib/in-passing.ts'
import { passed } from '../lib/tasks.ts'
import { part } from '../ui/part.tsx'
import { bringCount } from './running-count.ts'
import type { WaitingScans } from './waiting-scans.tsx'

const retryMs = 5_000

/** What a screen shows first shares neither network nor processor with what sends scans that waited. */
const firstMs = 500

/** How long whoever logs out waits for what comes over the network, and for what this device has kept. */
const patienceMs = 1_000
const devicePatienceMs = 3_000

/** What is said of scans that wait. It comes with what sends them: later there may be no network. */
export const waitingSentences = part(
  async () => (await import('./waiting-scans.tsx')).WaitingSentences,
  () => null,
)

/** What is said of them on every screen but those that count; it comes with what sends them, too. */
export const queueSign = part(
  async () => (await import('./queue-sign.tsx')).QueueSign,
  () => null,
)

/** Asked of whoever logs out; it comes with those sentences. */
export const logoutDialog = part(async () => (await import('./waiting-scans.tsx')).LogoutDialog)

async function load() {
  const [{ countOutbox, closeCountOutbox }] = await Promise.all([
    import('../counting/count-outbox.ts'),
    waitingSentences.load(),
    queueSign.load(),
    logoutDialog.load(),
    bringCount(),
  ])
  // Came with it.
  const { forgetKeptOfOthers } = await import('../outbox/database.ts')
  return { countOutbox, closeCountOutbox, forgetKeptOfOthers }
}

type Sending = Awaited<ReturnType<typeof load>>

let loaded: Promise<Sending> | undefined

/** What sends scans; asked for again where it did not arrive. */
function bring(): Promise<Sending> {
  loaded ??= load().catch((error: unknown) => {
    loaded = undefined
    throw error
  })
  return loaded
}

const nothing: Unsent = { jobs: [], isKeptByPage: false, pieces: 0 }

function countWaiting({ jobs, isKeptByPage, pieces }: Unsent): WaitingScans {
  const waiting = jobs.filter(({ state }) => state === 'waiting')
  return {
    toSend: waiting.filter(({ value }) => value.kind === 'entry').length,
    toTakeBack: waiting.filter(({ value }) => value.kind === 'undo').length,
    toNote: waiting.filter(({ value }) => value.kind === 'note').length,
    toDecide: jobs.filter(({ value, state }) => value.kind === 'entry' && state === 'refused').length,
    toEnter: pieces,
    isKeptByPage,
  }
}

export function isAnyWaiting({ toSend, toTakeBack, toNote, toDecide, toEnter }: WaitingScans): boolean {
  return toSend + toTakeBack + toNote + toDecide + toEnter > 0
}

/** What work gives; null where it fails or takes longer. */
async function within<T>(ms: number, work: Promise<T>): Promise<T | null> {
  const [done] = await Promise.allSettled([Promise.race([work, passed(ms)])])
  return (done.status === 'fulfilled' ? done.value : null) ?? null
}

/** Those of whoever is signed in; none where what keeps them does not arrive in a moment: then nothing was scanned on this page. */
export async function waitingScans(): Promise<WaitingScans> {
  // With it comes what forgets the lists of whoever goes.
  inPassing(bring())
  // By itself: where somebody counts it is here, even if the network went before all that is brought with it had come.
  const counting = await within(patienceMs, import('../counting/count-outbox.ts'))
  const found = counting === null ? null : await within(devicePatienceMs, counting.unsent())
  return countWaiting(found ?? nothing)
}

/**
 * Sends what waits on this device for whoever is signed in, on every screen and not on the count screens only.
 * With nobody signed in it stops, and what waits stays; lists that were kept stay for whoever is signed in alone.
 * A network that is down when it begins is tried again. Answers what whoever was signed in last has left waiting.
 */
export function useOutbox(user: string | null): WaitingScans {
  const [left, setLeft] = useState(() => countWaiting(nothing))
  const wasAnybodyHere = useRef(false)
  useEffect(() => {
    wasAnybodyHere.current ||= user !== null
    // Whoever was signed out within the first moment may have counted in it.
    if (!wasAnybodyHere.current && loaded === undefined) return undefined
    let isOver = false
    function begin(): void {
      bring()
        .then(
          (counting) => {
            setLeft(countWaiting(user === null ? counting.closeCountOutbox() : nothing))
            if (user !== null) counting.countOutbox().wake()
            counting.forgetKeptOfOthers(readOwner()).catch(reportError)
          },
          () => {
            if (!isOver) timer = setTimeout(begin, retryMs)
          },
        )
        .catch(reportError)
    }
    const isLater = loaded === undefined && user !== null
    let timer = isLater ? setTimeout(begin, firstMs) : undefined
    if (!isLater) begin()
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [user])
  return left
}
