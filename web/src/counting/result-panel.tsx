import { countMessages } from '@inventory-manager/contract/counting/messages'
import {
  Check,
  CircleHelp,
  CloudOff,
  CloudUpload,
  TriangleAlert,
  Undo2,
  X,
  type LucideIcon,
} from 'lucide-react'
import { useEffect, useEffectEvent } from 'react'
import { formatNumber } from '../lib/numbers.ts'
import { speak } from '../scanning/feedback.ts'
import { classNames } from '../ui/class-names.ts'
import { useKeptEntry, useRecentResults, type KeptEntry } from './count-entries.ts'
import type { CountResult } from './count-results.ts'

type Look = { icon: LucideIcon; word: string; classes: string }

/** Colour is never the only sign: each verdict has its word and its shape. */
const looks: Record<CountResult['verdict'], Look> = {
  matched: { icon: Check, word: 'Right', classes: 'border-good bg-good text-on-accent' },
  mismatched: { icon: X, word: 'Recount', classes: 'border-bad bg-bad text-on-accent' },
  recorded: { icon: TriangleAlert, word: 'Recorded', classes: 'border-warn bg-warn text-on-accent' },
  review: { icon: TriangleAlert, word: 'Recorded', classes: 'border-info bg-info text-on-accent' },
  unknown: { icon: CircleHelp, word: 'Unknown', classes: 'border-bad bg-bad text-on-accent' },
  again: { icon: CircleHelp, word: 'Counted already', classes: 'border-warn bg-warn text-on-accent' },
  refused: { icon: X, word: 'Not taken', classes: 'border-bad bg-bad text-on-accent' },
  undone: { icon: Undo2, word: 'Undone', classes: 'border-info bg-info text-on-accent' },
}

/** A result for the ear. */
export function spokenResult({ verdict, description, quantity }: CountResult): string {
  return `${looks[verdict].word}. ${description}, ${quantity}.`
}

type FrameProps = Look & { quantity: number; message: string; barcode: string }

/** As high on a handheld as its longest usual sentence needs, so that the fields below stay where they are. */
const space = 'min-h-44 rounded-card border p-4 sm:min-h-40'

function Frame({ icon: Icon, word, classes, quantity, message, barcode }: FrameProps) {
  return (
    <div className={classNames(space, classes)}>
      <div className="flex items-center gap-3">
        <Icon aria-hidden className="size-10 shrink-0" strokeWidth={3} />
        <p className="text-2xl font-bold">{word}</p>
      </div>
      <div className="mt-2 flex items-start gap-3">
        <div className="min-w-0 flex-1">
          <p className="font-medium break-words">{message}</p>
          <p className="truncate font-mono text-sm">{barcode}</p>
        </div>
        <p className="text-2xl font-bold tabular-nums">{formatNumber(quantity)}</p>
      </div>
    </div>
  )
}

const waitingLook = { word: 'Kept', classes: 'border-line-strong bg-sunken text-text' }

/** The entry just made, while it waits: neither right nor wrong, but safe. */
function Kept({ entry, isHeldUp, isDurable }: KeptEntry) {
  const { barcode, quantity, description } = entry.value
  const heldUp = isDurable ? countMessages.heldUp : countMessages.heldInPage
  const tell = useEffectEvent(() => speak(`${waitingLook.word}. ${description}, ${quantity}.`))
  useEffect(() => tell(), [entry.id])
  return (
    <Frame
      {...waitingLook}
      icon={isHeldUp ? CloudOff : CloudUpload}
      quantity={quantity}
      message={isHeldUp ? heldUp : countMessages.onItsWay}
      barcode={barcode}
    />
  )
}

/**
 * What came of the last entry, or that it waits: the biggest thing of the screen. Its space is there before it is, and
 * so is what reads it out.
 */
export function ResultPanel({ session }: { session: string }) {
  const [result] = useRecentResults(session)
  const kept = useKeptEntry(session)
  if (kept !== null) {
    return (
      <div role="status">
        <Kept {...kept} />
      </div>
    )
  }
  return (
    <div role="status">
      {result === undefined ? (
        <div
          className={classNames(
            space,
            'grid place-items-center border-dashed border-line-strong/60 text-center text-muted',
          )}
        >
          Scan a barcode to begin
        </div>
      ) : (
        <Frame {...looks[result.verdict]} {...result} />
      )}
    </div>
  )
}
