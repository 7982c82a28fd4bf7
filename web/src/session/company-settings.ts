import { timeZone } from '@inventory-manager/contract/accounts/rules'
import { getSettings } from '@inventory-manager/contract/company/settings-endpoints'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '../api/client.ts'

/** The settings of the company, shared by everything that shows or changes them. */
export const companySettings = queryOptions({
  queryKey: [getSettings.path],
  queryFn: ({ signal }) => call(getSettings, {}, { signal }),
  staleTime: 300_000,
})

export function useCompanySettings() {
  return useQuery(companySettings)
}

/** The company's time zone, whose days its months and charts go by; null where it or this browser does not know it. */
export function useCompanyZone(): string | null {
  const { data } = useCompanySettings()
  return timeZone.safeParse(data?.time_zone).data ?? null
}

/** The currency in which administrators say costs; null for staff, and as long as nobody knows it. */
export function useCompanyCurrency(): string | null {
  const { data } = useCompanySettings()
  return data?.administration?.currency ?? null
}
