/** A pause that ends early when the network or the page comes back, or what it is made for is stopped. */
export function rest(milliseconds: number, stopped: AbortSignal): Promise<void> {
  const over = new AbortController()
  const { signal } = over
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      over.abort()
      resolve()
    }
    const timer = setTimeout(end, milliseconds)
    stopped.addEventListener('abort', end, { signal })
    window.addEventListener('online', end, { signal })
    document.addEventListener('visibilitychange', end, { signal })
  })
}
