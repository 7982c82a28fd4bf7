import { lazy, startTransition, useEffect, useState, useSyncExternalStore, type ComponentType } from 'react'
import { createFaultReport } from '../lib/part-faults.ts'
import { NotLoaded, type AbsentProps } from './not-loaded.tsx'

/**
 * A part of the program that is loaded when it is first shown, under a Suspense. Where `load` has brought it before, it is
 * shown at once: what React shows in place of a missing part stays for 300 ms, however soon the part comes.
 */
export type Part<Props> = {
  Content: ComponentType<Props>
  load: () => Promise<unknown>
  isHere: () => boolean
  /** The same as it changes, for what is shown only once something else has brought it. */
  useIsHere: () => boolean
}

const retryMs = 5_000

/**
 * A part, with what is shown where it did not arrive. It is asked for again meanwhile, as soon as there is a network and every
 * few seconds, and shown whoever has brought it. Where not the network but the program is at fault, that is reported.
 */
export function part<Props extends object>(
  bring: () => Promise<ComponentType<Props>>,
  Absent: ComponentType<AbsentProps & Props> = NotLoaded,
): Part<Props> {
  let brought: ComponentType<Props> | null = null
  const isHere = () => brought !== null
  const watchers = new Set<() => void>()
  function watch(watcher: () => void) {
    watchers.add(watcher)
    return () => void watchers.delete(watcher)
  }
  async function load() {
    brought = await bring()
    for (const watcher of watchers) watcher()
    return { default: brought }
  }
  const reportFault = createFaultReport()
  const askAgain = () => load().catch(reportFault)

  function Missing(props: Props) {
    const isMissing = !useSyncExternalStore(watch, isHere)
    useEffect(() => {
      if (!isMissing) return undefined
      const timer = setInterval(() => void askAgain(), retryMs)
      const ask = () => void askAgain()
      addEventListener('online', ask)
      return () => {
        clearInterval(timer)
        removeEventListener('online', ask)
        // Whoever comes back later waits for it anew.
        coming = attempt()
      }
    }, [isMissing])
    return isMissing ? <Absent {...props} onRetry={askAgain} /> : <Content {...props} />
  }

  async function loadOrSay() {
    try {
      return await load()
    } catch (error) {
      reportFault(error)
      return { default: Missing }
    }
  }
  const attempt = () => lazy<ComponentType<Props>>(loadOrSay)
  // Outside of the content, of which React forgets everything while it waits for the first time.
  let coming = attempt()
  function Content(props: Props) {
    // For as long as it is shown, so that what comes meanwhile does not begin anew.
    const [Shown] = useState<ComponentType<Props>>(() => brought ?? coming)
    return <Shown {...props} />
  }

  function useIsHere(): boolean {
    const [isKnown, setKnown] = useState(isHere)
    useEffect(() => {
      // Nobody asked for it: it is drawn in pieces of a few milliseconds.
      const look = () => startTransition(() => setKnown(isHere()))
      look()
      return watch(look)
    }, [])
    return isKnown
  }

  return { Content, load, isHere, useIsHere }
}
