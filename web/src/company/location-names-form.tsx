import type { CompanySettings } from '@inventory-manager/contract/company/settings-endpoints'
import { maxLocationNameLength } from '@inventory-manager/contract/location-names'
import { locations, type LocationCode } from '@inventory-manager/contract/locations'
import { planOffers } from '@inventory-manager/contract/plans'
import { useLocatedSession } from '../session/session.ts'
import { TextField } from '../ui/field.tsx'
import { SettingsForm, useDraft } from './settings-card.tsx'

type Names = Record<LocationCode, string>

type LocationNamesFormProps = { administration: NonNullable<CompanySettings['administration']> }

/** The names of the plan's locations, and of others that have been given one. */
export function LocationNamesForm({ administration }: LocationNamesFormProps) {
  const { user } = useLocatedSession()
  const own = administration.location_names ?? {}
  const stored: Names = {
    PRIMARY: own.PRIMARY ?? '',
    SECONDARY: own.SECONDARY ?? '',
    FULFILLMENT: own.FULFILLMENT ?? '',
    DISTRIBUTION: own.DISTRIBUTION ?? '',
  }
  const { fields, enter, release } = useDraft(stored)
  const shown = locations.filter(({ code }) => planOffers(user.plan, code) || stored[code] !== '')
  const changed = shown.filter(({ code }) => fields[code].trim() !== stored[code])
  const names = Object.fromEntries(changed.map(({ code }) => [code, fields[code].trim()]))
  return (
    <SettingsForm
      title="Names of locations"
      values={changed.length === 0 ? {} : { location_names: names }}
      stored={{}}
      onSaved={release}
    >
      <p className="text-sm text-muted">
        The names that people see. Codes in files and in the API stay the same.
      </p>
      <div className="grid gap-4 sm:grid-cols-2">
        {shown.map(({ code, standardName }) => (
          <TextField
            key={code}
            label={standardName}
            placeholder={standardName}
            maxLength={maxLocationNameLength}
            value={fields[code]}
            onChange={(event) => enter({ [code]: event.target.value })}
          />
        ))}
      </div>
    </SettingsForm>
  )
}
