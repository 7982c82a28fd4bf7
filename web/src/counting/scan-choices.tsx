import { useState } from 'react'
import { isSoundOn, isSpeechOn, setSoundOn, setSpeechOn } from '../scanning/feedback.ts'
import { ScannerDialog } from '../scanning/scanner-dialog.tsx'
import { Button } from '../ui/button.tsx'
import { Checkbox } from '../ui/field.tsx'

type ScanChoicesProps = { keepFocus: boolean; onKeepFocus: (keep: boolean) => void }

/** How scanning behaves on this device. */
export function ScanChoices({ keepFocus, onKeepFocus }: ScanChoicesProps) {
  const [sound, setSound] = useState(isSoundOn)
  const [speech, setSpeech] = useState(isSpeechOn)
  const [settings, setSettings] = useState(false)
  return (
    <>
      <Checkbox
        label="Auto-focus"
        checked={keepFocus}
        onChange={(event) => onKeepFocus(event.target.checked)}
      />
      <Checkbox
        label="Sound and vibration"
        checked={sound}
        onChange={(event) => {
          setSound(event.target.checked)
          setSoundOn(event.target.checked)
        }}
      />
      <Checkbox
        label="Hands-free: speak results"
        checked={speech}
        onChange={(event) => {
          setSpeech(event.target.checked)
          setSpeechOn(event.target.checked)
        }}
      />
      <Button look="quiet" onClick={() => setSettings(true)}>
        Scanner
      </Button>
      {settings && <ScannerDialog onClose={() => setSettings(false)} />}
    </>
  )
}
