import { inPassing } from '../lib/in-passing.ts'
import { paths } from '../lib/paths.ts'
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

/** Asks for the parts of the screen that an address names. What does not arrive is asked for again where it is shown. */
export function askForParts(address: string): void {
  const own = parts[address] ?? []
  const running = own.length > 0 && isCounting() ? [bringCount] : []
  for (const load of [() => import('./signed-in.tsx'), ...own, ...running]) inPassing(load())
}
