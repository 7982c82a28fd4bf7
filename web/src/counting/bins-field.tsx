import { Checkbox, TextField } from '../ui/field.tsx'

type BinsFieldProps = {
  /** As people type it: 'A, B-1'. */
  value: string
  onChange: (typed: string) => void
  hint: string
  error?: string | undefined
  isNoneToo: boolean
  onNoneToo: (isNoneToo: boolean) => void
}

/** Names of bins, and whether what has none is meant, too. */
export function BinsField({ value, onChange, hint, error, isNoneToo, onNoneToo }: BinsFieldProps) {
  return (
    <div className="flex flex-col gap-1">
      <TextField
        label="Bins"
        name="bins"
        placeholder="Such as A, B-1"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        value={value}
        hint={hint}
        error={error}
        onChange={({ target }) => onChange(target.value)}
      />
      <Checkbox
        label={value.trim() === '' ? 'Only what has no bin' : 'What has no bin, too'}
        checked={isNoneToo}
        onChange={({ target }) => onNoneToo(target.checked)}
      />
    </div>
  )
}
