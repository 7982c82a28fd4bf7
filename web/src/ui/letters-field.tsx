import { encodingChoices, type Encoding } from '../lib/encoding.ts'
import { SelectField } from './field.tsx'

type LettersFieldProps = {
  /** How the file is read; null where it tells by itself, and nothing is asked. */
  choice: Encoding | null
  disabled?: boolean
  onChoose: (encoding: Encoding) => void
}

/** How the letters of a text file are written that does not say so. */
export function LettersField({ choice, disabled, onChoose }: LettersFieldProps) {
  if (choice === null) return null
  return (
    <SelectField
      label="Letters of the file"
      hint="Choose another where letters look wrong."
      disabled={disabled}
      options={encodingChoices}
      value={choice}
      onChange={({ target }) => {
        const chosen = encodingChoices.find(({ value }) => value === target.value)
        if (chosen !== undefined) onChoose(chosen.value)
      }}
    />
  )
}
