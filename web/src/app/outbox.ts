import { useEffect, useState } from 'react'
import { readOwner } from '../api/token.ts'

const retryMs = 5_000

async function load() {
  const { countOutbox, closeCountOutbox } = await import('../counting/count-outbox.ts')
  // Came with it.
  const { forgetKeptOfOthers } = await import('../outbox/database.ts')
  return { countOutbox, closeCountOutbox, forgetKeptOfOthers }
}

let loaded: ReturnType<typeof load> | undefined
let here: Awaited<ReturnType<typeof load>> | undefined

/** How many scans wait on a device to be sent, how many to be taken back, and how many for a decision. */
export type WaitingScans = { toSend: number; toTakeBack: number; toDecide: number }

type Jobs = ReturnType<Awaited<ReturnType<typeof load>>['closeCountOutbox']>

function countWaiting(jobs: Jobs): WaitingScans {
  const waiting = jobs.filter(({ state }) => state === 'waiting')
  return {
    toSend: waiting.filter(({ isEntry }) => isEntry).length,
    toTakeBack: waiting.filter(({ value }) => value.kind === 'undo').length,
    toDecide: jobs.filter(({ isEntry, state }) => isEntry && state === 'refused').length,
  }
}

export function isAnyWaiting({ toSend, toTakeBack, toDecide }: WaitingScans): boolean {
  return toSend + toTakeBack + toDecide > 0
}

/** Those of whoever is signed in; none before the part that sends them is here. */
export function waitingScans(): WaitingScans {
  return countWaiting(here?.countOutbox().getState().jobs ?? [])
}

/**
 * Sends what waits on this device for whoever is signed in, on every screen and not on the count screens only.
 * With nobody signed in it stops, and what waits stays; lists that were kept stay for whoever is signed in alone.
 * A network that is down when it begins is tried again. Answers what whoever was signed in last has left waiting.
 */
export function useOutbox(user: string | null): WaitingScans {
  const [left, setLeft] = useState(() => countWaiting([]))
  useEffect(() => {
    if (user === null && loaded === undefined) return undefined
    let retry: ReturnType<typeof setTimeout> | undefined
    let isOver = false
    function begin(): void {
      loaded ??= load()
      loaded
        .then(
          (counting) => {
            here = counting
            setLeft(countWaiting(user === null ? counting.closeCountOutbox() : []))
            if (user !== null) counting.countOutbox().wake()
            counting.forgetKeptOfOthers(readOwner()).catch(reportError)
          },
          () => {
            loaded = undefined
            if (!isOver) retry = setTimeout(begin, retryMs)
          },
        )
        .catch(reportError)
    }
    begin()
    return () => {
      isOver = true
      clearTimeout(retry)
    }
  }, [user])
  return left
}
