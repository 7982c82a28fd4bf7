import type { CompanySettings } from '@inventory-manager/contract/company/settings-endpoints'
import { useQuery } from '@tanstack/react-query'
import { messageOf } from '../api/api-error.ts'
import { companySettings } from '../session/company-settings.ts'
import { LoadFailure } from '../ui/load-failure.tsx'
import { Loading } from '../ui/loading.tsx'
import { Page } from '../ui/page.tsx'
import { BrandingForm } from './branding-form.tsx'
import { LocationNamesForm } from './location-names-form.tsx'
import { CompanyForm, CountingForm, LowStockForm, ScannerForm } from './settings-forms.tsx'

function Forms({ settings }: { settings: CompanySettings }) {
  const { administration } = settings
  if (administration === undefined) return null
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-2">
      <CompanyForm settings={settings} administration={administration} />
      <CountingForm administration={administration} />
      <LocationNamesForm administration={administration} />
      <LowStockForm administration={administration} />
      <ScannerForm settings={settings} />
      <BrandingForm settings={settings} inPlan={administration.branding_in_plan} />
    </div>
  )
}

/** What holds for everybody in the company. Every change is in the audit trail with its old and new value. */
export function SettingsScreen() {
  // What is shown elsewhere may be from before somebody changed it.
  const { data, error, refetch } = useQuery({ ...companySettings, refetchOnMount: 'always' })
  return (
    <Page title="Company Settings" subtitle="They apply to everyone, on every device.">
      {error !== null && (
        <LoadFailure text={`Error loading the settings: ${messageOf(error)}`} onRetry={refetch} />
      )}
      {data === undefined && error === null && <Loading label="Loading the settings..." />}
      {data !== undefined && <Forms settings={data} />}
    </Page>
  )
}
