import { TextField } from './field.tsx'

type DateFieldsProps = {
  labels: readonly [from: string, to: string]
  /** Days such as '2026-11-21'; '' for none. */
  from: string
  to: string
  onFrom: (day: string) => void
  onTo: (day: string) => void
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
        onChange={(event) => onTo(event.target.value)}
      />
    </>
  )
}
