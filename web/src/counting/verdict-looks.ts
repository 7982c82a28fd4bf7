import { entryMessages } from '@inventory-manager/contract/counting/entry-messages'
import type { LucideIcon } from 'lucide-react'
import Check from 'lucide-react/icons/check'
import CircleHelp from 'lucide-react/icons/circle-help'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import Undo2 from 'lucide-react/icons/undo-2'
import X from 'lucide-react/icons/x'
import type { BadgeTone } from '../ui/badge.tsx'
import type { CountResult } from './count-verdicts.ts'

/** How an entry looks in the panel, and its badge among the recent scans. */
export type VerdictLook = {
  icon: LucideIcon
  word: string
  classes: string
  badge: BadgeTone
  /** What is to be done now. */
  next?: string
}

const good = 'border-good bg-good text-on-accent'
const bad = 'border-bad bg-bad text-on-accent'
const warn = 'border-warn bg-warn text-on-accent'
const info = 'border-info bg-info text-on-accent'

/** Colour is never the only sign: each verdict has its word and its shape. */
export const verdictLooks: Record<CountResult['verdict'], VerdictLook> = {
  matched: { icon: Check, word: 'Right', classes: good, badge: 'good' },
  mismatched: { icon: X, word: 'Recount', classes: bad, badge: 'bad', next: entryMessages.scanAgain },
  recorded: { icon: TriangleAlert, word: 'Recorded', classes: warn, badge: 'warn' },
  review: { icon: TriangleAlert, word: 'Recorded', classes: info, badge: 'info' },
  unknown: { icon: CircleHelp, word: 'Unknown', classes: bad, badge: 'bad' },
  retired: { icon: CircleHelp, word: 'Retired', classes: bad, badge: 'bad' },
  again: { icon: CircleHelp, word: 'Counted already', classes: warn, badge: 'warn' },
  refused: { icon: X, word: 'Not taken', classes: bad, badge: 'bad' },
  undone: { icon: Undo2, word: 'Undone', classes: info, badge: 'plain' },
}

/** An entry that is to be taken back, until the server has answered. */
export const takingBackLook: VerdictLook = {
  icon: Undo2,
  word: 'Being taken back',
  classes: 'border-line-strong bg-sunken text-text',
  badge: 'plain',
}
