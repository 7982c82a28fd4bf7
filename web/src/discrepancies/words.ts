import { formatNumber } from '../lib/numbers.ts'
import type { KeyWords } from '../ui/keys.tsx'
import type { Filters } from './queries.ts'

export const keyWords: KeyWords = [
  ['↓', 'to the list, and its next difference; there also j'],
  ['↑', 'previous difference; in the list also k'],
  ['x', 'in the list: choose it, or not'],
  ['a', 'in the list: accept what is chosen, or this one'],
  ['r', 'in the list: ask for a recount'],
  ['d', 'in the list: dismiss'],
  ['Esc', 'choose nothing'],
]

/** What is said where nothing passes the filters. */
export const emptyWords: Record<Filters['status'], string> = {
  '': 'No differences',
  attempted: 'No SKU waits for its second count',
  open: 'Nothing to decide',
  recount: 'No recount is waiting',
  matched: 'No difference went away by itself',
  accepted: 'Nothing was accepted',
  dismissed: 'Nothing was dismissed',
}

const anyCount = 'Differences appear here as soon as somebody counts them.'
const decisions = 'What was decided appears here. Other differences stand under "All".'

/** What is said below that. */
export const emptyHints: Record<Filters['status'], string> = {
  '': anyCount,
  attempted: anyCount,
  open: anyCount,
  recount: 'Ask for one at a difference that is open.',
  matched: 'A difference goes away by itself when a later count matches.',
  accepted: decisions,
  dismissed: decisions,
}

/** What is said of a decision that was made. */
export const decidedWords = {
  accept: (count: number) => `${formatNumber(count)} accepted and posted to today’s stock.`,
  recount: (count: number) =>
    `Recount of ${formatNumber(count)} requested: shown to everyone except the first counter.`,
  dismiss: (count: number) => `${formatNumber(count)} dismissed. Stock stays as it is.`,
}
