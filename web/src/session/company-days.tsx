import { useCompanyZone } from './company-settings.ts'

/** A time zone, or that of this device, by the name that stands for all of its names. */
const canonical = (timeZone?: string) =>
  new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone

/** Whose days those of a filter are, and the times of the files that it is for and of what is shown, if any. */
export function CompanyDays({ hasFiles, hasTimes }: { hasFiles: boolean; hasTimes: boolean }) {
  const zone = useCompanyZone()
  if (zone === null) return null
  return (
    <p className="text-sm text-muted">
      {hasFiles
        ? `Days are the company’s, as on certificates (${zone}); times in the files are UTC.`
        : `Days are the company’s (${zone}).`}
      {hasTimes && canonical(zone) !== canonical() && ' Times on this screen are those of this device.'}
    </p>
  )
}
