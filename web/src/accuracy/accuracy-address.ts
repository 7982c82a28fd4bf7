import { monthChoices, skuOrders, type SkuOrder } from '@inventory-manager/contract/accuracy/rules'
import { findLocation } from '@inventory-manager/contract/locations'
import { month } from '@inventory-manager/contract/values'

/** What the screen shows: of all locations, and up to the present month, where a text is empty. */
export type Filters = { location: string; until: string; months: string; skusBy: SkuOrder }

/** The certificate that an address asks for: other screens lead here with it. */
export type AskedCertificate = { location: string; session: string | null; month: string | null }

const usualMonths = '12'

export function filtersIn(address: URLSearchParams): Filters {
  const months = address.get('months')
  return {
    location: findLocation(address.get('location') ?? '')?.code ?? '',
    until: month.safeParse(address.get('until')).data ?? '',
    months: monthChoices.map(String).find((choice) => choice === months) ?? usualMonths,
    skusBy: skuOrders.find((order) => order === address.get('skusBy')) ?? 'lines',
  }
}

export function certificateIn(address: URLSearchParams): AskedCertificate | null {
  const place = address.get('certificate')
  if (place === null) return null
  return {
    location: findLocation(place)?.code ?? '',
    session: address.get('session'),
    month: address.get('month'),
  }
}

/** What the two above read, to be kept in the address. */
export function addressOf(
  { location, until, months, skusBy }: Filters,
  certificate: AskedCertificate | null,
): Record<string, string> {
  const filters = {
    location,
    until,
    months: months === usualMonths ? '' : months,
    skusBy: skusBy === 'lines' ? '' : skusBy,
  }
  if (certificate === null) return filters
  const { session, month: of } = certificate
  return { ...filters, certificate: certificate.location, session: session ?? '', month: of ?? '' }
}
