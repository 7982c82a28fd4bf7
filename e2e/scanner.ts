import { test, type CDPSession, type Page } from '@playwright/test'

type Key = { key: string; code?: string; text?: string; modifiers?: number; windowsVirtualKeyCode?: number }

const enter: Key = { key: 'Enter', code: 'Enter', text: '\r', windowsVirtualKeyCode: 13 }
const held = { modifiers: 2 }
const control: Key = { key: 'Control', code: 'ControlLeft', windowsVirtualKeyCode: 17, ...held }
const returns: Key = { key: 'm', code: 'KeyM', windowsVirtualKeyCode: 77, ...held }
const feeds: Key = { key: 'j', code: 'KeyJ', windowsVirtualKeyCode: 74, ...held }

/** What scanners end a code with: most one key, some what CR and LF are on a keyboard. */
const ends = { enter: [enter], twoEnters: [enter, enter], crLf: [control, returns, control, feeds] }

/** What separates elements of GS1, as scanners type it. */
const separator: Key[] = [control, { key: ']', code: 'BracketRight', windowsVirtualKeyCode: 221, ...held }]

/** A sign as it is typed on a German Mac, with Option. */
const option = { modifiers: 1 }
const at: Key[] = [
  { key: 'Alt', code: 'AltLeft', windowsVirtualKeyCode: 18, ...option },
  { key: '@', code: 'KeyL', text: '@', ...option },
]

const signs: Record<string, Key[] | undefined> = { '\u001D': separator, '@': at }

const keysOf = (line: string, end: keyof typeof ends = 'enter'): Key[] => [
  ...Array.from(line).flatMap((character) => signs[character] ?? { key: character, text: character }),
  ...ends[end],
]

const press = (session: CDPSession, key: Key & { timestamp?: number }) =>
  session.send('Input.dispatchKeyEvent', { type: 'keyDown', ...key })

const release = (session: CDPSession, { key }: Key) =>
  session.send('Input.dispatchKeyEvent', { type: 'keyUp', key })

const secondsBetween = 0.001

/**
 * Types lines as a keyboard-wedge scanner does, through the browser's own input events: each character down and up,
 * its end keys at the end, without waiting for anything the page does.
 */
export async function scanLines(
  page: Page,
  lines: string[],
  end: keyof typeof ends = 'enter',
): Promise<void> {
  const session = await page.context().newCDPSession(page)
  // A step of its own: outside one the runner looks through all calls before for the step that each key belongs to.
  await test.step('Scan lines', async () => {
    const keys = lines.flatMap((line) => keysOf(line, end))
    // When the scanner sent them, as a keyboard driver says, however late this machine hands them on.
    const start = Date.now() / 1000
    await Promise.all(
      keys.flatMap((key, index) => [
        press(session, { ...key, timestamp: start + index * secondsBetween }),
        release(session, key),
      ]),
    )
  })
  await session.detach()
}

/** Waits as long as people do between two things: what follows faster is read as one burst of a scanner. */
export async function pauseOfHand(page: Page): Promise<void> {
  await page.waitForTimeout(300)
}

async function typeAtPace(page: Page, lines: string[], perSecond: number): Promise<number> {
  const session = await page.context().newCDPSession(page)
  const sent: Promise<unknown>[] = []
  const start = performance.now()
  for (const [index, line] of lines.entries()) {
    const wait = start + (index * 1000) / perSecond - performance.now()
    // Also where it is late: whatever else this test does must have its turn.
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, wait)))
    const begun = Date.now() / 1000
    // Releasing the keys is left out: each event costs this test more than it costs the page.
    sent.push(
      ...keysOf(line).map((key, place) =>
        press(session, { ...key, timestamp: begun + place * secondsBetween }),
      ),
    )
  }
  await Promise.all(sent)
  await session.detach()
  return (performance.now() - start) / 1000
}

/** The same at a pace, in lines a second. Gives the seconds it took. */
export async function scanAtPace(page: Page, lines: string[], perSecond: number): Promise<number> {
  return await test.step('Scan at pace', () => typeAtPace(page, lines, perSecond))
}
