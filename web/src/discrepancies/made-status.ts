import type { Discrepancy } from '@inventory-manager/contract/discrepancies/endpoints'
import { discrepancyMessages } from '@inventory-manager/contract/discrepancies/messages'
import { placeName } from '../session/place-names.ts'
import type { Status } from './action-bar.tsx'
import { countSettled, isUndecided } from './choice.ts'
import type { Decision, Reopened } from './queries.ts'
import { decidedWords } from './words.ts'

type Made = {
  decided: number
  /** What was listed when it was made. */
  listed: readonly Discrepancy[]
}

/** What is said of a decision that was made; one that a single call takes back can be: what was settled with it stays so. */
export function madeStatus({ decision, items }: Decision, { decided, listed }: Made): Status {
  const said = { tone: 'good', text: decidedWords[decision](decided) } as const
  const [item, ...others] = items
  if (decision === 'recount' || item === undefined || others.length > 0) return said
  const settled = decision === 'accept' ? countSettled(listed.filter(isUndecided), items) : 0
  return settled > 0 ? said : { ...said, decided: item }
}

/** What is said of taking a decision back; where nobody answered it can be tried again. */
export function undoneStatus(decided: Discrepancy, outcome: Reopened): Status {
  if ('failure' in outcome) {
    const said = { tone: 'bad', text: outcome.failure } as const
    return outcome.isUnheard ? { ...said, decided } : said
  }
  const { sku, location } = decided
  return { tone: 'good', text: discrepancyMessages.reopened(sku, placeName(location), outcome.status) }
}
