import { lazy, useState, type ComponentType } from 'react'

/**
 * A part of the program that is loaded when it is first shown, under a Suspense. Where `load` has brought it before, it is
 * shown at once: what React shows in place of a missing part stays for 300 ms, however soon the part comes.
 */
export type Part<Props> = {
  Content: ComponentType<Props>
  load: () => Promise<unknown>
  isHere: () => boolean
}

export function part<Props extends object>(bring: () => Promise<ComponentType<Props>>): Part<Props> {
  let brought: ComponentType<Props> | null = null
  async function load() {
    brought = await bring()
    return { default: brought }
  }
  const Missing = lazy(load)
  function Content(props: Props) {
    // For as long as it is shown, so that what comes meanwhile does not begin anew.
    const [Shown] = useState<ComponentType<Props>>(() => brought ?? Missing)
    return <Shown {...props} />
  }
  return { Content, load, isHere: () => brought !== null }
}
