import { statusWords } from '../discrepancies/messages.ts'
import { howMany, wholeNumber } from '../numbers.ts'
import { mostSessions } from './rules.ts'

const words: Record<string, string> = statusWords

/** What was decided about a difference, in a word or two. */
export function decisionWord(status: string): string {
  return words[status] ?? status
}

/** Why lines differ: the reason given, else what became of them. */
export function causeWord({ status, reason }: { status: string; reason: string | null }): string {
  const given = reason?.trim() ?? ''
  if (given === '') return status === 'accepted' ? 'Accepted without a reason' : decisionWord(status)
  return status === 'dismissed' ? `Dismissed: ${given}` : given
}

/** How many lines that differ are in no value: '3 of 12 differing lines have no unit cost'. */
export function withoutCost(without: number, lines: number): string {
  const differing = howMany(lines, 'differing line')
  return `${wholeNumber(without)} of ${differing} ${without === 1 ? 'has' : 'have'} no unit cost`
}

/** What is said of the list of counting sessions. */
export const sessionMessages = {
  looking: 'Looking for sessions...',
  more: `The newest ${mostSessions} sessions. Choose a location to see older ones.`,
  moreHere: `The newest ${mostSessions} sessions.`,
  notThere: 'This session has no recorded counts in this month.',
  notListed: `This session is not among the newest ${mostSessions} of this month.`,
} as const

/** What is said of first counts, which are in no figure. */
export function firstCountsInWords(first: number): string {
  return `${howMany(first, 'first count')} set the stock of what nothing was known of before: no line, as there was nothing to be right about.`
}

export const accuracyMessages = {
  loading: (message: string) => `Error loading accuracy: ${message}`,
  about:
    'Inventory record accuracy is the share of counted lines whose count was what the stock said. A line is one count of one SKU at one location. Differences are never netted: a surplus does not make up for what is missing elsewhere. A dismissed difference stays a difference.',
  aboutValues:
    'Values are at the unit cost when a difference was decided, and at that of today while it waits.',
} as const
