import { useId, type ComponentProps } from 'react'
import { classNames } from './class-names.ts'
import { border, control, describedBy, Frame, type Labelled } from './field.tsx'

type UnitFieldProps = Labelled &
  Omit<ComponentProps<'input'>, 'id' | 'className'> & {
    /** In what the number is that is typed. */
    unit: string
    /** How what is typed is understood; it keeps its line, so that nothing jumps. */
    outcome: string
  }

/** A field for a number of something, which stands behind it. */
export function UnitField({ label, hint, error, unit, outcome, ...input }: UnitFieldProps) {
  const id = useId()
  return (
    <Frame id={id} label={label} hint={hint} error={error}>
      <span className="flex items-center gap-3">
        <input
          {...input}
          id={id}
          aria-invalid={error !== undefined}
          aria-describedby={`${id}-unit ${describedBy(id, { hint, error }) ?? ''} ${id}-outcome`}
          className={classNames(control, border(error !== undefined))}
        />
        <span id={`${id}-unit`} className="text-base text-muted lg:text-sm">
          {unit}
        </span>
      </span>
      <p id={`${id}-outcome`} aria-live="polite" className="min-h-5 text-sm tabular-nums wrap-anywhere">
        {outcome}
      </p>
    </Frame>
  )
}
