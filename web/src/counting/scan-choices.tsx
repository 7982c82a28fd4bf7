import { Suspense, useState, type ReactNode } from 'react'
import { isSoundOn, isSpeechOn, setSoundOn, setSpeechOn } from '../scanning/feedback.ts'
import { keepKeyboardAway, useKeyboardAway } from '../scanning/keyboard-choice.ts'
import { Button } from '../ui/button.tsx'
import { Checkbox } from '../ui/field.tsx'
import { Fold } from '../ui/fold.tsx'
import { useIsNarrow } from '../ui/use-narrow.ts'
import type { CountScope } from './count-entries.ts'
import { SessionMark } from './count-progress.tsx'
import { scannerDialog } from './parts.ts'

type ScanChoicesProps = {
  keepFocus: boolean
  onKeepFocus: (keep: boolean) => void
  countsPieces: boolean
  onCountPieces: (on: boolean) => void
  resetLabel: string
  onReset: () => void
  scope: CountScope
  /** What else can be done with the count. */
  children: ReactNode
}

/** What can be done with the count, and how scanning behaves on this device, which is set once and out of the way on a phone. */
export function ScanChoices({ keepFocus, onKeepFocus, children, ...rest }: ScanChoicesProps) {
  const [sound, setSound] = useState(isSoundOn)
  const [speech, setSpeech] = useState(isSpeechOn)
  const isKeyboardAway = useKeyboardAway()
  const [settings, setSettings] = useState(false)
  const isNarrow = useIsNarrow()
  return (
    <div className="flex flex-col gap-3 sm:grid sm:grid-cols-[1fr_auto] sm:gap-y-0">
      <Fold label="More">
        <div className="col-span-2 flex flex-wrap items-center gap-x-6">
          <Checkbox
            label="Auto-focus"
            checked={keepFocus}
            onChange={(event) => onKeepFocus(event.target.checked)}
          />
          <Checkbox
            label="No screen keyboard for codes"
            checked={isKeyboardAway}
            onChange={(event) => keepKeyboardAway(event.target.checked)}
          />
          <Checkbox
            label="Each scan counts one"
            checked={rest.countsPieces}
            onChange={(event) => rest.onCountPieces(event.target.checked)}
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
        <div className="flex flex-wrap gap-3">
          <Button look="quiet" onClick={() => setSettings(true)}>
            Scanner
          </Button>
          <Button onClick={rest.onReset}>{rest.resetLabel}</Button>
        </div>
        {isNarrow && <SessionMark scope={rest.scope} />}
      </Fold>
      <div className="flex flex-wrap gap-3 max-sm:order-first max-sm:*:flex-1">{children}</div>
      {settings && (
        <Suspense>
          <scannerDialog.Content onClose={() => setSettings(false)} />
        </Suspense>
      )}
    </div>
  )
}
