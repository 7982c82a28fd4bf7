import { Link } from 'wouter'
import { paths } from '../lib/paths.ts'
import { useCompanySettings } from './company-settings.ts'

/** A currency as a sentence has it: US dollars, euros. */
function nameOf(currency: string): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'name' })
  return format.formatToParts(2).find(({ type }) => type === 'currency')?.value ?? currency
}

/** In which currency the first unit costs are taken, before anybody finds stock told in another one than theirs. */
export function CostsCurrency() {
  const { data } = useCompanySettings()
  const { currency, has_costs: hasCosts } = data?.administration ?? {}
  if (currency === undefined || hasCosts === true) return null
  return (
    <p className="text-sm text-muted">
      Unit costs are taken as {nameOf(currency)} ({currency}).{' '}
      <Link href={paths.settings} className="underline">
        Change that in Company Settings.
      </Link>
    </p>
  )
}
