import { inPassing } from '../lib/in-passing.ts'
import { paths } from '../lib/paths.ts'

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

/** Asks for the parts of the screen that an address names. What does not arrive is asked for again where it is shown. */
export function askForParts(address: string): void {
  for (const load of [() => import('./signed-in.tsx'), ...(parts[address] ?? [])]) inPassing(load())
}
