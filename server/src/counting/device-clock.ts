/** By less a clock is right enough: what a request takes on its way looks the same. */
const rightEnoughMs = 60_000

/**
 * When something happened by the clock here, of a device whose clock said `at` then and `sentAt` when it told us `now`. What it
 * does not say of its clock, it is believed.
 */
export function momentHere(at: Date, { sentAt, now }: { sentAt: Date | null; now: Date }): Date {
  const behindMs = sentAt === null ? 0 : now.getTime() - sentAt.getTime()
  return Math.abs(behindMs) > rightEnoughMs ? new Date(at.getTime() + behindMs) : at
}
