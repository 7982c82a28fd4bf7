import { Suspense, useState, type ReactNode } from 'react'
import { isSoundOn, isSpeechOn, setSoundOn, setSpeechOn } from '../scanning/feedback.ts'
import { Button } from '../ui/button.tsx'
import { Checkbox } from '../ui/field.tsx'
import { scannerDialog } from './parts.ts'

type ScanChoicesProps = {
  keepFocus: boolean
  onKeepFocus: (keep: boolean) => void
  countsPieces: boolean
  onCountPieces: (on: boolean) => void
  /** What else can be done with the count. */
  children: ReactNode
}

/** How scanning behaves on this device. */
export function ScanChoices({ keepFocus, onKeepFocus, children, ...pieces }: ScanChoicesProps) {
  const [sound, setSound] = useState(isSoundOn)
  const [speech, setSpeech] = useState(isSpeechOn)
  const [settings, setSettings] = useState(false)
  return (
    <div>
      <div className="flex flex-wrap items-center gap-x-6">
        <Checkbox
          label="Auto-focus"
          checked={keepFocus}
          onChange={(event) => onKeepFocus(event.target.checked)}
        />
        <Checkbox
          label="Each scan counts one"
          checked={pieces.countsPieces}
          onChange={(event) => pieces.onCountPieces(event.target.checked)}
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
      </div>
      <div className="flex items-start justify-between gap-3">
        <Button look="quiet" onClick={() => setSettings(true)}>
          Scanner
        </Button>
        <div className="flex flex-wrap justify-end gap-3">{children}</div>
      </div>
      {settings && (
        <Suspense>
          <scannerDialog.Content onClose={() => setSettings(false)} />
        </Suspense>
      )}
    </div>
  )
}
