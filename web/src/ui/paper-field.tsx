import { papers, type Paper } from '../lib/papers.ts'
import { SelectField } from './field.tsx'

/** Which paper is in the printer. */
export function PaperField({ value, onChange }: { value: Paper; onChange: (paper: Paper) => void }) {
  return (
    <SelectField
      label="Paper"
      options={papers}
      value={value}
      onChange={(event) => onChange(event.target.value === 'letter' ? 'letter' : 'a4')}
    />
  )
}
