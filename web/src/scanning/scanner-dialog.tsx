import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { TextField } from '../ui/field.tsx'
import { readScannerSettings, saveScannerSettings } from './settings.ts'

/** What this device's scanner adds around each code. */
export function ScannerDialog({ onClose }: { onClose: () => void }) {
  const [settings, setSettings] = useState(() => readScannerSettings())
  const text = { autoComplete: 'off', autoCapitalize: 'off', spellCheck: false }
  return (
    <Dialog
      title="Scanner"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            look="primary"
            onClick={() => {
              saveScannerSettings(settings)
              onClose()
            }}
          >
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
          onChange={(event) => setSettings({ ...settings, prefix: event.target.value })}
        />
        <TextField
          {...text}
          label="After the code"
          hint="Enter or Tab at the end needs no setting."
          value={settings.suffix}
          onChange={(event) => setSettings({ ...settings, suffix: event.target.value })}
        />
      </div>
    </Dialog>
  )
}
