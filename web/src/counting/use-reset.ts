import { countMessages } from '@inventory-manager/contract/counting/messages'
import { getLocation } from '@inventory-manager/contract/locations'
import { useState } from 'react'
import { messageOf } from '../api/api-error.ts'
import { useLocatedSession } from '../session/session.ts'
import type { Say } from './counting-session.ts'

/** How long a reset may take, in ms, before it is said to have failed: nothing is scanned meanwhile. */
export const resetPatienceMs = 15_000

type ResetOptions = {
  /** Throws where it was not done. */
  clear: () => Promise<void>
  /** The sentence for that. */
  failed: (message: string) => string
  say: Say
}

/** Resetting a count of the location: asked for, confirmed, done, and what came of it said. */
export function useReset({ clear, failed, say }: ResetOptions) {
  const { location } = useLocatedSession()
  const [isAsked, setAsked] = useState(false)

  async function confirm(): Promise<void> {
    try {
      await clear()
      say({ tone: 'good', text: countMessages.reset(getLocation(location).name) })
    } catch (failure) {
      say({ tone: 'bad', text: failed(messageOf(failure)) })
    }
    setAsked(false)
  }

  return { isAsked, ask: () => setAsked(true), drop: () => setAsked(false), confirm }
}
