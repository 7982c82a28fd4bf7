/** Acts a while after it was first asked, once for all who asked meanwhile. */
export function soon(act: () => void, afterMs: number): { ask: () => void; stop: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined

  function ask(): void {
    timer ??= setTimeout(() => {
      timer = undefined
      act()
    }, afterMs)
  }

  return { ask, stop: () => clearTimeout(timer) }
}
