import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { TextField } from '../ui/field.tsx'
import { useScannersOfCompany } from './company-scanners.ts'
import { isSameScanner, readScannerSettings, saveScannerSettings, type ScannerSettings } from './settings.ts'

/** What this device's scanner adds around each code. */
export function ScannerDialog({ onClose }: { onClose: () => void }) {
  const company = useScannersOfCompany()
  const current = readScannerSettings(company)
  const [typed, setTyped] = useState<ScannerSettings | null>(null)
  const settings = typed ?? current
  const text = { autoComplete: 'off', autoCapitalize: 'off', spellCheck: false }

  function save(wanted: ScannerSettings): void {
    saveScannerSettings(wanted, company)
    onClose()
  }

  return (
    <Dialog
      title="Scanner"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          {company !== undefined && !isSameScanner(current, company) && (
            <Button onClick={() => save(company)}>Use the company’s setting</Button>
          )}
          <Button look="primary" onClick={() => save(settings)}>
            Save
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <p>
          Characters that this device’s scanner adds to each code. They are taken off before a code is looked
          up.
        </p>
        <TextField
          {...text}
          label="Before the code"
          value={settings.prefix}
          onChange={(event) => setTyped({ ...settings, prefix: event.target.value })}
        />
        <TextField
          {...text}
          label="After the code"
          hint="Enter or Tab at the end needs no setting."
          value={settings.suffix}
          onChange={(event) => setTyped({ ...settings, suffix: event.target.value })}
        />
      </div>
    </Dialog>
  )
}
