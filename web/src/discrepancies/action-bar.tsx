import type { Discrepancy } from '@inventory-manager/contract/discrepancies/endpoints'
import { useState } from 'react'
import { formatNumber } from '../lib/numbers.ts'
import { placeName } from '../session/place-names.ts'
import { textTones, type Tone } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import type { Choice } from './choice.ts'
import { Amounts } from './worth-words.tsx'
import { worthOfAll } from './worth.ts'

export type Actions = {
  accept: () => void
  recount: () => void
  dismiss: () => void
  undo: (decided: Discrepancy) => void
}

/** What came of the last decision; `decided`: the one difference that it can be taken back of. */
export type Status = { tone: Tone; text: string; decided?: Discrepancy } | null

/** What a decision would be about; where that is nothing, what came of the last one. */
function Aim({ choice, currency, status }: { choice: Choice; currency: string | null; status: Status }) {
  const { chosen, targets } = choice
  const [first] = targets
  if (chosen.length > 0) {
    const worth = worthOfAll(chosen, currency)
    return (
      <>
        {formatNumber(chosen.length)} chosen
        {worth !== null && ': '}
        {worth !== null && <Amounts {...worth} />}
      </>
    )
  }
  if (first !== undefined) {
    return (
      <>
        None chosen: acts on <span className="font-mono wrap-anywhere">{first.sku}</span> at{' '}
        <span className="wrap-anywhere">{placeName(first.location)}</span>
      </>
    )
  }
  if (status === null) return <span className="text-muted">None chosen</span>
  return <span className={classNames('font-medium', textTones[status.tone])}>{status.text}</span>
}

type UndoProps = { status: Status; busy: boolean; onUndo: Actions['undo'] }

/** Takes the last decision back. */
function UndoButton({ status, busy, onUndo }: UndoProps) {
  const decided = status?.decided
  if (decided === undefined) return null
  return (
    <button
      type="button"
      disabled={busy}
      className="min-h-12 min-w-12 text-sm font-medium underline disabled:opacity-50 lg:min-h-6"
      onClick={() => onUndo(decided)}
    >
      Undo
    </button>
  )
}

/**
 * Whether what came of the last decision has a line of its own, because the keys stand on the next one. It keeps that line until it is
 * over: a press on a row would else move the row away before it is let go.
 */
function useOwnLine(status: Status, hasTargets: boolean): boolean {
  const [inLine, setInLine] = useState<Status>(null)
  const isNow = status !== null && hasTargets
  if (isNow && inLine !== status) setInLine(status)
  return isNow || (status !== null && inLine === status)
}

type ActionBarProps = {
  choice: Choice
  actions: Actions
  /** In which money differences are; null where costs are not said. */
  currency: string | null
  busy: boolean
  status: Status
}

/** What is chosen, what came of the last decision and the way back, and the three decisions; always in sight. */
export function ActionBar({ choice, actions, currency, busy, status }: ActionBarProps) {
  const disabled = choice.targets.length === 0 || busy
  const count = choice.chosen.length
  const hasOwnLine = useOwnLine(status, choice.targets.length > 0)
  const undo = <UndoButton status={status} busy={busy} onUndo={actions.undo} />
  return (
    <div
      role="toolbar"
      aria-label="Decide"
      className="sticky top-14 z-[5] flex low:static print:hidden flex-wrap items-center gap-x-2 gap-y-1 border-b border-line bg-surface p-2 desk:top-23"
    >
      <Button
        look="quiet"
        disabled={choice.decidable === 0}
        onClick={count > 0 ? choice.clear : choice.chooseAll}
      >
        {count > 0 ? 'Clear' : 'Choose all'}
      </Button>
      <div className="mr-auto flex min-w-0 flex-1 basis-40 items-center gap-x-2">
        <p role="status" className="min-w-0 text-sm tabular-nums">
          <Aim choice={choice} currency={currency} status={hasOwnLine ? null : status} />
        </p>
        {!hasOwnLine && undo}
      </div>
      {status !== null && hasOwnLine && (
        <div className="order-last flex basis-full flex-wrap items-center gap-x-2 px-3">
          <p
            role={status.tone === 'bad' ? 'alert' : 'status'}
            className={classNames('text-sm font-medium', textTones[status.tone])}
          >
            {status.text}
          </p>
          {undo}
        </div>
      )}
      <span className="flex flex-wrap gap-2">
        <Button look="primary" disabled={disabled} onClick={actions.accept}>
          Accept
        </Button>
        <Button disabled={disabled} onClick={actions.recount}>
          Recount
        </Button>
        <Button disabled={disabled} onClick={actions.dismiss}>
          Dismiss
        </Button>
      </span>
    </div>
  )
}
