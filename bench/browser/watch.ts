/** What the page itself notes of scans and keys; times in milliseconds on the page's clock. */
export type Notes = {
  /** When each Enter was pressed, by the browser's own clock of input. */
  enters: number[]
  /** When a result was on the screen, in the order of the scans. */
  results: { code: string; at: number }[]
  /** The server's part of each count: from the request's first byte out to the answer's last byte in. */
  answers: number[]
  /**
   * What each letter typed into a search field keeps the page busy with: from the press of the key until its handlers are
   * done, and the frame that shows it. What is searched afterwards gives way to the next key, and is not counted.
   */
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
  let pressed = 0
  const isSearch = ({ target }: Event) => target instanceof HTMLInputElement && target.type === 'search'
  addEventListener('keydown', () => (pressed = performance.now()), { capture: true })
  // The last to hear of it: what it led to is done, drawn and on the page.
  addEventListener('input', (event) => {
    if (!isSearch(event) || pressed === 0) return
    const handled = performance.now() - pressed
    pressed = 0
    requestAnimationFrame(() => {
      const frame = performance.now()
      const note = () => notes.letters.push(handled + performance.now() - frame)
      scheduler.postTask(note, { priority: 'user-blocking' }).catch(reportError)
    })
  })
  new MutationObserver(() => {
    const code = document.querySelector('[data-result] p.font-mono')?.textContent ?? ''
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
