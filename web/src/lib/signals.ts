/** Ends as the first of two does. AbortSignal.any would do so, too, in browsers since 2024. */
export function eitherOf(one: AbortSignal, other: AbortSignal): AbortSignal {
  const over = new AbortController()
  for (const signal of [one, other]) {
    const end = () => over.abort(signal.reason)
    if (signal.aborted) end()
    else signal.addEventListener('abort', end, { signal: over.signal })
  }
  return over.signal
}
