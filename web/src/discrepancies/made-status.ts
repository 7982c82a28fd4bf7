import type { Discrepancy } from '@inventory-manager/contract/discrepancies/endpoints'
import type { Status } from './action-bar.tsx'
import { countSettled, isUndecided } from './choice.ts'
import type { Decision } from './queries.ts'
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
