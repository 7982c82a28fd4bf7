import { packMessages } from '@inventory-manager/contract/stock/packs'
import { TextField } from '../ui/field.tsx'

type PackFieldProps = { value: string; error?: string | undefined; onChange: (pieces: string) => void }

/** Asks how many pieces a code stands for that is given to a component; read by `readPackPieces` of the contract. */
export function PackField({ onChange, ...field }: PackFieldProps) {
  return (
    <TextField
      {...field}
      label="Pieces"
      name="pieces"
      hint={packMessages.hint}
      inputMode="numeric"
      autoComplete="off"
      onChange={(event) => onChange(event.target.value)}
    />
  )
}
