/** Keeps a text for this tab. Where the browser has no room for it, the page goes on, and does not find it when it is loaded again. */
export function keepInTab(key: string, text: string): void {
  try {
    sessionStorage.setItem(key, text)
  } catch (error) {
    if (!(error instanceof DOMException)) throw error
    // What was kept before is not so any more.
    sessionStorage.removeItem(key)
  }
}
