import { labelMessages } from '@inventory-manager/contract/labels/messages'
import { labelPages } from '@inventory-manager/contract/labels/sheets'
import { labelSizes, pointsPerInch } from '@inventory-manager/contract/labels/sizes'
import { classNames } from '../ui/class-names.ts'
import type { Printing } from './print-choice.ts'

type CellState = 'used' | 'filled' | 'free'

const looks: Record<CellState, string> = {
  used: 'border-line bg-sunken text-muted line-through',
  filled: 'border-accent bg-accent-soft text-accent-text font-medium',
  free: 'border-line-strong/60 bg-surface text-muted',
}

function stateOf(position: number, first: number, labels: number): CellState {
  if (position < first) return 'used'
  return position < first + labels ? 'filled' : 'free'
}

type SheetPictureProps = { printing: Printing; labels: number; disabled: boolean }

/** The first sheet to scale, on which the first free position is chosen. Nothing for a roll, which has none. */
export function SheetPicture({ printing, labels, disabled }: SheetPictureProps) {
  const { choice, sheet, setChoice } = printing
  if (choice.page === 'roll') return null
  const size = labelSizes[choice.size]
  const percent = (length: number, whole: number) => `${(length / whole) * 100}%`
  return (
    <fieldset disabled={disabled} className="flex flex-col disabled:opacity-60">
      <legend className="mb-2 text-sm font-medium">
        First free position: {labelPages[choice.page].name}
      </legend>
      <div
        className="relative w-full max-w-64 border border-line-strong/70 bg-surface shadow-raised"
        style={{ aspectRatio: `${sheet.width} / ${sheet.height}` }}
      >
        {sheet.cells.map(({ x, y }, cell) => (
          <label
            key={`${x} ${y}`}
            style={{
              left: percent(x, sheet.width),
              top: percent(y, sheet.height),
              width: percent(size.width * pointsPerInch, sheet.width),
              height: percent(size.height * pointsPerInch, sheet.height),
            }}
            className={classNames(
              'absolute grid cursor-pointer place-items-center rounded-sm border text-xs tabular-nums has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-focus',
              looks[stateOf(cell + 1, choice.first, labels)],
            )}
          >
            <input
              type="radio"
              name="first-position"
              aria-label={`Position ${cell + 1}`}
              checked={choice.first === cell + 1}
              onChange={() => setChoice({ first: cell + 1 })}
              className="sr-only"
            />
            {cell + 1}
          </label>
        ))}
      </div>
      {sheet.cells.length === 0 && <p className="text-sm text-bad-text">{labelMessages.noRoom}</p>}
    </fieldset>
  )
}
