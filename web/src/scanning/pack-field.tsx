import { packMessages } from '@inventory-manager/contract/stock/packs'
import { TextField } from '../ui/field.tsx'

type PackFieldProps = { value: string; onChange: (pieces: string) => void }

/** Asks how many pieces a code stands for that is given to a component; read by `readPackPieces` of the contract. */
export function PackField({ value, onChange }: PackFieldProps) {
  return (
    <TextField
      label="Pieces"
      hint={packMessages.hint}
      inputMode="numeric"
      autoComplete="off"
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}
