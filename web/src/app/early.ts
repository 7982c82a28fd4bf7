import { readToken } from '../api/token.ts'
import { paths } from '../lib/paths.ts'

/** What a screen that is opened by its address needs besides the frame; those opened most often on slow networks. */
const parts: Record<string, readonly (() => Promise<unknown>)[]> = {
  [paths.monthlyCount]: [
    () => import('../counting/floor-strip.tsx'),
    () => import('../counting/monthly-count-screen.tsx'),
  ],
  [paths.weeklyCount]: [
    () => import('../counting/floor-strip.tsx'),
    () => import('../counting/weekly-count-screen.tsx'),
  ],
}

/**
 * Loads the parts of the screen that the address names together: on a slow network each that asks for the next only when
 * it has arrived costs another way there and back. What does not arrive is asked for again where it is shown.
 */
export function loadEarly(path: string): void {
  if (readToken() === null) return
  for (const load of [() => import('./signed-in.tsx'), ...(parts[path] ?? [])]) load().catch(() => false)
}
