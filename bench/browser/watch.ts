/** What the page itself notes of scans and keys; times in milliseconds on the page's clock. */
export type Notes = {
  /** When each Enter was pressed, by the browser's own clock of input. */
  enters: number[]
  /** When a result was on the screen, in the order of the scans. */
  results: { code: string; at: number }[]
  /** The server's part of each count: from the request's first byte out to the answer's last byte in. */
  answers: number[]
  /** Main-thread time of each letter typed into a search field, with the frame it led to. */
  letters: number[]
}

declare global {
  interface Window {
    notes: Notes
  }
}

/** Runs in the page before anything of its own. */
export function watchPage(): void {
  const notes: Notes = { enters: [], results: [], answers: [], letters: [] }
  window.notes = notes
  let last = ''

  /** Calls when the present task, or the frame that is being made, is over. */
  const afterwards = (done: () => void): void => {
    const { port1, port2 } = new MessageChannel()
    port1.addEventListener('message', () => {
      port1.close()
      done()
    })
    port1.start()
    port2.postMessage(null)
  }

  addEventListener('keydown', ({ key, timeStamp }) => key === 'Enter' && notes.enters.push(timeStamp), {
    capture: true,
  })
  addEventListener(
    'input',
    ({ target }) => {
      if (!(target instanceof HTMLInputElement) || target.type !== 'search') return
      const start = performance.now()
      const place = notes.letters.push(0) - 1
      const add = (from: number) =>
        (notes.letters[place] = (notes.letters[place] ?? 0) + performance.now() - from)
      afterwards(() => add(start))
      requestAnimationFrame(() => {
        const frame = performance.now()
        afterwards(() => add(frame))
      })
    },
    { capture: true },
  )
  new MutationObserver(() => {
    const code = document.querySelector('[role=status] p.font-mono')?.textContent ?? ''
    if (code === '' || code === last) return
    last = code
    requestAnimationFrame(() => afterwards(() => notes.results.push({ code, at: performance.now() })))
  }).observe(document, { subtree: true, childList: true, characterData: true })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (!(entry instanceof PerformanceResourceTiming) || !entry.name.endsWith('update-with-tracking'))
        continue
      notes.answers.push(entry.responseEnd - entry.requestStart)
    }
  }).observe({ type: 'resource' })
}
