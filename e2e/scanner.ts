import { test, type Page } from '@playwright/test'

type Key = { key: string; code?: string; text: string; windowsVirtualKeyCode?: number }

const enter: Key = { key: 'Enter', code: 'Enter', text: '\r', windowsVirtualKeyCode: 13 }

async function typeAtPace(page: Page, lines: string[], perSecond: number): Promise<number> {
  const session = await page.context().newCDPSession(page)
  const sent: Promise<unknown>[] = []
  // Releasing the keys is left out: each event costs this test more than it costs the page.
  const press = (key: Key) => sent.push(session.send('Input.dispatchKeyEvent', { type: 'keyDown', ...key }))
  const start = performance.now()
  for (const [index, line] of lines.entries()) {
    const wait = start + (index * 1000) / perSecond - performance.now()
    // Also where it is late: whatever else this test does must have its turn.
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, wait)))
    for (const character of line) press({ key: character, text: character })
    press(enter)
  }
  await Promise.all(sent)
  await session.detach()
  return (performance.now() - start) / 1000
}

/**
 * Types lines at a pace, in lines a second, as a keyboard-wedge scanner does: through the browser's own input events,
 * without waiting for anything the page does. Gives the seconds it took.
 */
export async function scanAtPace(page: Page, lines: string[], perSecond: number): Promise<number> {
  // A step of its own: outside one the runner looks through all calls before for the step that each key belongs to.
  return await test.step('Scan at pace', () => typeAtPace(page, lines, perSecond))
}
