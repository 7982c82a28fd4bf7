import type { ComponentProps } from 'react'
import { BinNamesField } from '../../ui/bin-names-field.tsx'
import { Checkbox } from '../../ui/field.tsx'

type BinsFieldProps = ComponentProps<typeof BinNamesField> & {
  isNoneToo: boolean
  onNoneToo: (isNoneToo: boolean) => void
}

/** Names of bins, and whether what has none is meant, too. */
export function BinsField({ isNoneToo, onNoneToo, ...names }: BinsFieldProps) {
  return (
    <div className="flex flex-col gap-1">
      <BinNamesField {...names} />
      <Checkbox
        label={names.value.trim() === '' ? 'Only what has no bin' : 'What has no bin, too'}
        checked={isNoneToo}
        onChange={({ target }) => onNoneToo(target.checked)}
      />
    </div>
  )
}
