import { mostPlanMinutes, mostPlanPeople } from '@inventory-manager/contract/counting/spot/spot-count-rules'

/** How long people count, and how many, as it is typed. */
export type PlanTime = { minutes: string; people: string }

function isWholeTo(max: number, typed: string): boolean {
  return /^[1-9]\d{0,3}$/.test(typed.trim()) && Number(typed) <= max
}

/** What is wrong with the time; nothing where nothing is. */
export function faultsOfTime({ minutes, people }: PlanTime): Partial<PlanTime> {
  return {
    ...(isWholeTo(mostPlanMinutes, minutes) ? {} : { minutes: `From 1 to ${mostPlanMinutes} minutes.` }),
    ...(isWholeTo(mostPlanPeople, people) ? {} : { people: `From 1 to ${mostPlanPeople} people.` }),
  }
}
