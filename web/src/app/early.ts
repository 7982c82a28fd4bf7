import { inPassing } from '../lib/in-passing.ts'
import { paths } from '../lib/paths.ts'
import { nextTask } from '../lib/tasks.ts'
import { bringCount } from './running-count.ts'

/** What a screen needs besides the frame; of those that are opened by their address most often on slow networks. */
const parts: Record<string, readonly (() => Promise<unknown>)[]> = {
  [paths.overview]: [() => import('../overview/overview-screen.tsx')],
  [paths.monthlyCount]: [
    () => import('../counting/floor-strip.tsx'),
    () => import('../counting/monthly-count-screen.tsx'),
  ],
  [paths.weeklyCount]: [
    () => import('../counting/floor-strip.tsx'),
    () => import('../counting/weekly-count-screen.tsx'),
  ],
}

/** Whether a count of this tab may go on at once; its session is kept there. */
const isCounting = () => Object.keys(sessionStorage).some((key) => key.startsWith('count_'))

const countScreens: readonly string[] = [paths.monthlyCount, paths.weeklyCount]

/**
 * Brings what counts while the screen is being drawn, when the network has brought all that it is drawn with; at once where a count
 * may go on.
 */
async function bringCountAfter(screen: readonly Promise<unknown>[]): Promise<void> {
  // The browser asks another process for what a tab keeps: not before all the rest is asked for.
  await nextTask()
  if (!isCounting()) await Promise.all(screen)
  await bringCount()
}

/** Asks for the parts of the screen that an address names. What does not arrive is asked for again where it is shown. */
export function askForParts(address: string): void {
  const asked = [() => import('./signed-in.tsx'), ...(parts[address] ?? [])].map((load) => load())
  for (const each of asked) inPassing(each)
  if (countScreens.includes(address)) inPassing(bringCountAfter(asked))
}
