import { NothingYet } from '../ui/not-loaded.tsx'
import { part } from '../ui/part.tsx'

/** What others do at the location, and what they are asked to; above the screens of the floor. */
export const floorStrip = part(
  async () => (await import('../counting/floor-strip.tsx')).FloorStrip,
  NothingYet,
)
