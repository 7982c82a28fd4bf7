import { wholeNumber } from '../numbers.ts'
import type { AuditFault, AuditFaultKind } from './endpoints.ts'

const whatHappened: Record<AuditFaultKind, string> = {
  changed: 'was changed after it was written',
  missing: 'was removed',
  inserted: 'was put in later',
  reordered: 'does not follow the entry before it: the order or the seals were changed',
}

/** Sentences of the audit screen (specification 8). */
export const auditMessages = {
  notAuthenticated: 'Not authenticated. Please log in again.',
  failed: (message: string) => `Failed to load audit data: ${message}`,
  backwards: 'The end date is before the start date.',
  lookedBackTo: (date: string) => `The trail was searched back to ${date}.`,
  /** What a check could not look at, because the operator put it aside. */
  detached: (count: number) =>
    `${wholeNumber(count)} entries of detached quarters were not checked; their seals are in order.`,
  /** What is wrong with a trail: the first bad entry and what happened to it. */
  fault: ({ kind, entry_id: id, seq, timestamp }: AuditFault) => {
    const place = seq === null ? 'An entry' : `Entry ${seq}`
    const named = id === null ? '' : ` (${id}${timestamp === null ? '' : `, written ${timestamp}`})`
    return `${place}${named} ${whatHappened[kind]}.`
  },
} as const
