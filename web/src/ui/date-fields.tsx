import { TextField } from './field.tsx'

type DateFieldsProps = {
  labels: readonly [from: string, to: string]
  /** Days such as '2026-11-21'; '' for none. */
  from: string
  to: string
  onFrom: (day: string) => void
  onTo: (day: string) => void
}

/** Whether a span has its days the wrong way round, so that no moment lies in it. */
export function isBackwards(from: string, to: string): boolean {
  return from !== '' && to !== '' && to < from
}

/** The first and the last day of a span, either of them open. */
export function DateFields({ labels, from, to, onFrom, onTo }: DateFieldsProps) {
  return (
    <>
      <TextField
        label={labels[0]}
        type="date"
        value={from}
        max={to === '' ? undefined : to}
        onChange={(event) => onFrom(event.target.value)}
      />
      <TextField
        label={labels[1]}
        type="date"
        value={to}
        min={from === '' ? undefined : from}
        error={isBackwards(from, to) ? 'The end is before the start.' : undefined}
        onChange={(event) => onTo(event.target.value)}
      />
    </>
  )
}
