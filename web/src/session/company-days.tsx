import { useCompanyZone } from './company-settings.ts'

/** Whose days those of a filter are, and the times of the files that it is for, if any. */
export function CompanyDays({ hasFiles }: { hasFiles: boolean }) {
  const zone = useCompanyZone()
  if (zone === null) return null
  return (
    <p className="text-sm text-muted">
      {hasFiles
        ? `Days are the company’s, as on certificates (${zone}); times in the files are UTC.`
        : `Days are the company’s (${zone}).`}
    </p>
  )
}
