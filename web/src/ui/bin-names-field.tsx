import { TextField } from './field.tsx'

type BinNamesFieldProps = {
  /** As people type it: 'A, B-1'. */
  value: string
  onChange: (typed: string) => void
  error?: string | undefined
}

/** Names of bins, each with all that begin with it; empty for all. */
export function BinNamesField({ value, onChange, error }: BinNamesFieldProps) {
  return (
    <TextField
      label="Bins"
      name="bins"
      placeholder="Such as A, B-1"
      hint="All where it is empty. A is also A-03 and A12, but not AB."
      autoComplete="off"
      autoCapitalize="off"
      spellCheck={false}
      value={value}
      error={error}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}
