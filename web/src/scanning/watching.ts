import { createSightings } from './sightings.ts'
import { passed } from '../lib/tasks.ts'

export type WatchOptions = {
  /** The codes that are in the picture. */
  read: () => Promise<string[]>
  onCode: (code: string) => void
  /** Whether a scanner types at a time, or has just done so. */
  isScanning: (at: number) => boolean
}

const lookEveryMs = 100
/** How long the last picture may keep the camera on. */
const lastLookMs = 1_000

/**
 * Looks at the picture again and again until it is told to stop; then once more, so that a code that was seen a moment ago is
 * taken all the same, also where a scanner has to finish first. The camera is let go after that look, or where it takes too
 * long, before its end.
 */
export function watch({ read, onCode, isScanning }: WatchOptions): (letGo: () => void) => Promise<void> {
  const sightings = createSightings(isScanning)
  let isOver = false
  let isFailing = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let looking = Promise.resolve()

  function take(codes: readonly string[]): void {
    for (const code of sightings.see(codes, performance.now())) onCode(code)
  }

  /** One picture may fail, and the next may not; what fails each time is reported once. */
  async function look(): Promise<void> {
    try {
      take(await read())
      isFailing = false
    } catch (error) {
      if (!isFailing) reportError(error)
      isFailing = true
    }
  }

  async function lookOn(): Promise<void> {
    await look()
    if (!isOver) timer = setTimeout(begin, lookEveryMs)
  }

  function begin(): void {
    looking = lookOn()
  }

  begin()
  return async (letGo) => {
    isOver = true
    clearTimeout(timer)
    const lastLook = looking.then(look)
    await Promise.race([lastLook, passed(lastLookMs)])
    letGo()
    await lastLook
    while (sightings.isKeeping()) {
      await passed(lookEveryMs)
      take([])
    }
  }
}
