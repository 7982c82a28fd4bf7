import { findLocation, type LocationCode } from '@inventory-manager/contract/locations'
import { planOffers, type PlanKey } from '@inventory-manager/contract/plans'
import type { ListedComponent, StockLine } from '@inventory-manager/contract/stock/component-endpoints'
import { formatNumber } from '../lib/numbers.ts'
import { ownLocationNames, placeName } from '../session/place-names.ts'

/** Whether there is less than is wanted; where nothing is wanted, nothing is too little. */
export function isLow({ quantity, minimum }: { quantity: number; minimum: number | null }): boolean {
  return minimum !== null && quantity < minimum
}

/** Whether a component is low at a place that the plan has: nobody can do anything about the others. */
export function isLowIn(plan: PlanKey, line: Pick<StockLine, 'location' | 'quantity' | 'minimum'>): boolean {
  const location = findLocation(line.location)
  return location !== null && planOffers(plan, location.code) && isLow(line)
}

type Placed = Pick<ListedComponent, 'stock' | 'placements' | 'arriving'>

/** How much of a component lies at a location, in which bin, and how much should. */
export function placedAt({ stock, placements }: Placed, location: LocationCode) {
  const placement = placements.find((candidate) => candidate.location === location)
  return {
    location,
    quantity: stock[location] ?? 0,
    bin: placement?.bin ?? '',
    minimum: placement?.minimum ?? null,
  }
}

const lettersOfShortName = 16

/** What tells a location from the others, where there is no room for its whole name: of a standard one its first word. */
function shortName(location: LocationCode): string {
  const own = ownLocationNames()[location]
  if (own === undefined) return placeName(location).split(' ')[0] ?? ''
  const letters = Array.from(own)
  return letters.length > lettersOfShortName ? `${letters.slice(0, lettersOfShortName - 1).join('')}…` : own
}

/** Where among some locations a component is low, of how much, and what is on its way there: short, because each is a line on a phone. */
export function lowWords(component: Placed, locations: readonly LocationCode[]): string[] {
  return locations.flatMap((location) => {
    const { quantity, minimum } = placedAt(component, location)
    if (minimum === null || !isLow({ quantity, minimum })) return []
    const arriving = component.arriving?.[location] ?? 0
    const coming = arriving === 0 ? '' : ` (${formatNumber(arriving)} on its way)`
    return [`${shortName(location)} ${formatNumber(quantity)} of ${formatNumber(minimum)}${coming}`]
  })
}

/** Letters that a line of a phone has room for, in a font as wide as any. */
const lettersOfLine = 32

/** How many lines the words of where something is low take: one where there is room for all, else one for each at least. */
export function linesOf(words: readonly string[], isNarrow: boolean): number {
  if (!isNarrow) return Math.min(words.length, 1)
  return words.reduce((lines, { length }) => lines + Math.ceil(length / lettersOfLine), 0)
}
