import { createContext, lazy, use, useEffect, useState, type ComponentType } from 'react'
import { NotLoaded } from './not-loaded.tsx'

/**
 * A part of the program that is loaded when it is first shown, under a Suspense. Where `load` has brought it before, it is
 * shown at once: what React shows in place of a missing part stays for 300 ms, however soon the part comes.
 */
export type Part<Props> = {
  Content: ComponentType<Props>
  load: () => Promise<unknown>
  isHere: () => boolean
}

/** Asks again for the part that is missing here. */
const Retry = createContext<() => void>(() => undefined)

/** A part, with what is shown where it does not arrive, which can ask for it again. */
export function part<Props extends object>(
  bring: () => Promise<ComponentType<Props>>,
  Absent: ComponentType<{ retry: () => void }> = NotLoaded,
): Part<Props> {
  let brought: ComponentType<Props> | null = null
  async function load() {
    brought = await bring()
    return { default: brought }
  }
  const attempt = () => lazy<ComponentType<Props>>(() => load().catch(() => ({ default: Failed })))
  // Outside of the content, of which React forgets everything while it waits for the first time.
  let coming = attempt()
  function Failed() {
    const retry = use(Retry)
    // Whoever comes back later asks again.
    useEffect(
      () => () => {
        coming = attempt()
      },
      [],
    )
    return <Absent retry={retry} />
  }
  function Content(props: Props) {
    // For as long as it is shown, so that what comes meanwhile does not begin anew.
    const [Shown, show] = useState<ComponentType<Props>>(() => brought ?? coming)
    const retry = () => {
      coming = attempt()
      show(() => coming)
    }
    return (
      <Retry value={retry}>
        <Shown {...props} />
      </Retry>
    )
  }
  return { Content, load, isHere: () => brought !== null }
}
