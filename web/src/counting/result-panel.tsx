import { countMessages } from '@inventory-manager/contract/counting/messages'
import { CircleHelp, CloudOff, CloudUpload } from 'lucide-react'
import { formatNumber } from '../lib/numbers.ts'
import { classNames } from '../ui/class-names.ts'
import type { KeptEntry } from './count-entries.ts'
import type { CountResult } from './count-results.ts'
import { takingBackLook, verdictLooks, type VerdictLook } from './verdict-looks.ts'

/** A result for the ear. */
export function spokenResult({ verdict, description, quantity }: CountResult): string {
  return `${verdictLooks[verdict].word}. ${description}, ${quantity}.`
}

/** What came of an entry, or that it waits, as it is shown. */
export type Shown = Omit<VerdictLook, 'badge'> & {
  quantity: number
  message: string
  barcode: string
  isResult: boolean
}

const waitingClasses = 'border-line-strong bg-sunken text-text'

export function shownResult(result: CountResult): Shown {
  return { ...verdictLooks[result.verdict], ...result, isResult: true }
}

/** The entry just made, while the network holds it up: neither right nor wrong, but safe. */
export function shownKept({ entry, isHeldUp, isDurable }: KeptEntry): Shown {
  const heldUp = isDurable ? countMessages.heldUp : countMessages.heldInPage
  return {
    icon: isHeldUp ? CloudOff : CloudUpload,
    word: keptWord,
    classes: waitingClasses,
    ...entry.value,
    message: isHeldUp ? heldUp : countMessages.onItsWay,
    isResult: true,
  }
}

/** An entry that is being taken back: what came of it before says nothing any more. */
export function shownTakingBack({ barcode, quantity }: { barcode: string; quantity: number }): Shown {
  return { ...takingBackLook, barcode, quantity, message: countMessages.takenBackLater, isResult: true }
}

/** What was just entered and has no answer yet, so that the answer to the one before does not look like its own. */
export type Entered = { barcode: string; quantity: number; word: string; message: string }

export function shownEntered(entered: Entered): Shown {
  return { ...entered, icon: CloudUpload, classes: waitingClasses, isResult: false }
}

export const keptWord = 'Kept'

const frame = 'flex-1 rounded-card border p-3'

/** One entry and what came of it: the biggest thing of the screen. */
export function ResultFrame({ shown }: { shown: Shown }) {
  const { icon: Icon, word, classes, quantity, message, barcode, isResult, next } = shown
  return (
    <div className={classNames(frame, classes)} data-result={isResult || undefined}>
      <div className="flex items-center gap-3">
        <Icon aria-hidden className="size-10 shrink-0" strokeWidth={3} />
        <p className="text-2xl font-bold">{word}</p>
        {next !== undefined && <p className="ml-auto text-right text-sm leading-tight font-medium">{next}</p>}
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

/** The entry before, small, while the next one is made. */
export function ResultLine({ shown: { icon: Icon, word, classes, message, quantity } }: { shown: Shown }) {
  return (
    <div className={classNames('flex items-center gap-2 rounded-control border px-2 py-1 text-sm', classes)}>
      <Icon aria-hidden className="size-4 shrink-0" strokeWidth={3} />
      <p className="font-bold whitespace-nowrap">{word}</p>
      <p className="min-w-0 flex-1 truncate">{message}</p>
      <p className="font-bold tabular-nums">{formatNumber(quantity)}</p>
    </div>
  )
}

/** What keeps a code from being counted: a word for it, and the sentence. */
export type CodeProblem = { word: string; sentence: string }

type AwaitedProps = { code: string; description: string; problem: CodeProblem | null }

/** The code that was scanned, by its name at once: its quantity comes next. Never with a quantity, counts are blind. */
export function AwaitedFrame({ code, description, problem }: AwaitedProps) {
  if (problem !== null) {
    return (
      <div className={classNames(frame, 'border-2 border-bad bg-bad-soft text-bad-text')}>
        <div className="flex items-center gap-3">
          <CircleHelp aria-hidden className="size-8 shrink-0" strokeWidth={3} />
          <p className="text-lg font-bold lg:text-xl">{problem.word}</p>
        </div>
        <p className="mt-1 font-medium break-words">{problem.sentence}</p>
        <p className="mt-1 text-sm">{countMessages.refusedNext}</p>
      </div>
    )
  }
  return (
    <div className={classNames(frame, 'border-2 border-accent bg-surface')}>
      <p className="line-clamp-2 text-lg font-bold wrap-anywhere lg:text-xl">{description}</p>
      <p className="mt-1 flex justify-between gap-3 text-sm text-muted">
        <span className="truncate font-mono">{code}</span>
        <span className="whitespace-nowrap">{countMessages.quantityNext}</span>
      </p>
    </div>
  )
}

export function EmptyFrame() {
  return (
    <div
      className={classNames(
        frame,
        'grid place-items-center border-dashed border-line-strong/60 text-center text-muted',
      )}
    >
      Scan a barcode to begin
    </div>
  )
}
