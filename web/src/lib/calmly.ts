/** Acts at once and then at most once in a while, however often it is asked; the last time it is asked counts. */
export function calmly(act: () => void, restMs: number): { ask: () => void; stop: () => void } {
  let resting: ReturnType<typeof setTimeout> | undefined
  let isAsked = false

  function ask(): void {
    isAsked = resting !== undefined
    if (isAsked) return
    resting = setTimeout(() => {
      resting = undefined
      if (isAsked) ask()
    }, restMs)
    act()
  }

  return { ask, stop: () => clearTimeout(resting) }
}
