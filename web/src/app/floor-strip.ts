import { part } from '../ui/part.tsx'

/** What others do at the location, and what they are asked to; above the screens of the floor, which can do without. */
export const floorStrip = part(
  async () => (await import('../counting/floor-strip.tsx')).FloorStrip,
  () => null,
)
