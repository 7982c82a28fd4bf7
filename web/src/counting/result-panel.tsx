import { entryMessages } from '@inventory-manager/contract/counting/entry-messages'
import CircleHelp from 'lucide-react/icons/circle-help'
import CloudOff from 'lucide-react/icons/cloud-off'
import CloudUpload from 'lucide-react/icons/cloud-upload'
import { formatNumber } from '../lib/numbers.ts'
import { classNames } from '../ui/class-names.ts'
import { Bin } from './bin.tsx'
import type { KeptEntry } from './count-entries.ts'
import type { CountResult } from './count-verdicts.ts'
import { takingBackLook, verdictLooks, type VerdictLook } from './verdict-looks.ts'

/** A result for the ear. */
export function spokenResult({ verdict, description, quantity }: CountResult): string {
  return `${verdictLooks[verdict].word}. ${description}, ${quantity}.`
}

/** What came of an entry, or that it waits, as it is shown. */
export type Shown = Omit<VerdictLook, 'badge'> & {
  quantity: number
  /** What the component is known by, where the message does not name it. */
  name?: string
  message: string
  barcode: string
  isResult: boolean
}

const waitingClasses = 'border-line-strong bg-sunken text-text'

type Named = { barcode: string; description: string; quantity: number; message: string }

/** An entry and what is said of it, by its name. */
function said({ barcode, description, quantity, message }: Named): Omit<Shown, keyof VerdictLook> {
  const isNamed = description === barcode || message.includes(description)
  return { barcode, quantity, message, isResult: true, ...(isNamed ? {} : { name: description }) }
}

export function shownResult(result: CountResult): Shown {
  return { ...verdictLooks[result.verdict], ...said(result) }
}

/** The entry just made, while the network holds it up: neither right nor wrong, but safe. */
export function shownKept({ entry, isHeldUp, isDurable }: KeptEntry): Shown {
  const heldUp = isDurable ? entryMessages.heldUp : entryMessages.heldInPage
  return {
    icon: isHeldUp ? CloudOff : CloudUpload,
    word: keptWord,
    classes: waitingClasses,
    ...said({ ...entry.value, message: isHeldUp ? heldUp : entryMessages.onItsWay }),
  }
}

/** An entry that is being taken back: what came of it before says nothing any more. */
export function shownTakingBack(entry: Omit<Named, 'message'>): Shown {
  return { ...takingBackLook, ...said({ ...entry, message: entryMessages.takenBackLater }) }
}

/** What was just entered and has no answer yet, so that the answer to the one before does not look like its own. */
export type Entered = Named & { word: string }

export function shownEntered({ word, ...entered }: Entered): Shown {
  return { ...said(entered), word, icon: CloudUpload, classes: waitingClasses, isResult: false }
}

export const keptWord = 'Kept'

/** Where the item lies: whoever has it in hand at another shelf sees that it does not belong there. */
type Placed = { bin: string | undefined }

const frame = 'flex-1 rounded-card border p-3'

/** A long number is smaller, so that it leaves the words their room and the frame its height. */
function numberSize(number: string): string {
  if (number.length <= 5) return 'text-2xl'
  return number.length <= 7 ? 'text-xl' : 'text-lg'
}

/** One entry and what came of it: the biggest thing of the screen. */
export function ResultFrame({ shown, bin }: { shown: Shown } & Placed) {
  const { icon: Icon, word, classes, quantity, name, message, barcode, isResult, next } = shown
  const entered = formatNumber(quantity)
  return (
    <div className={classNames(frame, classes)} data-result={isResult || undefined}>
      <div className="flex items-center gap-3 max-sm:flex-wrap max-sm:gap-y-0">
        <Icon aria-hidden className="size-10 shrink-0" strokeWidth={3} />
        <p className="text-2xl font-bold">{word}</p>
        {next !== undefined && (
          <p className="ml-auto text-right text-sm leading-tight font-medium max-sm:ml-0 max-sm:basis-full max-sm:text-left">
            {next}
          </p>
        )}
      </div>
      <div className="mt-2 grid grid-cols-[minmax(0,1fr)_auto] gap-x-3">
        <div className="col-start-1 row-start-1">
          {name !== undefined && <p className="truncate font-medium">{name}</p>}
          <p className={classNames('break-words', name === undefined ? 'font-medium' : 'text-sm')}>
            {message}
          </p>
        </div>
        <p className="col-span-2 row-start-2 flex flex-wrap gap-x-2 font-mono text-sm">
          <span className="max-w-full truncate">{barcode}</span>
          <Bin bin={bin} most="max-w-full" />
        </p>
        <p
          className={classNames(
            'col-start-2 row-start-1 leading-6 font-bold tabular-nums',
            numberSize(entered),
          )}
        >
          {entered}
        </p>
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

/** What keeps a code from being counted: a word for it, the sentence, what to do now, and a note beside a code that waits. */
export type CodeProblem = { word: string; sentence: string; next: string; note: string }

/** `pieces`: how many of it were scanned, where each scan counts one. */
type AwaitedProps = Placed & {
  code: string
  description: string
  problem: CodeProblem | null
  pieces: string | null
  piecesPerScan: number
}

/** What comes next of a scanned code. */
function nextOf({ pieces, piecesPerScan }: Pick<AwaitedProps, 'pieces' | 'piecesPerScan'>): string {
  if (pieces === null)
    return piecesPerScan === 1 ? entryMessages.quantityNext : entryMessages.packQuantityNext(piecesPerScan)
  return piecesPerScan === 1 ? entryMessages.pieceNext : entryMessages.packNext(piecesPerScan)
}

/** The code that was scanned, by its name at once: its quantity comes next. Never with what is expected, counts are blind. */
export function AwaitedFrame({ code, description, problem, pieces, piecesPerScan, bin }: AwaitedProps) {
  if (problem !== null) {
    return (
      <div className={classNames(frame, 'border-2 border-bad bg-bad-soft text-bad-text')}>
        <div className="flex items-center gap-3">
          <CircleHelp aria-hidden className="size-8 shrink-0" strokeWidth={3} />
          <p className="text-lg font-bold lg:text-xl">{problem.word}</p>
        </div>
        {description !== code && (
          <p dir="auto" className="mt-1 truncate font-medium">
            {description}
          </p>
        )}
        <p className="mt-1 font-medium break-words">{problem.sentence}</p>
        <p className="mt-1 text-sm">{problem.next}</p>
      </div>
    )
  }
  return (
    <div className={classNames(frame, 'border-2 border-accent bg-surface')}>
      <div className="flex items-start justify-between gap-3">
        <p dir="auto" className="line-clamp-2 text-lg font-bold wrap-anywhere lg:text-xl">
          {description}
        </p>
        <Bin bin={bin} most="max-w-1/2" />
        {pieces !== null && <p className="text-2xl font-bold tabular-nums">{pieces}</p>}
      </div>
      {/* What is said of a pack is longer. */}
      <p
        className={classNames(
          'mt-1 flex justify-between gap-x-3 text-sm text-muted',
          piecesPerScan > 1 && 'flex-wrap',
        )}
      >
        <span className="truncate font-mono">{code}</span>
        <span className="whitespace-nowrap">{nextOf({ pieces, piecesPerScan })}</span>
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
