import { useCompanySettings } from '../session/branding.ts'

/** The currency in which administrators say costs; null for staff, and as long as nobody knows it. */
export function useCompanyCurrency(): string | null {
  const { data } = useCompanySettings()
  return data?.administration?.currency ?? null
}
