import { dayAfter } from '../../calendar.ts'

/** How many SKUs one spot count has at the most, and how many spot counts of a company are not done at once. */
export const mostSpotSkus = 500
export const mostSpotCounts = 50

export const tooManySpotSkus = `Name at most ${mostSpotSkus} SKUs.`

/** How many of its SKUs a spot count is told with. */
export const skusNamed = 3

/** So many days ahead somebody can be asked for a spot count; and so long after that day what is not done is listed. */
export const spotDaysAhead = 31
export const spotDaysListed = 60

export const notDueSoon = `Choose a day from today to ${spotDaysAhead} days ahead.`

/** Whether a spot count can be asked for on a day by another. */
export function isDueSoon(due: string, today: string): boolean {
  return due >= today && due <= dayAfter(today, spotDaysAhead)
}

/** How far back, and through how many counts of a company, is looked for how long a SKU takes; fewer at the location tell nothing. */
export const paceDays = 30
export const paceCounts = 5_000
export const fewestMeasured = 20

/** What a SKU takes, in seconds, where too few were counted to measure it. */
export const usualSecondsPerSku = 30

/** After so many days without a count a SKU is as suspicious as one that never was counted. */
export const daysUntilUnknown = 180

/** The limits of what a plan is made for. */
export const mostPlanMinutes = 480
export const mostPlanPeople = 20

type Time = { minutes: number; people: number; secondsPerSku: number }

/** How many SKUs so many people count in so many minutes: at least one, and at most as many as a spot count has. */
export function skusIn({ minutes, people, secondsPerSku }: Time): number {
  return Math.min(mostSpotSkus, Math.max(1, Math.floor((minutes * 60 * people) / secondsPerSku)))
}

/** How many minutes so many people take for some SKUs, rounded up. */
export function minutesFor({
  skus,
  people,
  secondsPerSku,
}: Omit<Time, 'minutes'> & { skus: number }): number {
  return Math.ceil((skus * secondsPerSku) / people / 60)
}
