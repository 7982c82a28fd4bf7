import { maxToleranceUnits } from '@inventory-manager/contract/company/settings-change-endpoints'
import type { CompanySettings } from '@inventory-manager/contract/company/settings-endpoints'
import { useMemo } from 'react'
import { Link } from 'wouter'
import { formatNumber } from '../lib/numbers.ts'
import { paths } from '../lib/paths.ts'
import { useAddressToConfirm } from '../session/own-address.ts'
import { Checkbox, SelectField, TextField } from '../ui/field.tsx'
import { SettingsForm, useDraft } from './settings-card.tsx'

const wrongUnits = `A whole number from 1 to ${formatNumber(maxToleranceUnits)}, or nothing.`

/** Every zone the browser knows, and the company's own where it does not. */
function zoneOptions(current: string): { value: string; label: string }[] {
  const known = Intl.supportedValuesOf('timeZone')
  const zones = [...new Set([current, 'UTC', ...known])].toSorted()
  return zones.map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }))
}

/** Every currency the browser knows with its name, and the company's own where it does not. */
function currencyOptions(current: string): { value: string; label: string }[] {
  const names = new Intl.DisplayNames(undefined, { type: 'currency' })
  const codes = [...new Set([current, ...Intl.supportedValuesOf('currency')])].toSorted()
  return codes.map((code) => ({ value: code, label: `${code} – ${names.of(code) ?? code}` }))
}

type Administration = NonNullable<CompanySettings['administration']>

type CompanyFormProps = { settings: CompanySettings; administration: Administration }

export function CompanyForm({ settings, administration }: CompanyFormProps) {
  const { name, time_zone: zone } = settings
  const { currency } = administration
  const stored = { name, time_zone: zone, currency }
  const { fields, enter, release } = useDraft(stored)
  const zones = useMemo(() => zoneOptions(zone), [zone])
  const currencies = useMemo(() => currencyOptions(currency), [currency])
  const nameless = fields.name.trim() === ''
  return (
    <SettingsForm title="Company" values={nameless ? null : fields} stored={stored} onSaved={release}>
      <TextField
        label="Company name"
        value={fields.name}
        error={nameless ? 'Company name is required' : undefined}
        onChange={(event) => enter({ name: event.target.value })}
      />
      <SelectField
        label="Time zone"
        hint="Decides when days and months begin: today’s list, the month’s count, the label allowance, the charts. Changing it stops counting for a moment, after millions of counts for some seconds."
        options={zones}
        value={fields.time_zone}
        onChange={(event) => enter({ time_zone: event.target.value })}
      />
      <SelectField
        label="Currency"
        hint="Unit costs are in this currency. Changing it converts nothing."
        options={currencies}
        value={fields.currency}
        onChange={(event) => enter({ currency: event.target.value })}
      />
    </SettingsForm>
  )
}

/** The number in a field, null where it is empty, undefined where it is none or out of bounds. */
function numberIn(text: string, { least, most }: { least: number; most: number }): number | null | undefined {
  if (text.trim() === '') return null
  const value = Number(text.replace(',', '.'))
  return Number.isFinite(value) && value >= least && value <= most ? value : undefined
}

const shown = (value: number | null) => (value === null ? '' : String(value))

export function CountingForm({ administration }: { administration: Administration }) {
  // A node of the version before does not say.
  const stored = { first_count_sets_stock: false, ...administration }
  const { fields, enter, release } = useDraft({
    units: shown(stored.count_tolerance_units),
    percent: shown(stored.count_tolerance_percent),
    strict: stored.strict_blind_counts,
    first: stored.first_count_sets_stock,
  })
  const { units, percent, strict, first } = fields
  const givenUnits = /^\d*$/.test(units.trim())
    ? numberIn(units, { least: 1, most: maxToleranceUnits })
    : undefined
  const givenPercent = numberIn(percent, { least: 0.01, most: 100 })
  const values =
    givenUnits === undefined || givenPercent === undefined
      ? null
      : {
          count_tolerance_units: givenUnits,
          count_tolerance_percent: givenPercent === null ? null : Math.round(givenPercent * 100) / 100,
          strict_blind_counts: strict,
          first_count_sets_stock: first,
        }
  return (
    <SettingsForm title="Counting" values={values} stored={stored} onSaved={release}>
      <p className="text-sm text-muted">
        A difference within the tolerance is accepted by itself: stock follows the count, and the ledger, the
        history and the audit trail say so. With both limits set, a difference has to be within both. Empty:
        every difference waits for a decision.
      </p>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="Tolerance in pieces"
          inputMode="numeric"
          value={units}
          error={givenUnits === undefined ? wrongUnits : undefined}
          onChange={(event) => enter({ units: event.target.value })}
        />
        <TextField
          label="Tolerance in %"
          inputMode="decimal"
          value={percent}
          error={givenPercent === undefined ? 'A number from 0.01 to 100, or nothing.' : undefined}
          onChange={(event) => enter({ percent: event.target.value })}
        />
      </div>
      <Checkbox
        label="Strict blind counts"
        hint="From the third entry of a SKU on, people who count are not told whether it matched."
        checked={strict}
        onChange={(event) => enter({ strict: event.target.checked })}
      />
      <Checkbox
        label="First count sets the stock"
        hint="For a first stocktake: what was never counted, moved or entered at a location has what its first count there says, at once. It is no difference and in no figure of accuracy."
        checked={first}
        onChange={(event) => enter({ first: event.target.checked })}
      />
    </SettingsForm>
  )
}

export function LowStockForm({ administration }: { administration: Administration }) {
  const { low_stock_mail } = administration
  const { fields, enter, release } = useDraft({ low_stock_mail })
  const isToConfirm = useAddressToConfirm()
  return (
    <SettingsForm title="Low stock" values={fields} stored={administration} onSaved={release}>
      <div className="flex flex-col gap-1">
        <Checkbox
          label="Mail administrators when components fall below their minimum"
          hint="Once a day at the most, where the operator has set up mail. The audit trail and webhooks report each in any case."
          checked={fields.low_stock_mail}
          onChange={(event) => enter({ low_stock_mail: event.target.checked })}
        />
        {isToConfirm && (
          <p className="text-sm text-warn-text">
            You will get none until you confirm your address: see{' '}
            <Link href={paths.account} className="underline">
              Account
            </Link>
            .
          </p>
        )}
      </div>
    </SettingsForm>
  )
}

export function ScannerForm({ settings }: { settings: CompanySettings }) {
  const { scanner_prefix, scanner_suffix } = settings
  const { fields, enter, release } = useDraft({ scanner_prefix, scanner_suffix })
  return (
    <SettingsForm title="Scanners" values={fields} stored={settings} onSaved={release}>
      <p className="text-sm text-muted">
        What your scanners are set to send before or after each code. It is taken off before the code is
        looked up. Most scanners send nothing; Enter and Tab need not be named.
      </p>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="Before the code"
          maxLength={10}
          autoCapitalize="off"
          autoCorrect="off"
          spellCheck={false}
          value={fields.scanner_prefix}
          onChange={(event) => enter({ scanner_prefix: event.target.value })}
        />
        <TextField
          label="After the code"
          maxLength={10}
          autoCapitalize="off"
          autoCorrect="off"
          spellCheck={false}
          value={fields.scanner_suffix}
          onChange={(event) => enter({ scanner_suffix: event.target.value })}
        />
      </div>
    </SettingsForm>
  )
}
