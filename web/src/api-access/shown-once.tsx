import { Banner } from '../ui/banner.tsx'
import { CopyField } from '../ui/copy-field.tsx'

/** A secret that was just made. It is shown this once: what is stored does not hold it, or is never shown. */
export function ShownOnce({ label, secret, hint }: { label: string; secret: string; hint: string }) {
  return (
    <div className="flex flex-col gap-4">
      <Banner tone="warn">Copy it now and keep it safe. It is not shown again.</Banner>
      <CopyField label={label} value={secret} hint={hint} button="Copy" />
    </div>
  )
}
