import { useCompanySettings } from '../session/company-settings.ts'
import type { ScannerSettings } from './settings.ts'

/** What the company has set for its scanners; undefined until that is known. */
export function useScannersOfCompany(): ScannerSettings | undefined {
  const { data } = useCompanySettings()
  return data && { prefix: data.scanner_prefix, suffix: data.scanner_suffix }
}
