import type { LocationCode } from '@inventory-manager/contract/locations'
import { planLocations } from '@inventory-manager/contract/plans'
import type { StockLine } from '@inventory-manager/contract/stock/component-endpoints'
import { useState } from 'react'
import { ApiError } from '../api/api-error.ts'
import { placeName } from '../session/place-names.ts'
import { useLocatedSession } from '../session/session.ts'
import { Checkbox } from '../ui/field.tsx'
import { FormDialog } from './form-dialog.tsx'
import { keepComponent } from './placing.ts'

type KeptProps = {
  barcode: string
  stock: readonly StockLine[]
  onClose: () => void
  onSaved: (words: string) => void
}

/** Why it failed at a location, with where it was saved before: that stays so. */
function withSaved(error: unknown, saved: readonly LocationCode[]): unknown {
  if (!(error instanceof ApiError) || saved.length === 0) return error
  const places = saved.map((code) => placeName(code)).join(', ')
  return new ApiError(`${error.message} Saved: ${places}.`, { kind: error.kind, cause: error })
}

/** Says which locations keep a component, and so count it. */
export function KeptDialog({ barcode, stock, onClose, onSaved }: KeptProps) {
  const { user } = useLocatedSession()
  const offered = planLocations(user.plan).map(({ code }) => code)
  const isKept = (code: LocationCode) => stock.find(({ location }) => location === code)?.kept !== false
  const [kept, setKept] = useState<ReadonlySet<LocationCode>>(() => new Set(offered.filter(isKept)))
  const changed = offered.filter((code) => kept.has(code) !== isKept(code))

  async function save(): Promise<string> {
    for (const [index, location] of changed.entries()) {
      try {
        await keepComponent({ location, kept: kept.has(location) }, barcode)
      } catch (error) {
        throw withSaved(error, changed.slice(0, index))
      }
    }
    return changed.length === 0 ? 'Nothing was changed.' : `Where ${barcode} is kept was saved.`
  }

  return (
    <FormDialog
      title={`Where is ${barcode} kept?`}
      submit="Save"
      onClose={onClose}
      onSaved={onSaved}
      save={save}
    >
      <p className="text-muted">
        A location counts only what it keeps. What comes there as stock, or is counted there, it keeps from
        then on.
      </p>
      <div className="flex flex-col gap-1">
        {offered.map((code) => (
          <Checkbox
            key={code}
            label={placeName(code)}
            checked={kept.has(code)}
            onChange={({ target }) => {
              const next = new Set(kept)
              if (target.checked) next.add(code)
              else next.delete(code)
              setKept(next)
            }}
          />
        ))}
      </div>
    </FormDialog>
  )
}
