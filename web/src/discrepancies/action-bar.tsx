import { placeName } from '@inventory-manager/contract/stock/places'
import { formatNumber } from '../lib/numbers.ts'
import { textTones, type Tone } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import type { Choice } from './choice.ts'

export type Actions = { accept: () => void; recount: () => void; dismiss: () => void }

/** What came of the last decision. */
export type Status = { tone: Tone; text: string } | null

/** What a decision would be about; where that is nothing, what came of the last one. */
function Aim({ choice, status }: { choice: Choice; status: Status }) {
  const { chosen, targets } = choice
  const [first] = targets
  if (chosen.length > 0) return `${formatNumber(chosen.length)} chosen`
  if (first !== undefined) {
    return (
      <>
        None chosen: acts on <span className="font-mono break-all">{first.sku}</span> at{' '}
        {placeName(first.location)}
      </>
    )
  }
  if (status === null) return <span className="text-muted">None chosen</span>
  return <span className={classNames('font-medium', textTones[status.tone])}>{status.text}</span>
}

type ActionBarProps = { choice: Choice; actions: Actions; busy: boolean; status: Status }

/** What is chosen, what came of the last decision, and the three decisions; always in sight. */
export function ActionBar({ choice, actions, busy, status }: ActionBarProps) {
  const disabled = choice.targets.length === 0 || busy
  const count = choice.chosen.length
  return (
    <div
      role="toolbar"
      aria-label="Decide"
      className="sticky top-14 z-[5] flex print:hidden flex-wrap items-center gap-x-2 gap-y-1 border-b border-line bg-surface p-2 desk:top-23"
    >
      <Button
        look="quiet"
        disabled={choice.decidable === 0}
        onClick={count > 0 ? choice.clear : choice.chooseAll}
      >
        {count > 0 ? 'Clear' : 'Choose all'}
      </Button>
      <p role="status" className="mr-auto min-w-0 flex-1 basis-40 text-sm tabular-nums">
        <Aim choice={choice} status={status} />
      </p>
      {status !== null && choice.targets.length > 0 && (
        <p
          role={status.tone === 'bad' ? 'alert' : 'status'}
          className={classNames('order-last basis-full px-3 text-sm font-medium', textTones[status.tone])}
        >
          {status.text}
        </p>
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
